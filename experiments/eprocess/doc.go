// Package eprocess answers: how strongly do counts and sums speak against a law? It computes e-values, whose expectation is
// one if the draws have the law and at most one where the law is known within bounds, and says how large a deviation a
// test would have found. It never draws random numbers, and never decides whether a test has failed, nor compares with a tolerance.
//
// It also tests what is claimed of estimates of a normalising constant Z that somebody else's program has made: that they are
// unbiased, or that a bound on log Z holds. Claims are about means of Zhat, 1/Zhat or log Zhat, by bets (NewUnbiased and others), or
// about how often log Zhat, or its z score, lies in intervals, by counts (Events):
//
//   - NewWithin: within some nats of log Z with a probability;
//   - NewCalibrated: z scores are standard normal;
//   - NewLaw: intervals with known probabilities.
//
// It never asks which algorithm made the estimates, and never estimates Z itself. Where a claim alone cannot be tested it says so: for
// example, without an upper limit on the estimates no test can find that their mean is too low.
//
// An e-process is a running e-value that has expectation at most one at every stopping time, if the draws have the law that
// is tested. So by Ville's inequality the probability that it ever reaches 1/a is at most a, no matter how often it is checked. The
// functions here compute its logarithm, in nats, from totals over the draws. The average of several e-values on the same draws is an
// e-value again (number.LogMean); if only one of the m is large, the average costs log m nats.
//
// Sources: Ville 1939; Good 1965 (mixtures of Dirichlet laws); Ramdas, Grünwald, Vovk and Shafer 2023, section 6.
package eprocess
