// Package laws answers: what is the distribution of an estimate of the marginal likelihood on a
// finite space? It gives mean and standard deviation of log Z-hat, log E Z-hat, how likely a large
// overestimate is, and what a run costs, by the cheapest exact method for each estimator of package
// chains/estimators. It never samples.
//
// # The laws
//
// A Target holds what the estimators of an annealing have in common. A Law is made from it, or from
// the data or the ascents, and then answers any number of questions. With n states, e entries of
// the kernel's rows (an operator of the library takes fewer), K draws or places, T distributions, M
// moves, and some hundred points t of a transform, which are more if log L spans more nats:
//
//	NewWeighting, NewHarmonic, NewChib           the transform E exp(-tS) of one term of the sum S, to the power K: O(n) for each t
//	NewHarmonicChain, NewChibChain, NewCMS       the transform of the whole sum, back along the chain: O(K e) for each t
//	NewAnnealing                                 two sweeps of the log weight over the stages: O(T e)
//	NewSequential                                columns of sums over paths, axis by axis over the growing spaces: O(n axes) for a scan
//	NewNestedExact                               the transform of Z-hat from the highest level down: O(points deaths) for a level
//	NewNestedMoves                               the same for all pairs of particles, of which there are two: see there
//	NewStarts                                    every start is climbed from once, and the best of several follows by order statistics
//
// NewNestedLaw chooses between those of nested sampling. The times are those of the moments of one
// run; several runs and Above take more, as each distribution says.
//
// # What is promised
//
// Moments are in nats, and exact but for rounding. What has lost digits to rounding is said in a
// note; what cannot be computed is NaN, with a note that says why. Above gives a bracket that holds
// the probability for certain, but for rounding: where the distribution is known only at finitely
// many points, or its terms are rounded to a lattice, the bracket is as wide as what that leaves
// open.
//
// A constant in log f costs no digits: a Target is centred, and what centring takes out is in
// Target.Offset. Distributions of nested sampling count likelihoods within 1e-12 of one another,
// relatively, as equal, and leave out numbers of deaths below 2^-70 of the likeliest, as the
// estimators do.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 5, whose estimators these are; the
// distributions are derived here.
package laws
