package paths

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Geometric is the path of distributions f_b = f_0^(1-b) f_1^b between an initial distribution f_0
// and a target f_1, both on the same n states and neither normalised. It is immutable.
type Geometric struct{ ends *Ends }

// NewGeometric returns the path from initial to target, which are as for NewEnds. A path on which a
// distribution has no mass is an error.
func NewGeometric(initial, target []float64) (*Geometric, error) {
	ends, err := NewEnds(initial, target)
	if err != nil {
		return nil, err
	}
	return GeometricBetween(ends)
}

// GeometricBetween returns the path between two ends that share a state.
func GeometricBetween(ends *Ends) (*Geometric, error) {
	if ends.disjoint() {
		return nil, errNoCommonState
	}
	return &Geometric{ends}, nil
}

// States returns the number of states.
func (p *Geometric) States() int { return p.ends.States() }

// Uniform reports whether the path starts at the uniform distribution.
func (p *Geometric) Uniform() bool { return p.ends.initial.core == nil }

// Zeros reports whether either end of the path is zero somewhere.
func (p *Geometric) Zeros() bool { return p.ends.zeros }

// Difference returns log f_1 - log f_0 of each state.
func (p *Geometric) Difference() []float64 {
	out := make([]float64, p.States())
	for x := range out {
		if p.Uniform() {
			out[x] = p.ends.target.logF(x)
		} else {
			out[x] = p.ends.rise[x] + p.ends.offset
		}
	}
	return out
}

// Slope writes log f_1 - log f_0, which is the derivative of log f_b at every b.
func (p *Geometric) Slope(dst []float64, at chains.Place) { p.LogRatio(dst, at, at, 1) }

// Kinks returns none: the derivative does not depend on b.
func (p *Geometric) Kinks() []float64 { return nil }

// LogF writes log f_b of each state to dst, which has one entry for each state. The ends are exact,
// but for rounding.
func (p *Geometric) LogF(dst []float64, at chains.Place) {
	e := p.ends
	raised := at.Rest*e.initial.constant + at.Beta*e.target.constant
	switch {
	case at.Beta == 1:
		for x := range dst {
			dst[x] = e.target.logF(x)
		}
	case at.Beta == 0:
		for x := range dst {
			dst[x] = e.initial.logF(x)
		}
	case e.initial.core == nil:
		for x, g := range e.target.core {
			dst[x] = at.Beta*g + raised
		}
	default:
		for x, g := range e.target.core {
			dst[x] = at.Rest*e.initial.core[x] + at.Beta*g + raised
		}
	}
}

// LogRatio writes log f_to - log f_from, which is step (log f_1 - log f_0). For a state where f is
// zero at one end of the path it writes 0, which is right if both betas are at the other end and
// has no meaning otherwise.
func (p *Geometric) LogRatio(dst []float64, _, _ chains.Place, step float64) {
	raised := p.ends.offset
	for x, d := range p.ends.rise {
		dst[x] = step * (d + raised)
	}
	if !p.ends.zeros {
		return
	}
	for x, d := range p.ends.rise {
		if math.IsInf(d, 0) || math.IsNaN(d) {
			dst[x] = 0
		}
	}
}

// Centred returns the same path between the ends without their constants, and the constant that
// this takes out of log f_1 - log f_0.
func (p *Geometric) Centred() (chains.Path, float64) {
	return &Geometric{p.ends.centred()}, p.ends.offset
}

// String returns the selector "geometric".
func (*Geometric) String() string { return "geometric" }

func geometricForm() pathForm {
	return pathForm{
		Syntax: "geometric", Doc: "f_t = f_1^(1-b_t) f_T^(b_t)", Source: "Neal 2001", Example: "geometric",
		Parse: func(_ selector.Args, between Env) (chains.Path, error) {
			return orNil(GeometricBetween(between.Ends))
		},
	}
}
