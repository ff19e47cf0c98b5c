// Package tightness answers: how tight is the bound? It solves annealings exactly, sets J beside B and beside what is
// printed, and certifies digits. It never prints, draws or reads flags.
//
// Certify computes J, B and both divergences again in 256 bits with a derived error bound, and in 320 bits, which
// must overlap (package certified). Every number of the paper's study has at least 13 right digits.
package tightness
