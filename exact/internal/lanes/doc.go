// Package lanes has vectorised loops over long arrays of numbers. Those of a solver on a lattice
// take a chain from a distribution to the next one of a geometric path, and apply Metropolis'
// kernel. Others take functions through the rows of any kernel, or through the heat bath on an axis
// of two values, or reflect a symmetric matrix. Each does the same operations in the same order on
// every processor, with vectors or without, so that its results have the same bytes.
// Multiplications and additions are never fused.
//
// Every loop has a form in plain Go. On amd64 there are forms for AVX2 and AVX-512 in assembly,
// which the program in the folder asm writes; the processor's features decide at run time. The tag
// noasm omits the assembly, and GODEBUG=cpu.avx512f=off, with cpu.avx2=off too, disables these
// features.
package lanes

//go:generate go run -C asm . -out ../loops_amd64.s -stubs ../loops_amd64.go -pkg lanes
