package sweep

import (
	"math"

	"breadboard/exact/internal/number"
)

// Density returns p_t or p_{t-1} of the stage.
func (s *Stage) Density(t int) *Density {
	if t == s.t {
		return &s.Here
	}
	return &s.Before
}

// Masses returns q under the reference p.
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
	Log  []float64 // -Inf where zero
	P    []float64 // exp(log), possibly underflowed
	LogZ float64
}

func (d *Density) On(x int) bool { return !math.IsInf(d.Log[x], -1) }
