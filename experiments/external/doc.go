// Package external answers: how does a kernel move that is not written in Go? It reads transition matrices from
// files, and speaks with programs. It never trusts them: a program that hangs, floods, ends early or says what it
// may not is an error that names it, and is killed with all that it has started.
package external
