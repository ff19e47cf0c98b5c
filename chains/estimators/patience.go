package estimators

import (
	"fmt"
	"math"
)

// Patience says when an ascent is given up as having come to its end: when its value has risen by less than Gain nats over the last Sweeps
// sweeps. The value of a lower bound is then a lower bound as well. How far it is from the end is not known: an ascent that
// lingers at a saddle is given up there. The zero Patience gives up nothing: the ascent ends with the first sweep that changes nothing by
// more than rounding.
type Patience struct {
	Gain   float64 // nats, above zero
	Sweeps int     // at least 1
}

// PaperPatience returns the patience of the paper: less than 0.01 nats over 50 sweeps.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2.
func PaperPatience() Patience { return Patience{0.01, 50} }

// Validate returns an error where an ascent would never be given up, as with the zero Patience, or at once.
func (p Patience) Validate() error {
	if !(p.Gain > 0 && !math.IsInf(p.Gain, 1)) {
		return fmt.Errorf("an ascent that ends when it has gained less than %v nats; give a number above zero, as 0.01", p.Gain)
	}
	if p.Sweeps < 1 || p.Sweeps > maxSweeps {
		return fmt.Errorf("an ascent that ends when it has gained little over %d sweeps; give a whole number from 1 to %d, as 50", p.Sweeps, maxSweeps)
	}
	return nil
}

// last returns what says of the sweeps of one ascent, by their values in turn, which is the last one.
func (p Patience) last() func(value float64, moved bool) bool {
	if p == (Patience{}) {
		return func(_ float64, moved bool) bool { return !moved }
	}
	past := make([]float64, p.Sweeps) // past[i%len] is the value of sweep i
	n := 0
	return func(value float64, _ bool) bool {
		at := n % p.Sweeps
		over := n >= p.Sweeps && value-past[at] < p.Gain
		past[at] = value
		n++
		return over
	}
}
