// Package program answers: what is the exact law of any program that makes random choices? A program is a function of a
// chains.Chooser, or a chains.Process. Enumerate runs it once for every way that its choices can come out; Propagate
// takes a process step by step and merges equal states, so that its cost grows with the number of steps and not with the
// number of paths, and carries with the mass of a state whatever is asked of the log weight (see Carrier).
//
// It never samples, never renormalises, and never leaves out a probability without saying how much it was.
package program
