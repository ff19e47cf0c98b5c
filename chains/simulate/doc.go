// Package simulate answers: what do chains of annealed importance sampling do when they are drawn? It has annealing as one
// chains.Process, which Run draws chain by chain, and two fast routes with the same laws: Rows, which draws all chains of a
// stage from one table, and Counts, which moves numbers of chains. It computes nothing exactly, and draws from nothing but
// the source it is given.
package simulate
