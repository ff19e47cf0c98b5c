// Package kernels answers: how does a chain move under one distribution? It has the kernels of the library, one a
// file, each with the form by which it is selected; all leave their distribution invariant. It never examines a
// kernel: package exact/kernel does. What makes a kernel one, and kernels of others, is package chains's to say.
//
// Kernels that propose a neighbour, as Metropolis and Barker, run on any grid.Graph: each direction of a state is
// proposed with equal probability, and one that leads nowhere is a rejection, as a wall is. A state of a graph has as
// many directions as the largest number of neighbours that a state of it has.
package kernels
