package program

import "math"

// Tilted is E[w^s] of the weight w whose logarithm is the total of a process, kept as its logarithm, so that it does not
// overflow. It is zero, with the logarithm -Inf, where w^s is zero, and +Inf where w^s is infinite with a positive
// probability. A weight that has become zero or infinite stays so. The zeroth power of any weight is one.
type Tilted struct {
	power, log float64
}

// NewTilted returns the carrier of E[w^s] for a power s.
func NewTilted(s float64) Tilted { return Tilted{power: s} }

// Log returns log E[w^s; x], of the paths that are carried.
func (m Tilted) Log() float64 { return m.log }

// Along adds log p + s times the increment to the logarithm.
func (m Tilted) Along(p, increment float64) Tilted {
	switch {
	case p == 0:
		m.log = math.Inf(-1)
	case math.IsInf(m.log, 0):
	case m.power == 0:
		m.log += math.Log(p)
	default:
		m.log += math.Log(p) + m.power*increment
	}
	return m
}

// Plus returns the sum.
func (m Tilted) Plus(other Tilted) Tilted {
	low, high := min(m.log, other.log), max(m.log, other.log)
	if math.IsInf(low, -1) || math.IsInf(high, 1) {
		m.log = high
		return m
	}
	m.log = high + math.Log1p(math.Exp(low-high))
	return m
}
