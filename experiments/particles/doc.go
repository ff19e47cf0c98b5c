// Package particles answers: what do more particles gain? For sequential Monte Carlo on an annealing it gives, exactly where
// that can be done, how far the output is from the target, what the estimate of log Z is on average, and the relative
// variance of the estimate of Z, for each number of particles and each way to resample; and estimates by simulation beside
// them. It never prints, draws or reads flags.
//
// With one particle it is annealed importance sampling, and B is that of package tightness.
package particles
