// Package diagnostics answers: what do the draws of a few chains say about their own convergence? It computes effective sample sizes,
// R-hat, Monte Carlo standard errors, batch means and Geweke's test as plain functions of draws, of whoever's chains, and scores an
// effective sample size against the errors that were really made. It knows no target and no kernel, so that it cannot say whether a
// diagnostic is right: package averages can.
//
// # Conventions
//
// Autocovariances have the divisor N. The effective sample size is that of Stan and ArviZ: correlations are summed by Geyer's initial
// monotone sequence, and it is at most S log10(S) for S draws. Split chains are the first and the last floor(N/2) draws of each chain.
// Ranks are averaged over ties and mapped by the normal quantile of (r - 3/8)/(S + 1/4). Draws whose values are all equal have as
// effective sample size their number, no R-hat and a standard error of zero. No effective sample size and no R-hat depends on the unit or
// the zero of the draws, however large or small.
//
// Bad draws are an error that names the chain and the draw: none at all, chains of different lengths, fewer than four draws a chain, and
// values that are not finite.
//
// Source: Geyer 1992; Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021; Turner and Neal 2017, section 5.
package diagnostics
