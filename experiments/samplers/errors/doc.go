// Package errors answers: how far are the averages of a chain from the truth, and how many independent draws would be as good? It gives
// the exact errors of the mean, the variance and the empirical distribution of N samples, and from them the real effective sample size
// (RESS). It never prints, draws or reads flags.
//
// The error from a start is set beside that from the target itself: what chains from the target lack is mixing, and what the start
// adds is burn-in.
//
// Source: Turner and Neal 2017, sections 4.4 and 4.6, Eqs. 4 to 6.
package errors
