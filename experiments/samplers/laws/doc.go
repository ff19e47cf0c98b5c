// Package laws answers: how often does a sampler succeed, and how often do its diagnostics say so where it has not? It sets exact
// probabilities, of the law of the chain's mean and of what several chains make of it, side by side for kernels, starts, functions and
// numbers of samples. It never prints, draws or reads flags.
package laws
