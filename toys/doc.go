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
// # Where a path starts
//
// The initial distribution is uniform; tempered:BETA, the target to the power BETA; smoothed:PASSES, the target after that
// many passes of the filter 1-2-1 along each axis; or file:PATH, log f from a file like a target's.
package toys
