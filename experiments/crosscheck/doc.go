// Package crosscheck answers: does an implementation of annealed importance sampling agree with the exact answer? It runs a
// battery of sequential tests whose probability of a false alarm, over all of them and at whatever time one stops, is at
// most a given alpha. It never compares with a tolerance.
//
// Three implementations are tested: chains that are moved by the kernel's Move, chains that are drawn from alias tables of the
// kernel's rows, and occupation counts (see package simulate). The tests are of the rows of the kernel, of both ends of the
// chains, of log weights alone and given either end, of the independence of chains at several distances, of calls and of the
// two directions, and of the law of counts. On annealings of three distributions, which are run in many small calls, the whole
// joint law of both ends and the log weight is known path by path.
//
// Systems of particles, conditional ones and AIDE are tested too. On every annealing the runs of a system are tied to its
// conditional runs from exact draws of the target, by an identity that needs no other law than Z and holds for any number of
// particles. On one small case, which is part of every run, what can come of two and three particles is enumerated for every
// scheme of resampling, and so is what AIDE averages.
//
// Coupled chains are tested on two small cases, which are part of every run too: where a pair of states goes in one move, and when
// chains meet, for every coupling, against the exact laws of package exact/meeting.
//
// Chains that come from elsewhere, from a file say, are counted in a Tally, and in a PairTally where there are both directions.
// Any of x_1, x_T and log w may be missing: the tests that the rest allows are those of a simulation's chains, and what cannot
// be tested is said.
//
// # What the battery is worth
//
// RunMutants runs the battery on planted bugs in kernels, chains, random streams, tables and counts, and on harmless
// variants. It catches 48 of 49. Mutants are given more draws than the real code, and for five of the 49 the draws of a run on
// the real code are not enough; each row says which. The one that is missed is an acceptance probability in 32 bits: by its
// Kullback-Leibler divergence a test of single moves is expected to need more than 10^8 of them (Wald 1945).
package crosscheck
