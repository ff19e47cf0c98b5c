// Package models answers: which model, with which data? It has the clusterings and binary attributes whose marginal likelihoods are
// estimated, the hidden Markov model and the points on which particle filters are studied, and reads others from files. It never
// runs an algorithm.
//
// A Model has discrete latent variables, which are the axes of a lattice, and normal parameters, which are integrated out in closed form.
// Its log likelihood may have a power b, to which each datum's density is raised before that, so that models have a path from
// the prior (b = 0) to the joint law (b = 1) beside the geometric one. Log likelihoods are in nats, and right to a few units
// in the last place of their largest term, for signal and noise of any variances. The conditional law of one latent variable given the
// others is computed from predictive densities, apart from the joint law, to which package modeltest holds it.
package models
