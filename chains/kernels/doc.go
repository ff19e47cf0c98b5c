// Package kernels answers: how does a chain move under one distribution? It has the kernels of the library, one a file, each
// with the form by which it is selected; all leave their distribution invariant. What makes a kernel one, and kernels of
// others, is package chains's to say.
package kernels
