// Package aide answers: what does AIDE say of two inference algorithms, and how far is that from the truth? AIDE estimates
// the symmetric Kullback-Leibler divergence between their outputs, and is an upper bound in expectation (Cusumano-Towner and
// Mansinghka 2017). On a finite space its mean, its standard deviation and the divergence are exact. It never prints, draws or
// reads flags.
package aide
