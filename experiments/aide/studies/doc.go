// Package studies answers: how do the algorithms that AIDE was shown with compare on problems of those kinds, exactly? It has
// four studies, after figures 2 to 5 of Cusumano-Towner and Mansinghka 2017: regression, a hidden Markov model, a bimodal
// target and a mixture. What has no exact route is sampled where chains are asked for, and is then marked so. It never prints,
// draws or reads flags.
package studies
