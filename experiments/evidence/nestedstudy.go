package evidence

import (
	"breadboard/experiments"
)

// NestedRow is what nested sampling is on average on one target, in nats.
type NestedRow struct {
	experiments.Case
	Particles, Moves int    // K, and the number of moves of a copied particle, where it is drawn by moves
	Ties, Volume     string // as in selectors
	Bias             float64
}

// nestedJobs returns the jobs of the figure of nested sampling.
func nestedJobs(*target) []job { return nil }

// nested reports whether a choice is nested sampling.
func (c Choice) nested() bool { return false }
