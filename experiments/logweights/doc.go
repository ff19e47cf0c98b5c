// Package logweights answers: how are log weights distributed, and what does averaging weights gain? It gives the law
// of the log weight of annealings, its tails and quantiles, and the expected bounds from averages of many samples. It
// never prints, draws or reads flags.
package logweights
