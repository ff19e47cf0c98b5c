// Package marginal answers: what does a study of marginal likelihoods show? It turns the rows of the studies of estimators on finite
// spaces (evidence) and on models of any size (sandwich) into reports. It computes nothing that a study has not.
package marginal
