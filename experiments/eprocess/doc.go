// Package eprocess answers: how strongly do counts and sums speak against a law? It computes e-values, whose expectation is
// one if the draws have the law and at most one where the law is known within bounds, and says how large a deviation a
// test would have found. It never draws, never decides, and never compares with a tolerance.
//
// An e-process is a running e-value that has expectation at most one at every stopping time, if the draws have the law that
// is tested. So by Ville's inequality it ever reaches 1/a with probability at most a, however often one looks. The functions
// here compute its logarithm, in nats, from totals over the draws. The average of several e-values on the same draws is an
// e-value again (see LogMean), which needs log m nats more where one of m speaks alone.
//
// Sources: Ville 1939; Good 1965 (mixtures of Dirichlet laws); Ramdas, Grünwald, Vovk and Shafer 2023, section 6.
package eprocess
