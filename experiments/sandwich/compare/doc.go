// Package compare answers: how wrong is each estimator of the marginal likelihood of data of any size, and how long does it take? It never
// prints, draws or reads flags. A comparison of estimators is a sweep of the study of package sandwich, whose results it sums up.
//
// Each estimator has one knob, which goes up a ladder as far as the budget of the estimator on a data set allows, with some independent
// trials at each step. The ground truth is the middle of annealing forward and in reverse with the largest T of both. The trials that it
// comes from have no error against it.
//
// The budget is in seconds of the machine on which the README's times were measured, by an estimate, so that the same question always has the same
// trials. What trials took on the clock is measured.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 6.2 to 6.4.
//
// # Models fitted to the data of each other
//
// Crossed answers: do marginal likelihoods tell from which model data come, and by how much? Data are drawn from each of some
// models with known hyperparameters, and all of the models are fitted to all data, with their hyperparameters in the state. It never
// prints, draws or reads flags.
//
// Only annealing from the prior is possible here: a model that did not make the data has no exact draw. The mean log weight and the
// logarithm of the mean weight are below log p(y) on average, by how much is not known. Where they are largest for the model that made
// the data, that model is favoured in spite of it.
//
// The logarithm of the mean weight is what models are compared by, as it is in the paper (footnote 5). The mean log weight of low rank
// models has no finite expectation here: variances with the inverse gamma prior of shape one have no mean, and therefore the log likelihood
// at a draw from the prior has none either. A chain that starts at a huge variance loses thousands of nats in its first steps, which spoils
// the mean of all chains and leaves the mean of their weights as it is.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.3 and Table 1.
//
// # Data that somebody has measured
//
// FitStudy answers: does an algorithm that was judged on simulated data behave in the same way on data that somebody has measured? It
// never reads files, prints or draws.
//
// The marginal likelihood of measured data has no upper end, since nobody has an exact draw from their posterior. So data are simulated that
// resemble them: the hyperparameters are inferred from the measured data, and parameters and data of the same size are drawn with these.
// Annealing forward is run on both, and should behave alike. In reverse it is run on the simulated data alone, from the hyperparameters
// and parameters that these were drawn with, after S moves that leave the posterior of both invariant. That start is no exact draw, since the
// hyperparameters are not drawn from their prior; reverse chains that do not depend on S say that this matters little.
//
// All estimates are in nats.
//
// Source: Grosse, Ancha and Roy 2016, sections 3.2, 5.1.1 and 5.1.2, and Appendices C and D.
//
// # Representations
//
// Representations answers: in which representation of a model is annealing best at sizes at which nothing can be enumerated, by
// the number of steps and by the time on the clock? It never prints, draws or reads flags.
//
// The representations of a model differ in the variables that are integrated out. They have the same data, the same p(y) and the same exact
// draw from the posterior, so that their bounds B = upper - lower can be compared with one another. As p(y) is the same, no lower end may be
// above any upper end by more than chance, which is tested.
//
// Package represent does the same exactly, for models whose states can be enumerated.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1 and figure 2.
package compare
