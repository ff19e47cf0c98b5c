// Package number answers: how does a computation keep the digits of its numbers? It has floating-point numbers with a wider exponent range
// (Wide), compensated sums (Sum, BlockSum and others), sums of numbers given by their logarithms (LogSum), greatest common divisors, bounds of
// lists, and the Gamma function of complex numbers with Euler's constant. It never deals with probabilities or kernels.
package number
