package program

import "math"

// Finite carries what another carrier does along the paths with a finite total only.
type Finite[C Carrier[C]] struct{ Of C }

// Along leaves a path out where the increment is infinite.
func (f Finite[C]) Along(p, increment float64) Finite[C] {
	if math.IsInf(increment, 0) {
		p, increment = 0, 0
	}
	return Finite[C]{f.Of.Along(p, increment)}
}

// Plus returns the sum.
func (f Finite[C]) Plus(other Finite[C]) Finite[C] { return Finite[C]{f.Of.Plus(other.Of)} }
