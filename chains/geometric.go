package chains

import (
	"fmt"
	"math"
)

// Geometric is the path of distributions f_b = f_0^(1-b) f_1^b between an initial distribution f_0 and a
// target f_1, both on the same n states and neither normalised. It is immutable.
type Geometric struct {
	initial []float64 // log f_0; nil where f_0 = 1 everywhere
	target  []float64 // log f_1
	slope   []float64 // target - initial
	zeros   bool      // whether either end is zero somewhere
}

// NewGeometric returns the path from initial to target, both log f of each state in nats. A nil initial is
// the uniform distribution, f_0 = 1. -Inf is a state of probability zero; NaN and +Inf are errors, and so is
// a path on which a distribution has no mass.
func NewGeometric(initial, target []float64) (*Geometric, error) {
	if initial == nil {
		if err := validateLogF("target", target); err != nil {
			return nil, err
		}
		p := &Geometric{target: append([]float64(nil), target...), zeros: hasZeros(target)}
		p.slope = p.target
		return p, nil
	}
	if err := validateEnds(initial, target); err != nil {
		return nil, err
	}
	if !shareState(initial, target) {
		return nil, errNoCommonState
	}
	p := &Geometric{
		initial: append([]float64(nil), initial...), target: append([]float64(nil), target...),
		slope: make([]float64, len(target)), zeros: hasZeros(target) || hasZeros(initial),
	}
	for x := range p.slope {
		p.slope[x] = target[x] - initial[x]
		if math.IsInf(p.slope[x], 0) && !math.IsInf(target[x], -1) && !math.IsInf(initial[x], -1) {
			return nil, fmt.Errorf("log f at state %d goes from %v to %v, too far for floating point", x, initial[x], target[x])
		}
	}
	return p, nil
}

// States returns the number of states.
func (p *Geometric) States() int { return len(p.target) }

// Uniform reports whether the path starts at the uniform distribution.
func (p *Geometric) Uniform() bool { return p.initial == nil }

// Zeros reports whether either end of the path is zero somewhere.
func (p *Geometric) Zeros() bool { return p.zeros }

// Difference returns a copy of log f_1 - log f_0.
func (p *Geometric) Difference() []float64 { return append([]float64(nil), p.slope...) }

// Slope writes log f_1 - log f_0, which is the derivative of log f_b at every b.
func (p *Geometric) Slope(dst []float64, _ float64) { p.LogRatio(dst, 0, 1, 1) }

// Kinks returns none: the derivative does not depend on b.
func (p *Geometric) Kinks() []float64 { return nil }

// LogF writes log f_b of each state to dst, which has one place for each state. The ends are exact.
func (p *Geometric) LogF(dst []float64, beta float64) {
	switch {
	case beta == 1:
		copy(dst, p.target)
	case p.initial == nil && beta == 0:
		clear(dst)
	case p.initial == nil:
		for x, g := range p.target {
			dst[x] = beta * g
		}
	case beta == 0:
		copy(dst, p.initial)
	default:
		for x, g := range p.target {
			dst[x] = (1-beta)*p.initial[x] + beta*g
		}
	}
}

// LogRatio writes log f_to - log f_from, which is step (log f_1 - log f_0). A state that is zero at one end of the
// path gets 0, which is right where both betas are at the other end and has no meaning elsewhere.
func (p *Geometric) LogRatio(dst []float64, _, _, step float64) {
	for x, d := range p.slope {
		if dst[x] = step * d; p.zeros && (math.IsInf(d, 0) || math.IsNaN(d)) {
			dst[x] = 0
		}
	}
}

// Centred returns the same path with a constant taken out of log f of each end where the constant is larger
// than the range, so that products with beta keep their digits, and what that takes from log f_1 - log f_0.
func (p *Geometric) Centred() (Path, float64) {
	c, offset := p.centred()
	return c, offset
}

func (p *Geometric) centred() (*Geometric, float64) {
	target, high := centre(p.target)
	initial, low := centre(p.initial)
	if high == 0 && low == 0 {
		return p, 0
	}
	c := &Geometric{initial: initial, target: target, slope: target, zeros: p.zeros}
	if initial != nil {
		c.slope = make([]float64, len(target))
		for x := range target {
			c.slope[x] = target[x] - initial[x]
		}
	}
	return c, high - low
}

// centre returns logf less its largest value, and that value, where it is larger than the range.
func centre(logf []float64) ([]float64, float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range logf {
		if !math.IsInf(v, -1) {
			low, high = min(low, v), max(high, v)
		}
	}
	if len(logf) == 0 || math.Abs(high) <= high-low {
		return logf, 0
	}
	out := make([]float64, len(logf))
	for x, v := range logf {
		out[x] = v - high
	}
	return out, high
}

// String returns the selector "geometric".
func (*Geometric) String() string { return "geometric" }
