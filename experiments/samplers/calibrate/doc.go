// Package calibrate answers: is the effective sample size (ESS) of a chain what the errors of its averages say, and do diagnostics alarm
// where chains fail? It sets what diagnostics say beside the errors that they should foretell. It never prints, draws or reads flags.
//
// # What stands beside what
//
// The real effective sample size (RESS) of an estimate is R over its mean squared error, that of one chain, and so it is the ESS of a
// single chain that foretells it. Exact numbers are the ESS that the exact expectations of a chain's autocovariances give, and the
// exact RESS. Simulated ones are the mean of the ESS of K chains, as in the paper, and K R over the sum of the squared errors of these
// very chains (Eq. 4). Estimates are the mean, the variance (divisor N - 1) and the distribution of the chain, whose error is the
// Cramer-von Mises distance.
//
// If each of K chains were as good as ESS independent draws, then K ESS/RESS would have a chi-squared distribution with K degrees of
// freedom (Eq. 9). Its middle 95% are the region, and RESS would lie below it in 2.5% of all settings. The paper found 55% (mean), 68%
// (variance) and 83% (Kolmogorov-Smirnov distance). Exact RESS has no such spread: were ESS right it would lie within the region always.
//
// # Alarms
//
// Chains are good where the RESS of their mean is at least Success, and else they fail. An alarm although they are good is an error of
// type I, and none although they fail is one of type II. A diagnostic that is not a number sounds the alarm: R-hat of chains that
// never moved and are all equal, and Geweke's test where no chain has a score. Geweke's test is of every chain, so that independent
// draws sound it with probability 1 - 0.95^K. Chains that never move have their number of draws as ESS, as in ArviZ.
//
//	$ breadboard samplers calibrate --function x0
//	 diagnostic   │ limit       │ chains      │ good │ alarms │ type I │ failing │ no alarm │ type II
//	──────────────┼─────────────┼─────────────┼──────┼────────┼────────┼─────────┼──────────┼─────────
//	 R-hat        │ < 1.1       │ exact       │    8 │      0 │ 0%     │      12 │        0 │ 0%
//	 R-hat        │ < 1.01      │ exact       │    8 │      5 │ 62.5%  │      12 │        0 │ 0%
//	 ESS          │ >= 100 K    │ exact       │    8 │      6 │ 75%    │      12 │        0 │ 0%
//	 Geweke       │ |z| <= 1.96 │ exact       │    8 │      0 │ 0%     │      12 │       12 │ 100%
//	 all together │             │ exact       │    8 │      6 │ 75%    │      12 │        0 │ 0%
//	 R-hat        │ < 1.1       │ 8 simulated │    8 │      0 │ 0%     │      12 │        1 │ 8.333%
//	 R-hat        │ < 1.01      │ 8 simulated │    8 │      2 │ 25%    │      12 │        0 │ 0%
//	 split R-hat  │ < 1.1       │ 8 simulated │    8 │      0 │ 0%     │      12 │        0 │ 0%
//	 split R-hat  │ < 1.01      │ 8 simulated │    8 │      5 │ 62.5%  │      12 │        0 │ 0%
//	 rank R-hat   │ < 1.1       │ 8 simulated │    8 │      1 │ 12.5%  │      12 │        0 │ 0%
//	 rank R-hat   │ < 1.01      │ 8 simulated │    8 │      6 │ 75%    │      12 │        0 │ 0%
//	 ESS          │ >= 100 K    │ 8 simulated │    8 │      6 │ 75%    │      12 │        0 │ 0%
//	 Geweke       │ |z| <= 1.96 │ 8 simulated │    8 │      4 │ 50%    │      12 │        2 │ 16.67%
//	 all together │             │ 8 simulated │    8 │      7 │ 87.5%  │      12 │        0 │ 0%
//	 RESS of      │ chains      │ settings │ below the region │ within │ above
//	──────────────┼─────────────┼──────────┼──────────────────┼────────┼───────
//	 mean         │ exact       │       20 │ 60%              │ 40%    │ 0%
//	 variance     │ exact       │       20 │ 40%              │ 50%    │ 10%
//	 distribution │ exact       │       20 │ 55%              │ 45%    │ 0%
//	 mean         │ 8 simulated │       20 │ 55%              │ 40%    │ 5%
//	 variance     │ 8 simulated │       20 │ 60%              │ 40%    │ 0%
//	 distribution │ 8 simulated │       20 │ 60%              │ 40%    │ 0%
//
// Source: Turner and Neal 2017, sections 4.6 and 5, Figure 3.
package calibrate
