// Package averages answers: how far are the averages over N samples of a Markov chain from what they estimate? It gives the exact bias and
// mean squared error of the chain's mean, variance and empirical distribution at any N, the exact laws of its mean and of what
// diagnostics make of it, and how many moves it takes to forget where it began. It draws nothing at random, and it judges no kernel:
// that a kernel leaves its target invariant is package kernel's question, which New asks first.
//
// # Conventions
//
// The samples are x_1, ..., x_N. The law of x_1 is the start, and it counts as a sample; every further one is a move away. Functions
// are standardised by the mean and the variance of the target (see Standardise), so that all errors are in units of its standard
// deviation. The real effective sample size (RESS) of an estimate is R over its mean squared error, with R the mean squared error that
// one independent draw would have by the law of N of them: N independent draws have RESS = N at every N.
//
// # Laws
//
// SumLaw is the exact law of the sum of an integer function, hence of the chain's mean. From it follow the coverage of intervals, the
// probability that several chains succeed (SumLaw.Success), the law of their RESS (SumLaw.RESS), and for functions that are zero or one
// that of their R-hat (SumLaw.RHat). Chain.KS goes by the law of how many samples are at each level. Probabilities are sums of positive
// terms, so that the smallest ones are as accurate, relative to their size, as the largest. Two sides of a comparison that agree to 1e-12 count as equal.
//
// Source: Turner and Neal 2017, section 4.6, Eqs. 1 to 6.
package averages
