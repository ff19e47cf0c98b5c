// Package chains answers: what moves, and what is an annealing? It holds the choices of an algorithm (Chooser), the form in
// which an algorithm is written once (Process), what a Markov kernel, a path and a schedule are, and the Annealing that
// joins them. It never computes an exact quantity and never prints; every source of randomness is passed in.
//
// The packages in its directory have what there is of each: kernels, paths, schedules, how chains are drawn (simulate), and how
// all of these are selected by a short text (selector). Package experiments/kerneltest tests a kernel of one's own.
package chains
