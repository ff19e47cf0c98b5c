// Package filters answers: does somebody else's sequential Monte Carlo do what the task says, and if it does not, what does it do
// instead? On a small target two or three particles have a law that is known exactly: of log Zhat, the parents of all slots,
// the last states and the output, in runs and in conditional runs. Runs that were made elsewhere are tested against it by
// e-processes: over all tests, and at whatever time one looks, a false alarm has at most a probability of alpha. So are the
// laws of all known ways to get it wrong (package planted), each of which is the law of the same program with the bug in it.
//
// It never computes a law for more particles than can be enumerated, and never says that an implementation is right. Runs
// are taken to be independent of each other, which is not tested.
package filters
