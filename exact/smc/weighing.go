package smc

import (
	"math"

	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// weighing holds what a stage multiplies weights by at each state, over Z_t/Z_{t-1}: w = p_t/p_{t-1}, zero where either is
// zero, and w - 1 to full relative accuracy.
type weighing struct{ w, rise []float64 }

// load takes over the weights of a stage.
func (v *weighing) load(s *stage.Stage) {
	n := len(s.Lambda)
	if v.w == nil {
		v.w, v.rise = make([]float64, n), make([]float64, n)
	}
	for x, l := range s.Lambda {
		v.w[x], v.rise[x] = 0, -1
		if s.Both(x) {
			v.w[x], v.rise[x] = math.Exp(-l), math.Expm1(-l)
		}
	}
}

// logMean returns the logarithm of a mean weight, given the mean of w and that of w - 1, with all digits where it is near
// zero.
func logMean(mean, rise float64) float64 {
	if math.Abs(rise) < 0.5 {
		return math.Log1p(rise)
	}
	return math.Log(mean)
}

// The columns of a tilted law of particles.
const (
	run        = iota // their probability
	meta              // E[Zhat/Z; particles], their probability in meta-inference for an output from the target
	derivative        // E[Zhat/Z log(Zhat/Z); particles]
	square            // E[(Zhat/Z)^2; particles]; not always there
	maxColumns
)

// account adds up what a stage adds to the law.
type account struct {
	mean    number.BlockSum // of the logarithm of the mean weight
	extinct number.BlockSum // of the probability that all weights are zero
	power   *complex128     // where it is set, the columns are those of tiltPower, and nothing is added up
}

// tilt multiplies the columns of one configuration of particles by what the mean weight of the stage makes of them. It
// returns false where all weights are zero.
func (c *account) tilt(v *[maxColumns]float64, mean, rise float64) bool {
	if mean == 0 {
		c.extinct.Add(v[run])
		return false
	}
	log := logMean(mean, rise)
	if c.power != nil {
		tiltPower(v, *c.power, log)
		return true
	}
	c.mean.Add(v[run] * log)
	v[derivative] = mean * (v[derivative] + log*v[meta])
	v[meta] *= mean
	v[square] *= mean * mean
	return true
}

// engine is the law of all particles between two stages, in columns.
type engine interface {
	method() Method
	// begin makes all particles independent draws from p. The columns are the first so many.
	begin(p []float64, columns int)
	// resample weighs the particles and resamples them.
	resample(w *weighing, c *account)
	// move moves all particles. The function share calls do for each number from 0 to one less than parts, in any order.
	move(t *transition, share func(parts int, do func(int)))
	// outputs writes the law of a particle that is chosen evenly, for each column.
	outputs() [][]float64
}
