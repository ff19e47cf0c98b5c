// Package smc answers: what is the exact law of an inference algorithm's output and of its estimate of Z, and what does
// AIDE say of it? It enumerates any particle.Algorithm of package chains/particle, propagates the law of few particles on
// an annealing, and gives the mean and variance of AIDE for any number of meta-inference runs. It also gives the transition
// matrix of particle Gibbs, which is conditional SMC as a kernel on the paths of a hidden Markov model.
//
// It never samples. Where it has no exact route it says what would have to be smaller.
package smc
