// Package tightness answers: how tight is the bound? It solves annealings exactly, compares J with B and both with printed
// numbers, and certifies digits.
// It never prints, draws or reads flags.
package tightness
