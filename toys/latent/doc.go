// Package latent answers: which problems of any size are there, and how are they sampled? It has clustering, binary attributes and matrices
// of low rank, whose states no longer fit a lattice, in the form that the estimators of package chains/estimators take. It never estimates
// anything.
//
// A model is its hyperparameters, a table y of N rows and D columns, and room to work in: one goroutine uses one model, and Fork returns
// an equal one for another goroutine. Its states are pointers, and moves write to the state that they are given. The hyperparameters that
// apply are those in the state, where a model with fixed ones has written them.
//
// Parameters that are normal given the latent variables are integrated out where that pays. The power b of a place is then the power to
// which each datum's density is raised before that (Grosse, Ghahramani and Adams 2015, Eq. 8). Log likelihoods are in nats.
//
// The scan of a model of discrete variables with fixed hyperparameters takes any chains.Chooser, so that its exact law can be enumerated on
// small tables. What draws real numbers takes a chains.RealChooser.
package latent
