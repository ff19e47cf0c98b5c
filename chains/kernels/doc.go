// Package kernels answers: how does a chain move under one distribution? It has the kernels of the library, one a file, each
// with the form by which it is selected; all leave their distribution invariant. Package chains defines what a kernel is
// and which kernels belong to the library; kernels that users write are not here.
package kernels
