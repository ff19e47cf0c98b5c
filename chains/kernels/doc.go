// Package kernels answers: how does a chain move under one distribution? It has the kernels of the library, one a file, each
// with the form by which it is selected; all leave their distribution invariant. Package chains defines what a kernel is
// and which kernels belong to the library; kernels that users write are not here.
//
// Kernels that propose a neighbour, as Metropolis and Barker, run on any grid.Graph: each direction of a state is proposed with
// equal probability, and one that leads nowhere is a rejection, as a wall is. A state of a graph has as many directions as the
// largest number of neighbours that a state of it has.
package kernels
