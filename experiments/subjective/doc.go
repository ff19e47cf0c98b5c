// Package subjective answers: is B still a bound where reverse chains do not start at the target? It gives the subjective
// divergence of annealings for each reference, the law from which the reverse chains start. It never prints, draws or reads
// flags.
package subjective
