package laws

import "math"

const (
	// mostBuckets and fewestBits bound the number of thresholds that are kept together.
	mostBuckets = 1 << 17
	fewestBits  = 4
	// farThreshold is the threshold from which on thresholds are not followed.
	farThreshold = 0x1p1000
)

// rounding says how thresholds are rounded: up for a lower bound on the probability of being above them, where the direction is 1,
// and down for an upper bound, where it is -1. Thresholds are relative to the first one, and levels are given by their logarithms.
type rounding struct {
	direction float64
	logTop    float64 // the highest level, which no estimate is above
	top       float64 // that level, rounded outward
	bits      uint
	size      int // the number of buckets
}

// newRounding returns how to round, with so many thresholds kept together.
func newRounding(direction, logTop float64, buckets int) *rounding {
	octaves := 4 + int(min(logTop/math.Ln2, 1000))
	r := &rounding{direction: direction, logTop: logTop, bits: fewestBits}
	for octaves<<(r.bits+1) <= min(mostBuckets, buckets) {
		r.bits++
	}
	r.size = octaves << r.bits
	r.top = math.Exp(logTop) * (1 + r.error(logTop))
	return r
}

// error returns the relative error of the exponential of a level and of what follows, in the direction of the rounding.
func (r *rounding) error(logLevel float64) float64 {
	return r.direction * (8 + min(math.Abs(logLevel), 1000)) * 0x1p-52
}

// limit returns what thresholds must be below for a level to be above them: for certain where the bound is a lower one, and possibly
// where it is an upper one.
func (r *rounding) limit(logLevel float64) float64 {
	return math.Exp(logLevel) * (1 - r.error(logLevel))
}

// passes reports whether a level is above a threshold, given its limit. A threshold that is too far to be followed passes where the
// bound is an upper one.
func (r *rounding) passes(z, limit float64) bool {
	if z < farThreshold {
		return z < limit
	}
	return r.direction < 0 && r.top > farThreshold
}

// open reports whether there are levels above a threshold that is not passed.
func (r *rounding) open(z float64) bool { return z < min(r.top, farThreshold) }

// thresholdStep turns a threshold for v L + r R into one for R, where v + r = 1.
type thresholdStep struct{ outward, lost, kept float64 }

// step returns the step at a level, given log r.
func (r *rounding) step(logLevel, logKept float64) thresholdStep {
	if logKept == 0 {
		return thresholdStep{0, 0, 1}
	}
	return thresholdStep{r.error(logLevel), math.Exp(logLevel) * -math.Expm1(logKept), math.Exp(logKept)}
}

// of returns the threshold after the step.
func (s thresholdStep) of(z float64) float64 { return (z*(1+s.outward) - s.lost) / s.kept }

// thresholds are random thresholds with their probabilities. Those in one bucket are taken together. A bucket is given by the exponent
// of a threshold and the first bits of its fraction.
type thresholds struct {
	used        []int
	value, mass []float64 // by bucket; the value is zero where the bucket has none
}

// newThresholds returns room for thresholds, of which there are none yet.
func (r *rounding) newThresholds() *thresholds {
	return &thresholds{value: make([]float64, r.size), mass: make([]float64, r.size)}
}

// clear removes all thresholds.
func (s *thresholds) clear() {
	for _, b := range s.used {
		s.value[b], s.mass[b] = 0, 0
	}
	s.used = s.used[:0]
}

// bucket returns the bucket of an open threshold of at least a quarter.
func (r *rounding) bucket(z float64) int {
	return int((math.Float64bits(z) - math.Float64bits(0.25)) >> (52 - r.bits))
}

// keep adds an open threshold, which is of the bucket b, with a probability.
func (r *rounding) keep(s *thresholds, b int, z, p float64) {
	switch at := s.value[b]; {
	case at == 0:
		s.used = append(s.used, b)
		s.value[b] = z
	case (z-at)*r.direction > 0:
		s.value[b] = z
	}
	s.mass[b] += p
}
