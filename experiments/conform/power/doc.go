// Package power answers: how large a deviation of the log weights would the tests of chains have found? It computes the
// probability that a test finds a deviation from the exact law of the log weight, and never simulates. For the power of tests
// of counts see eprocess.Detectable.
//
// Among all laws of log w with a given mean, the one that is nearest to the exact law p, in Kullback-Leibler divergence, is an
// exponential tilt p_theta(l) = p(l) exp(theta l - K(theta)), with K(theta) = log E[w^theta]. So the power along the tilts is
// that against the deviations of the mean that are the hardest to see.
package power
