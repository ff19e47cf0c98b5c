// Package laws computes the exact distribution of estimates of the marginal likelihood on a finite
// space. It gives mean and standard deviation of log Z-hat, log E Z-hat, the probability of a large
// overestimate, and the cost of a run, by the cheapest exact method for each estimator of package
// chains/estimators.
//
// # The distributions
//
// A Target holds the data that the estimators of an annealing share. A Law is made from it, or from
// the data or the ascents, and then answers any number of questions. With n states, e entries of
// the kernel's rows (an operator of the library takes fewer), K draws or places, T distributions, M
// moves, and some hundred points t of a transform, which are more if log L spans more nats:
//
//	NewWeighting, NewHarmonic, NewChib           the transform E exp(-tS) of one term of the sum S, to the power K: O(n) for each t
//	NewHarmonicChain, NewChibChain, NewCMS       the transform of the whole sum, back along the chain: O(K e) for each t
//	NewAnnealing                                 two sweeps of the log weight over the stages: O(T e)
//	NewSequential                                columns of sums over paths, axis by axis over the growing spaces: O(n axes) for a scan
//	NewNestedLaw                                 the transform of Z-hat from the highest level down: O(points deaths) for a level
//	NewNestedMoves                               the same for all pairs of particles, of which there are two: see there
//	NewStarts                                    every start is climbed from once, and the best of several follows by order statistics
//
// NewNestedLaw chooses between those of nested sampling. The times are those of the moments of one
// run; several runs and Above take more, as documented for each distribution.
//
// # What is promised
//
// Moments are in nats, and exact up to rounding. Notes report loss of digits; numbers that cannot
// be computed are NaN, with a note that gives the reason. Above gives a bracket that is certain to
// hold the probability, up to rounding. The bracket is wide if the distribution is known only at
// finitely many points, or if its terms are rounded to a lattice.
//
// A constant in log f costs no digits: a Target is centred, and the constant is in Target.Offset.
// Distributions of nested sampling count likelihoods within 1e-12 of one another, relatively, as
// equal, and leave out numbers of deaths below 2^-70 of the likeliest, as the estimators do.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 5, whose estimators these are; the
// distributions are derived here.
package laws
