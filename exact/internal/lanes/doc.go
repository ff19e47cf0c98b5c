// Package lanes answers: what do a few loops over long arrays of numbers give, and how fast can this processor run them?
// The loops are those of a solver on a lattice: one takes a chain from a distribution to the next one of a geometric path,
// one applies Metropolis' kernel; and those that take functions through the rows of any kernel, or through the heat bath on an axis of two
// values, and that reflect a symmetric matrix. Each does the same operations in the same order wherever it runs, with vectors or
// without, so that its results have the same bytes. No product and sum are ever taken with one rounding. The package knows
// nothing of schedules and errors.
//
// Every loop stands here in plain Go, which runs on every processor. On amd64 those of AVX2 and of AVX-512 are in assembly, which the
// program in the folder asm writes, and the processor is asked which of them it has. The tag noasm leaves the assembly out, and
// GODEBUG=cpu.avx512f=off, or cpu.avx2=off too, has a program do without what the processor has.
package lanes

//go:generate go run -C asm . -out ../loops_amd64.s -stubs ../loops_amd64.go -pkg lanes
