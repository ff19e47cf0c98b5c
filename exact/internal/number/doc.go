// Package number answers: how is a number kept with all its digits? It has floating point with a wider exponent, sums that
// keep what addition loses, and the Gamma function of complex numbers. It knows nothing of probabilities.
package number
