// Package eprocess answers: how strongly do counts and sums speak against a law? It computes e-values, whose expectation is
// one if the draws have the law and at most one where the law is known within bounds, and says how large a deviation a
// test would have found. It never draws, never decides, and never compares with a tolerance.
//
// It also tests what is claimed of estimates of a normalising constant Z that somebody else's program has made: that they are
// unbiased, or that a bound on log Z holds. Claims are about means of Zhat, 1/Zhat or log Zhat, by bets (NewUnbiased and others), or
// about how often log Zhat, or its z score, lies in intervals, by counts (Events): within a distance of log Z, with standard errors
// that are calibrated, or with a law of which probabilities are known (NewWithin, NewCalibrated, NewLaw). It never asks which algorithm
// made the estimates, and never estimates Z itself. What a claim alone cannot decide it says: without a largest value of the estimates
// no test can find that their mean is too low.
//
// An e-process is a running e-value that has expectation at most one at every stopping time, if the draws have the law that
// is tested. So by Ville's inequality it ever reaches 1/a with probability at most a, however often one looks. The functions
// here compute its logarithm, in nats, from totals over the draws. The average of several e-values on the same draws is an
// e-value again (number.LogMean), which needs log m nats more where one of m speaks alone.
//
// Sources: Ville 1939; Good 1965 (mixtures of Dirichlet laws); Ramdas, Grünwald, Vovk and Shafer 2023, section 6.
package eprocess
