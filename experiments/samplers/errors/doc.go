// Package errors answers: how far are the averages of a chain from the truth, and how many independent draws would be as good? It gives
// the exact errors of the mean, the variance and the empirical distribution of N samples, and from them the real effective sample size
// (RESS). It never prints, draws or reads flags.
//
// The error from a start is set beside that from the target itself: what chains from the target lack is mixing, and what the start
// adds is burn-in. On BARRIER ten thousand samples of metropolis are worth less than one independent draw, for chains stay in the
// quadrant where they start:
//
//	$ breadboard samplers errors --toy barrier --kernel metropolis,heatbath --start uniform -N 1,100,1e4
//	 toy     │ kernel     │ start   │ function │     N │  work │ RESS mean │ from target │ RESS var │ constant │ RESS CvM
//	─────────┼────────────┼─────────┼──────────┼───────┼───────┼───────────┼─────────────┼──────────┼──────────┼──────────
//	 barrier │ metropolis │ uniform │ x0       │     1 │     1 │     0.287 │           1 │          │          │   0.5511
//	 barrier │ metropolis │ uniform │ x0       │   100 │   100 │    0.2873 │       1.474 │    10.44 │     4.69 │   0.7792
//	 barrier │ metropolis │ uniform │ x0       │ 10000 │ 10000 │    0.2903 │       1.538 │    10.69 │     4.67 │    0.802
//	 barrier │ heatbath   │ uniform │ x0       │     1 │     1 │     0.287 │           1 │          │          │   0.5511
//	 barrier │ heatbath   │ uniform │ x0       │   100 │   595 │     20.71 │       23.57 │    23.32 │     4.69 │    27.57
//	 barrier │ heatbath   │ uniform │ x0       │ 10000 │ 59995 │      2296 │        2299 │     2159 │     4.67 │     2865
//
// The column "constant" is the RESS of the variance estimated as zero, R/1. The variance of a chain that stays in a quadrant is about a
// third of the truth, whichever it is: as good as any constant of that size, and RESS 10.7 for nothing.
//
// Source: Turner and Neal 2017, sections 4.4 and 4.6, Eqs. 4 to 6.
package errors
