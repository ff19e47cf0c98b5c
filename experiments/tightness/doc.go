// Package tightness answers: how tight is the bound? It solves annealings exactly, sets J beside B and beside what is printed, and certifies digits.
// It never prints, draws or reads flags.
package tightness
