// Package external answers: how does a kernel move that is not written in Go? It reads transition matrices from
// files, and speaks with programs. It never trusts them. A program that does not answer, writes too much, ends early or
// breaks the protocol is killed with all that it has started, and the error names it.
//
// On Linux each program runs below a keeper: the binary that uses this package, started anew as a child subreaper. The
// package's init turns that process into the keeper before main is called. It kills every descendant of the program
// when the program is ended and when the process that started it dies, and touches nothing else. Elsewhere only the
// program's process group is killed (on Windows the program alone), so that a child in a session of its own goes on.
package external
