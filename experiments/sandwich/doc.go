// Package sandwich answers: what is the marginal likelihood of data that were drawn from a model, and how wrong are estimators of it, at
// sizes at which nothing can be enumerated? It never prints, draws or reads flags.
//
// Data that are simulated come with an exact draw from their posterior: the parameters and latent variables that made them. Annealed
// importance sampling and one-particle sequential Monte Carlo run forward from the prior give a log weight that is at most log p(y) on
// average, and run in reverse from the exact draw one that is at least log p(y) on average. Where the two agree to a nat, the mean of both is
// the ground truth against which every other estimator is held.
//
// A data set has one exact draw, which all of its reverse chains start from. Their mean has the error of that one draw, however many
// chains there are, so that in a single data set the upper end may even be below the lower one. Averages over data sets have no such error:
// there the standard error is over data sets.
//
// Data sets and their exact draws can be saved and read again (Save, ReadSaved). Data that were measured (Measured) have no exact draw:
// chains run forward on them, and there is neither an upper end nor a ground truth.
//
// The estimators are those of package chains/estimators, whose exact laws on small models are in package exact/laws. The models are those
// of package toys/latent.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 4 and 6.
//
// # The check of the samplers
//
// Check answers: do the samplers at full size have the exact laws of their algorithms? It runs the models of package
// toys/latent, through the same code as the sandwich, on the data of models that are small enough for a lattice, and holds what they
// estimate to the laws of package exact/laws, in which nothing is sampled. The tests are the e-processes of package
// experiments/evidence. It never prints, draws or reads flags.
//
// A lattice holds a state as a number and draws an axis from a table of all states. A model at full size holds assignments and
// statistics, and draws each variable from formulas. The two share no code of a move, so that their agreement says of both that they
// are right: at any b, forward and in reverse, and along the data.
package sandwich
