// Package mcmc answers: what does a study of MCMC samplers show? It turns the rows of the studies of samplers (errors, times, laws,
// diagnostics, ranks) into reports. It computes nothing that a study has not.
package mcmc
