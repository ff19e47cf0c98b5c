// Package paths answers: which distributions lie between the initial one and the target? It has the paths of the library, one a
// file, each with the form by which it is selected. Where on a path an annealing stands is package schedules's to say.
package paths
