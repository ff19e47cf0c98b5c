// Package kernelcheck answers: is this kernel right, and how good is it? It examines a kernel of the library, of
// another program or of a file under distributions on the way to each target. It never believes
// what a kernel says of itself where its rows can show it.
//
// A good kernel shows too: on BARRIER at T = 100, drawing one coordinate at a time (heatbath) brings J from 1.65 with
// the paper's kernel down to 0.000695.
package kernelcheck
