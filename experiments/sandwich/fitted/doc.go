// Package fitted answers: does an algorithm that was judged on simulated data behave in the same way on data that somebody has measured? It
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
package fitted
