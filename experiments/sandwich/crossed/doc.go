// Package crossed answers: do marginal likelihoods tell from which model data come, and by how much? Data are drawn from each of some
// models with known hyperparameters, and all of the models are fitted to all data, with their hyperparameters in the state. It never
// prints, draws or reads flags.
//
// Only annealing from the prior is possible here: a model that did not make the data has no exact draw. A mean of log weights is below
// log p(y) on average, by how much is not known. Where it is largest for the model that made the data, that model is favoured in spite of it.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.3 and Table 1.
package crossed
