// Package laws answers: how often does a sampler succeed, and how often does R-hat assure what is wrong? It sets the exact law of a
// chain's mean, and what several independent chains make of it, side by side for kernels, starts, functions and numbers of samples. It
// never prints, draws or reads flags.
//
// Several chains succeed where their real effective sample size, their number over the sum of their squared errors, is at least 12; this
// is what a study of simulated chains can see. Wrong is a mean of all samples that is off by more than half a standard deviation.
//
//	$ breadboard samplers laws --toy barrier --function "x0<=1,x0"
//	 toy     │ kernel     │ start   │ function │   N │ K │   RESS │ P(success) │  Gaussian │ coverage │ R-hat < 1.01 │ and wrong │  constant │ and wrong
//	─────────┼────────────┼─────────┼──────────┼─────┼───┼────────┼────────────┼───────────┼──────────┼──────────────┼───────────┼───────────┼───────────
//	 barrier │ metropolis │ uniform │ x0<=1    │ 100 │ 8 │  1.235 │   0.003045 │ 0.0008621 │        1 │     0.000776 │  7.085e-5 │  0.003818 │  0.003818
//	 barrier │ metropolis │ uniform │ x0       │ 100 │ 8 │ 0.2873 │   0.002198 │  3.245e-6 │        1 │              │           │           │
//	 barrier │ heatbath   │ uniform │ x0<=1    │ 100 │ 8 │  29.83 │     0.9891 │    0.9892 │   0.9499 │       0.4957 │ 1.246e-13 │ 3.341e-77 │ 3.341e-77
//	 barrier │ heatbath   │ uniform │ x0       │ 100 │ 8 │  20.71 │     0.8861 │    0.9131 │   0.9366 │              │           │           │
//
// Metropolis sits on one side of the barrier for longer than 100 moves. Its nominal intervals cover the truth always, because its tau is
// larger than N; its eight chains hardly ever succeed, and R-hat sees that but for 7 times in 100,000 with values below 1.01, and for 4 times
// in a thousand where no chain ever changes.
//
// Source: Turner and Neal 2017, sections 4.6 and 5, Eqs. 4, 8 and 9; Gelman and Rubin 1992; Vehtari et al. 2021 for the limit 1.01.
package laws
