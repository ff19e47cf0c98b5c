// Package quotients answers: which classes of states may stand for a space that is too large to be listed, and how does a
// state move between them? Where a target and a kernel treat all states of a class alike, the classes are again a Markov
// chain, and what is exact on them is exact on the space: 2^1000 states of spins that only count are 1,001 classes. It holds
// the quotients that have a formula: spins by their counts, values by how often each occurs, permutations by their
// cycles; and those that are found on the states themselves, by refinement or as orbits of symmetries. It never knows a target, and never accepts or refuses a proposal.
//
// Source: Kemeny and Snell 1960, section 6.3 (lumpability).
package quotients
