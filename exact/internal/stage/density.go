package stage

import (
	"math"

	"breadboard/chains/number"
)

// Density returns the distribution at t, which is the stage that is loaded or the one before it.
func (s *Stage) Density(t int) *Density {
	if t == s.t {
		return &s.Here
	}
	return &s.Before
}

// Masses returns the probabilities of q, given the reference p.
func (r *Ratios) Masses(p *Density) []float64 {
	q := make([]float64, len(r.H))
	for x := range q {
		q[x] = r.Mass(x, p).Float()
	}
	return q
}

// Masses returns the probabilities of a density.
func (d *Density) Masses() []number.Wide {
	q := make([]number.Wide, len(d.Log))
	for x, v := range d.Log {
		q[x] = number.WideExp(v)
	}
	return q
}

// Density is a distribution over the states.
type Density struct {
	Log  []float64 // the logarithm of each probability, -Inf where it is zero
	P    []float64 // the probabilities, zero also where they underflow
	LogZ float64   // log of the sum of f
}

// On reports whether the probability of state x is positive, also where it underflows.
func (d *Density) On(x int) bool { return !math.IsInf(d.Log[x], -1) }
