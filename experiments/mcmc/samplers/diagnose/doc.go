// Package diagnose answers: are the usual convergence diagnostics of a chain right? It compares
// each diagnostic of simulated chains with the exact real effective sample size (RESS). Without
// simulation, it gives the exact expectations of the statistics from which diagnostics are
// computed, and the diagnostics at these expectations. It also diagnoses draws of your own program,
// and compares them with the exact moments if a target is named. It never prints or reads flags.
//
// An effective sample size (ESS) is computed from the draws alone, RESS from the mean squared
// errors of chains. If chains stay in one part of the space, ESS cannot show it:
//
//	$ breadboard samplers diagnose --toy barrier --kernel metropolis,heatbath --start target -N 1000
//	 toy     │ kernel     │ start  │ function │    N │ ESS/chain │ ESS bulk │ R-hat │ Geweke │    ESSD │ exact ESS │  RESS
//	─────────┼────────────┼────────┼──────────┼──────┼───────────┼──────────┼───────┼────────┼─────────┼───────────┼───────
//	 barrier │ metropolis │ target │ x0       │ 1000 │       147 │     17.9 │ 1.483 │ 0.3956 │   32.83 │     148.3 │ 1.522
//	 barrier │ heatbath   │ target │ x0       │ 1000 │     230.2 │     2170 │ 1.004 │  2.847 │ -0.5404 │     239.5 │ 230.5
//
// ESS/chain is for a single chain, and so is RESS; ESS bulk is for all eight chains.
//
// Source: Turner and Neal 2017, section 5.
//
// # Draws of your own
//
// Variables answers: what are the mean, its standard error and the diagnostics of each variable of
// chains from files? Effective sample sizes, R-hat and Monte Carlo standard errors are those of R's
// package posterior. A Target has the exact mean and standard deviation of functions of its states,
// and gives the errors of the draws in units of their own standard errors. Variables are matched by
// name with its axes and functions. States are known if every axis has a column or there is a
// column of states; functions of them can then be computed.
//
// Source: Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021.
//
// # Calibration
//
// Calibrate answers: does the effective sample size (ESS) of a chain agree with the errors of its
// averages, and do diagnostics detect chains that fail? It compares diagnostics with the errors
// that they should predict.
//
// # The compared numbers
//
// The real effective sample size (RESS) of an estimate is R over its mean squared error in one
// chain, so it is compared with the ESS of a single chain. Exact numbers are the ESS from the exact
// expectations of a chain's autocovariances, and the exact RESS. Simulated ones are the mean of the
// ESS of K chains, as in Turner and Neal (2017), and K R over the sum of the squared errors of
// these chains (Eq. 4). Estimates are the mean, the variance (divisor N - 1) and the distribution
// of the chain, whose error is the Cramer-von Mises distance.
//
// If each of K chains were as good as ESS independent draws, then K ESS/RESS would have a
// chi-squared distribution with K degrees of freedom (Eq. 9). Its middle 95% are the region, and
// RESS would lie below it in 2.5% of all settings. Turner and Neal found 55% (mean), 68% (variance)
// and 83% (Kolmogorov-Smirnov distance). Exact RESS has no such spread: for a correct ESS it would
// always lie within the region.
//
// # Alarms
//
// Chains are good if the RESS of their mean is at least samplers.SuccessRESS, and else they fail.
// An alarm for good chains is an error of type I, and no alarm for failing ones is one of type II.
// A diagnostic that is NaN raises the alarm: R-hat of chains that never moved and are all equal,
// and Geweke's test if no chain has a score. Geweke's test is of every chain, so that independent
// draws raise it with probability 1 - 0.95^K. The ESS of chains that never move is their number of
// draws, as in ArviZ.
//
//	$ breadboard samplers calibrate --function x0
//	 diagnostic   │ limit       │ chains      │ good │ alarms │ type I │ failing │ no alarm │ type II
//	──────────────┼─────────────┼─────────────┼──────┼────────┼────────┼─────────┼──────────┼─────────
//	 R-hat        │ < 1.1       │ exact       │    8 │      0 │     0% │      12 │        0 │      0%
//	 R-hat        │ < 1.01      │ exact       │    8 │      5 │  62.5% │      12 │        0 │      0%
//	 ESS          │ >= 100 K    │ exact       │    8 │      6 │    75% │      12 │        0 │      0%
//	 Geweke       │ |z| <= 1.96 │ exact       │    8 │      0 │     0% │      12 │       12 │    100%
//	 all together │             │ exact       │    8 │      6 │    75% │      12 │        0 │      0%
//	 R-hat        │ < 1.1       │ 8 simulated │    8 │      0 │     0% │      12 │        1 │  8.333%
//	 R-hat        │ < 1.01      │ 8 simulated │    8 │      2 │    25% │      12 │        0 │      0%
//	 split R-hat  │ < 1.1       │ 8 simulated │    8 │      0 │     0% │      12 │        0 │      0%
//	 split R-hat  │ < 1.01      │ 8 simulated │    8 │      5 │  62.5% │      12 │        0 │      0%
//	 rank R-hat   │ < 1.1       │ 8 simulated │    8 │      1 │  12.5% │      12 │        0 │      0%
//	 rank R-hat   │ < 1.01      │ 8 simulated │    8 │      6 │    75% │      12 │        0 │      0%
//	 ESS          │ >= 100 K    │ 8 simulated │    8 │      6 │    75% │      12 │        0 │      0%
//	 Geweke       │ |z| <= 1.96 │ 8 simulated │    8 │      4 │    50% │      12 │        2 │  16.67%
//	 all together │             │ 8 simulated │    8 │      7 │  87.5% │      12 │        0 │      0%
//	 RESS of      │ chains      │ settings │ below the region │ within │ above
//	──────────────┼─────────────┼──────────┼──────────────────┼────────┼───────
//	 mean         │ exact       │       20 │              60% │    40% │    0%
//	 variance     │ exact       │       20 │              40% │    50% │   10%
//	 distribution │ exact       │       20 │              55% │    45% │    0%
//	 KS           │ exact       │       16 │           68.75% │ 31.25% │    0%
//	 mean         │ 8 simulated │       20 │              55% │    40% │    5%
//	 variance     │ 8 simulated │       20 │              60% │    40% │    0%
//	 distribution │ 8 simulated │       20 │              60% │    40% │    0%
//	 KS           │ 8 simulated │       20 │              55% │    45% │    0%
//
// Source: Turner and Neal 2017, sections 4.6 and 5, Figure 3.
//
// # Diagnostics taken together
//
// Meta answers: how well do the diagnostics of a chain, taken together, predict the error of its
// mean? It learns the prediction from the chains of some targets, and scores it on the chains of
// others.
//
// # Labels and features
//
// The label exact is log(ESS/RESS), with the ESS from exact expectations and the exact RESS of the
// mean. The label essd is the ESS deviation of K simulated chains (Eq. 8), as in Turner and Neal
// (2017). The features are log ESS, log |GR - 1| with R-hat of whole chains, log |G| with Geweke's
// score, and the number of coordinates D. For the expectations, G is the root mean square of
// Geweke's difference over the standard error of the two windows by ESS; for simulated chains it is
// the median |z|. Points with an infinite or NaN label or feature are omitted and counted, and so
// are those whose R-hat is one up to rounding.
//
// # Methods
//
// GP is a regression by a Gaussian process with a squared exponential covariance that has a length
// for each feature (ARD), and noise; its hyperparameters maximise the evidence. GP-ESS is the same
// without the feature ESS, and so on. linear is least squares with a constant, and iid a normal
// distribution without features. Features and labels are standardised on the training targets.
//
// A fifth of the targets is held out in each repeat, always with all chains of a target, whose
// errors are similar. The mean squared error and the mean negative log density (NLL) are those of
// the held-out targets. NLL relative to GP does not depend on the unit of the label. Standard
// errors and paired t-tests are of the difference from GP over the splits. These share targets, so
// that p-values are rather too small than too large.
//
//	$ breadboard samplers meta --corpus small -N 100 --splits 3
//	 method │ label         │    MSE │ se of MSE │ p of MSE │ NLL (nats) │ se of NLL (nats) │ p of NLL
//	────────┼───────────────┼────────┼───────────┼──────────┼────────────┼──────────────────┼──────────
//	 GP     │ log(ESS/RESS) │ 0.3006 │           │          │          0 │                  │
//	 GP-D   │ log(ESS/RESS) │  0.295 │     0.012 │     0.69 │      -0.11 │             0.15 │     0.54
//	 GP-ESS │ log(ESS/RESS) │   1.37 │      0.34 │    0.089 │       0.25 │             0.62 │     0.73
//	 GP-G   │ log(ESS/RESS) │   0.57 │      0.27 │     0.42 │       0.13 │             0.13 │     0.42
//	 GP-GR  │ log(ESS/RESS) │    2.5 │       1.7 │     0.33 │         23 │               24 │     0.44
//	 iid    │ log(ESS/RESS) │   1.65 │      0.62 │     0.16 │       -0.0 │              1.2 │        1
//	 linear │ log(ESS/RESS) │  0.318 │     0.043 │     0.72 │       0.15 │             0.34 │      0.7
//
// Here R-hat is the most informative feature, and D is not informative. A process may be
// overconfident on targets unlike the training targets, which NLL shows and MSE does not.
//
// Sources: Turner and Neal 2017, section 4.6 and Table 2; Rasmussen and Williams 2006, chapters 2
// and 5.
package diagnose
