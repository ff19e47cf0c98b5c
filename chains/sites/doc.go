// Package sites answers: how do many chains move on a product of factors whose states are too many to be listed? A move changes one variable at a time, and
// costs the factors of that variable. It anneals chains along the geometric path from the uniform distribution, or from a product of factors as the prior of a
// Bayesian network is, in both directions.
//
// It never lists states, never draws from an end of the path itself but if that is uniform, and
// knows neither files nor names of variables. What moves on states that are listed is in packages
// kernels and simulate.
package sites
