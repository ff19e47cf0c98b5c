// Package estimates answers: is an estimator of a normalising constant Z unbiased, and does a bound on log Z hold? It
// compares estimates that somebody else's program has made with the exact Z, by e-processes, which may be looked at after
// every estimate: where the claim is true the log e-value ever reaches log(1/a) with probability at most a (Ville 1939).
//
// Claims are about means of Zhat, 1/Zhat or log Zhat, by bets (NewUnbiased and others), or about how often log Zhat, or its z score,
// lies in intervals, by counts (Events): within a distance of log Z, with standard errors that are calibrated, or with a law of which
// probabilities are known (NewWithin, NewCalibrated, NewLaw).
//
// It never asks which algorithm made the estimates, and never estimates Z itself. What the claim alone cannot decide is
// said, not guessed: without a largest value of the estimates no test can find that their mean is too low.
package estimates
