// Package toys answers: which problem? It holds the targets of the paper's tightness study, random and user-given ones, on
// grids and on graphs, each with what is known about it and where that stands. It never computes a divergence, and a target
// is never changed once built.
//
// # The random grids
//
// EASY and HARD are the paper's random grids. It does not print them; with RandomState(0).standard_normal(49) of NumPy every
// number that it prints comes out. The selector random:SIGMA:SEED is that stream for any seed, so that anyone with NumPy
// can check it:
//
//	python3 -c "import numpy; print(2*numpy.random.RandomState(7).standard_normal(49)[:3])"
//	breadboard toys export random:2:7
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
// # Where a path starts
//
// The initial distribution is uniform; tempered:BETA, the target to the power BETA; smoothed:PASSES, the target after that
// many passes of the filter 1-2-1 along each axis; or file:PATH, log f from a file like a target's.
package toys
