// Package toys answers: which problem? It holds the targets of the paper's tightness study, random and user-given ones, on grids and on
// graphs, each with what is known about it and where that stands. It never computes a divergence, and a target is never changed once built.
//
// # The random grids
//
// EASY and HARD are the paper's random grids. It does not print them; with RandomState(0).standard_normal(49) of NumPy every number that it
// prints comes out. The selector random:SIGMA:SEED is that stream for any seed, so that anyone with NumPy can check it:
//
//	python3 -c "import numpy; print(2*numpy.random.RandomState(7).standard_normal(49)[:3])"
//	breadboard toys export random:2:7
//
// The selector smooth:SIGMA:SEED:PASSES is such a grid after so many passes of the filter 1-2-1 along every axis, by which its hills become
// wider; and mixture:W1*TOY+W2*TOY is the mixture of other targets on one space, each normalised before it is weighed:
//
//	breadboard toys show smooth:10:0:2:9x9
//	breadboard toys show mixture:0.3*random:2:0:5x5+0.7*barrier:5x5
//
// A small grid is also written out in a selector, log f cell by cell, with colons between cells and slashes between rows:
//
//	breadboard toys show cells:0:0:-10:2/0:0:-10:2/0:0:-inf:0
//
// # Models of spins
//
// The selectors ising:RxC:J, with a field or on a torus, and potts:Q:RxC:J are the models of Ising 1925 and of Potts 1952 on a
// plane of R times C sites. Their space is a lattice with one axis for each site, so that it has up to 24 dimensions, on which
// the kernel flip changes one site at a time. Log Z is known in closed form for Ising's model on a torus (Kaufman 1949), and by
// transfer matrices for the others; the tests hold g to both.
//
//	breadboard tightness --toy ising:3x3:0.44:torus --kernel flip
//
// # Models that count
//
// The selectors curie-weiss:N:K, potts-complete:Q:N:K, potts-colours:Q:N:K, weight:N:G, coins:N1:N2:BITS:ALPHA and cycles:N:THETA:LAMBDA are models
// in which all axes are alike, on the classes of a quotient (see package quotients): as many classes as there are counts, for 2^1000 states and more.
// G of such a toy is the log mass of whole classes, and Members has their numbers of members; MemberG is g of a member, and Larger the
// toy state by state, where that can be listed.
//
//	breadboard tightness --toy curie-weiss:1000:1 --kernel flip -T 1000
//
// # Models of data
//
// A toy may be a model whose data are given: its states are the values of the latent variables, its target is their joint law with the data,
// and it has a prior, where paths start unless told otherwise. Log Z_T/Z_1 is then the log marginal likelihood of the data. The toys clu6,
// clu8, clu4 and bin4 are built in; model:PATH reads a clustering or a model of binary attributes from a TOML file, with the data in a CSV
// file beside it or below (see package models):
//
//	kind = "clustering"
//	data = "points.csv"      # a row for each datum
//	pi = [0.5, 0.3, 0.2]     # the probabilities of the clusters
//	centre_variance = 4.0
//	noise_variance = 1.0
//
// A Bayesian network with evidence, bif:PATH:evidence=VARIABLE=VALUE or uai:PATH, is a model of its evidence. Its axes are the variables that were
// neither observed nor summed out (:hide=VARIABLE). A Markov network, uai:PATH, has no prior (see package networks).
//
// The toy schools is the posterior of mean and spread of the eight schools (Rubin 1981), with the prior as it stands on the grid.
//
// From the prior of a model there is a path of its own, tempered, on which the likelihood is raised to a power before the centres of the
// clusters, or the features, are integrated out; on the path geometric that is done afterwards:
//
//	breadboard tightness --toy clu8 -T 10 --path tempered --schedule sigmoid:4 --kernel heatbath-scan
//
// # Where a path starts
//
// The initial distribution is uniform; prior, that of a model, and the default for one; tempered:BETA, the target to the power BETA;
// smoothed:PASSES, the target after that many passes of the filter 1-2-1 along each axis; or file:PATH, log f from a file like a target's.
package toys
