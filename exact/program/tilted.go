package program

import "math"

// Tilted is E[w^s] of the weight w whose logarithm is the total of a process, kept as its logarithm, so that it does not
// overflow. It is zero, with the logarithm -Inf, where w^s is zero, and +Inf where w^s is infinite with a positive
// probability. A weight that has become zero or infinite stays so. The zeroth power of any weight is one. The logarithm is
// kept to some 32 digits, so that increments of 10^12 cost it nothing that it does not have to be rounded to in the end.
type Tilted struct {
	power float64
	log   long
}

// NewTilted returns the carrier of E[w^s] for a power s.
func NewTilted(s float64) Tilted { return Tilted{power: s} }

// Log returns log E[w^s; x], of the paths that are carried.
func (m Tilted) Log() float64 { return m.log.high }

// Along adds log p + s times the increment to the logarithm.
func (m Tilted) Along(p, increment float64) Tilted {
	switch {
	case p == 0:
		m.log = long{high: math.Inf(-1)}
	case math.IsInf(m.log.high, 0):
	case m.power == 0:
		m.log = m.log.plus(math.Log(p))
	default:
		m.log = m.log.plus(math.Log(p)).plusProduct(m.power, increment)
	}
	return m
}

// Plus returns the sum.
func (m Tilted) Plus(other Tilted) Tilted {
	low, high := m.log, other.log
	if low.high > high.high {
		low, high = high, low
	}
	m.log = high
	if !math.IsInf(low.high, -1) && !math.IsInf(high.high, 1) {
		m.log = high.plus(math.Log1p(math.Exp(low.minus(high))))
	}
	return m
}
