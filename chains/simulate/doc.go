// Package simulate answers: what do chains of annealed importance sampling do when they are drawn? It has annealing
// as one chains.Process, which Run draws chain by chain, and two fast routes with the same laws: Rows, which draws
// all chains of a stage from one table, and Counts, which moves numbers of chains. Walk runs chains whose kernel stays the same.
// It computes nothing exactly, and draws from nothing but the source it is given.
//
// Chains run at 1.1e9 steps a second and core through Rows (7x7, T = 1000, 25,000 chains a block), and at 1.2 to 3.5e7 through Move, on a
// busy AMD EPYC (Zen 5). Random numbers derive from a seed and from all that tells two annealings apart, in canonical form (.5 is 0.5, and
// a file counts by its numbers and not by its name), so that the same seed gives the same numbers for any number of workers.
package simulate
