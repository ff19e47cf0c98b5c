// Package paths answers: which distributions lie between the initial one and the target? It has the paths of the library, one a
// file, each with the form by which it is selected. It does not know at which points of a path an annealing has its
// distributions: package schedules does.
package paths
