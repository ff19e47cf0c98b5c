// Package models answers: which model, with which data? It has the hidden Markov model and the points on which particle
// filters are studied, and reads others from files. It never runs an algorithm.
package models
