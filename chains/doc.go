// Package chains answers: what moves, along which path, and how is it sampled? It holds the choices of an
// algorithm (Chooser), the form in which an algorithm is written once (Process), Markov kernels, annealing schedules and
// paths, and the Annealing that joins them.
// It never computes an exact quantity and never prints; every source of randomness is passed in.
package chains
