// Package latent answers: which problems of any size are there, and how are they sampled? It has
// clustering, binary attributes and matrices of low rank, whose states no longer fit a lattice, in
// the form that the estimators of package chains/estimators take. It never estimates anything.
//
// A model has hyperparameters, a table y of N rows and D columns, and room to work in: one
// goroutine uses one model, and Fork returns an equal one for another goroutine. Its states are
// pointers, and moves write to the state that they are given. Moves use the hyperparameters in the
// state; a model with fixed hyperparameters has written its own there.
//
// Parameters that are normal given the latent variables are integrated out if that pays. The power
// b of a place is then the power to which each datum's density is raised before they are integrated
// out (Grosse, Ghahramani and Adams 2015, Eq. 8). Log likelihoods are in nats.
//
// The scan of a model of discrete variables with fixed hyperparameters takes any chains.Chooser, so
// that its exact distribution can be enumerated on small tables. Draws of real numbers need a
// chains.RealChooser.
//
// # Add a model of any size
//
//  1. Write NAME.go, like lowrank.go: a type with data and hyperparameters, which are in
//     chains/estimators/parameters.go if methods that climb take them, a type of its states, an
//     exact simulator, and the methods of estimators.Transitional and estimators.Constrained; a
//     model sampled along its data (Along) has those of estimators.Data.
//  2. Put its form into experiments/marginal/sandwich/datamodels.go, its pace and climber into
//     problem.go there, and its joint test into TestGeweke of lowrank_laws_test.go.
//  3. Test conditionals against the joint density, as in lowrank_test.go, likelihood, steps and
//     reversal by another route, and that a scan allocates nothing. If a tiny case fits a lattice,
//     test the enumerated scan against it and add a line to experiments/marginal/sandwich/check.go.
package latent
