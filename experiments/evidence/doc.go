// Package evidence answers: which way is an estimator of the marginal likelihood wrong on a target, by how much, how often, and what
// does it cost? It gives every estimator the largest setting that a given work pays for, and finds the exact law of what it returns.
// It never prints, draws or reads flags.
package evidence

// paper is the source of the estimators.
const paper = "Grosse, Ghahramani and Adams 2015"
