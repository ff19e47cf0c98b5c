// Package meta answers: what do the diagnostics of a chain, taken together, say of how far its mean is off? It learns that from the chains
// of some targets, and scores what it foretells on the chains of others. It never prints, draws or reads flags.
//
// # What is foretold, from what
//
// The label exact is log(ESS/RESS), of the ESS that the exact expectations give and the exact RESS of the mean. The label essd is the ESS
// deviation of K simulated chains (Eq. 8), as in the paper. The features are log ESS, log |GR - 1| with R-hat of whole chains, log |G|
// with Geweke's score, and the number of coordinates D. By the expectations, G is the root mean square of Geweke's difference over the
// standard error that ESS gives to the two windows; of simulated chains it is the median |z|. A point whose label or a feature is
// infinite or NaN is left out and counted, and so is one whose R-hat is one but for rounding: a number in its place would be one that
// nobody has measured.
//
// # Methods
//
// GP is a regression by a Gaussian process with a squared exponential covariance that has a length for each feature (ARD), and noise; its
// hyperparameters maximise the evidence. GP-ESS is the same without the feature ESS, and so on. linear is least squares with a constant,
// and iid a normal distribution that sees no features. Features and labels are standardised on the targets to learn from.
//
// A fifth of the targets is held out, again and again: never a part of a target's chains, whose errors are alike. The mean squared error
// and the mean negative log density (NLL) are of what is held out. NLL relative to GP does not depend on the unit of the label. Standard
// errors and paired t-tests are of the difference from GP over the splits. These share targets, so that p-values are too small rather
// than too large.
//
//	$ breadboard samplers meta --corpus small -N 100 --repeats 3
//	 method │ label         │    MSE │ +/- of MSE │ p of MSE │ NLL (nats) │ +/- of NLL (nats) │ p of NLL
//	────────┼───────────────┼────────┼────────────┼──────────┼────────────┼───────────────────┼──────────
//	 GP     │ log(ESS/RESS) │ 0.3006 │            │          │          0 │                   │
//	 GP-D   │ log(ESS/RESS) │ 0.2952 │      0.012 │     0.69 │    -0.1106 │              0.15 │     0.54
//	 GP-ESS │ log(ESS/RESS) │   1.37 │       0.34 │    0.089 │     0.2501 │              0.62 │     0.73
//	 GP-G   │ log(ESS/RESS) │  0.573 │       0.27 │     0.42 │      0.133 │              0.13 │     0.42
//	 GP-GR  │ log(ESS/RESS) │  2.488 │        1.7 │     0.33 │      22.58 │                24 │     0.44
//	 iid    │ log(ESS/RESS) │  1.647 │       0.62 │     0.16 │   -0.00777 │               1.2 │        1
//	 linear │ log(ESS/RESS) │ 0.3185 │      0.043 │     0.72 │     0.1486 │              0.34 │      0.7
//
// Here R-hat says the most, and D nothing. A process may be too sure of itself on targets that are unlike those that it has learned from,
// which NLL shows and MSE does not.
//
// Sources: Turner and Neal 2017, section 4.6 and Table 2; Rasmussen and Williams 2006, chapters 2 and 5.
package meta
