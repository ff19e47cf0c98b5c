// Package number answers: how does a computation keep the digits of its numbers? It has floating point with a wider
// exponent, sums that keep what addition rounds away, and the Gamma function of complex numbers. It never deals with
// probabilities or kernels.
package number
