// Package tuning answers: which schedule is best, and what is lost by another? It finds the best schedules of annealings by exact gradients
// and sets families of schedules beside them. It never prints, draws or reads flags.
package tuning
