// Package crossed answers: do marginal likelihoods tell from which model data come, and by how much? Data are drawn from each of some
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
package crossed
