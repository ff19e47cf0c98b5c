// Package kernelcheck answers: is this kernel right, and how good is it? It examines a kernel of the library, of
// another program or of a file under distributions on the way to each target. It never believes
// what a kernel says of itself where its rows can show it.
//
// A good kernel shows too: on BARRIER at T = 100, drawing one coordinate at a time (heatbath) brings J from 1.65 with
// the paper's kernel down to 0.000695.
//
// A kernel that adapts a parameter is a Markov chain on positions and parameters: give it a grid with one more axis, for the parameter,
// and a target that does not depend on it. The example of Row.Examine shows one that is right, and what naive adaptation does.
package kernelcheck
