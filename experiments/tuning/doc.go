// Package tuning answers: which schedule is best, and how much worse are others? It finds the best schedules of
// annealings by exact gradients and compares families of schedules with them. It never prints, draws or reads flags.
package tuning
