// Package evidence answers: what is the law of an estimate of the marginal likelihood on a finite space? It gives mean and standard
// deviation of log Z-hat, log E Z-hat, how likely a large overestimate is, and what a run costs, by the cheapest exact
// method for each estimator of package chains/evidence. It never samples.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 5, whose estimators these are; the laws are derived here.
package evidence
