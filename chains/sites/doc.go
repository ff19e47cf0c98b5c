// Package sites moves many chains on a product of factors whose states are too many to be listed. A
// move changes one variable at a time, and costs the factors of that variable. It anneals chains
// along the geometric path from the uniform distribution, or from a product of factors such as the
// prior of a Bayesian network, in both directions.
//
// It draws from an end of the path only if that is uniform. Packages kernels and simulate have the
// kernels on listed states.
package sites
