// Package networks answers: which probabilities does a file of a graphical model state? It reads Bayesian networks in the format BIF, and
// Bayesian and Markov networks in that of the UAI competitions, clamps what has been observed, sums out what is hidden, and makes of the rest
// a target with its prior. It never draws a sample, never learns a probability from data, and never rescales a table without saying so.
package networks
