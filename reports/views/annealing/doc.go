// Package annealing answers: what does a study of annealing show? It turns the rows of studies of J and B, of gaps, log weights,
// schedules, particles and simulated annealing into reports: tables, notes and figures. It computes nothing that a study has not.
package annealing
