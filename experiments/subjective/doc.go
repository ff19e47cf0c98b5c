// Package subjective answers: what if reverse chains start elsewhere? It gives the subjective divergence of annealings, by the reference that
// the reverse chains start from. It never prints, draws or reads flags.
package subjective
