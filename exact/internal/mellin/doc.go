// Package mellin answers: what is the Laplace transform E exp(-t W) of a positive random variable W, given its moments
// E[W^-z] at complex z? It integrates Gamma(z) t^-z E[W^-z] along vertical lines, and bounds the error of what it gives.
// It never computes the moments: its callers propagate them.
package mellin
