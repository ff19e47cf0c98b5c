// Package targets answers: how does a target look? It lists targets, draws a distribution on one in text and in figures, and writes its
// arrays. It computes no distribution.
package targets
