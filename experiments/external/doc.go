// Package external answers: how does a kernel move that is not written in Go, and which chains does somebody else's program
// make? It reads transition matrices from files, and speaks with programs. It never trusts them. A program that does not answer, writes too much, ends early or
// breaks the protocol is killed with all that it has started, and the error names it.
//
// On Linux each program runs below a keeper: the binary that uses this package, started anew as a child subreaper. The
// package's init turns that process into the keeper before main is called. It kills every descendant of the program
// when the program is ended and when the process that started it dies, and touches nothing else. Elsewhere only the
// program's process group is killed (on Windows the program alone), so that a child in a session of its own goes on.
//
// A program speaks JSON Lines, as PROTOCOL.md beside this file says. One that asks for its random choices has its exact
// transition matrix; one that makes its own is tested against the exact law. A matrix (matrix:PATH) is the target's transition
// matrix from .npy, CSV or a file of another tool's (package matrices), examined at beta = 1, with what the file's digits leave of J; with {t} in the path there is one file
// for each stage t = 2..T, and annealing uses them. Nothing is ever rescaled.
//
// A Sampler is a program that makes annealed chains, which it is asked for in batches, each from a seed. Whether the chains
// have the right law is not asked here.
package external
