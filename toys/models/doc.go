// Package models answers: on which data are particle filters compared? It has a hidden Markov model and points for a mixture, and
// reads those of one's own from files. Nothing that is read is rescaled or left out. It never computes a law.
package models
