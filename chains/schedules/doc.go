// Package schedules answers: where on a path do the distributions of an annealing stand? It has the schedules that
// are known before the path is, one a file, each with the form by which it is selected. It never looks at a path or a
// kernel: the schedules that do are placed by package experiments/placement.
package schedules
