package paths

import (
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Piecewise is the geometric path from f_0 to an intermediate distribution m, which it reaches at b = c, and from
// there to f_1. Its derivative jumps at c. A constant in log m has no effect on any divergence. It is immutable.
type Piecewise struct {
	first, second *Geometric
	whole         *Geometric // from end to end
	at            float64    // c
	name          string
}

// NewPiecewise returns the path through the intermediate distribution log m at b = c, 0 < c < 1; m is positive where
// both ends are and zero where both ends are. The name is what String returns; initial and target are as for NewEnds.
func NewPiecewise(name string, initial, intermediate, target []float64, c float64) (*Piecewise, error) {
	ends, err := NewEnds(initial, target)
	if err != nil {
		return nil, fmt.Errorf("path %s: %w", name, err)
	}
	return PiecewiseBetween(name, ends, intermediate, c)
}

// PiecewiseBetween does what NewPiecewise does, between two ends.
func PiecewiseBetween(name string, ends *Ends, intermediate []float64, c float64) (*Piecewise, error) {
	if !(c > 0 && c < 1) {
		return nil, fmt.Errorf("path %s: the intermediate distribution stands at beta %v; it must be above 0 and below 1", name, c)
	}
	before, after, err := ends.through(intermediate)
	if err != nil {
		return nil, fmt.Errorf("path %s: %w", name, err)
	}
	first, err := GeometricBetween(before)
	if err != nil {
		return nil, fmt.Errorf("path %s, to the intermediate distribution: %w", name, err)
	}
	second, err := GeometricBetween(after)
	if err != nil {
		return nil, fmt.Errorf("path %s, from the intermediate distribution: %w", name, err)
	}
	for x, m := range intermediate {
		was, will := !math.IsInf(ends.initial.at(x), -1), !math.IsInf(ends.target.core[x], -1)
		if is := !math.IsInf(m, -1); was == will && is != was {
			return nil, chains.AtStates(fmt.Errorf("path %s: at state %d the intermediate distribution and both ends are not zero together; log weights would be undefined there", name, x), x)
		}
	}
	return &Piecewise{first, second, &Geometric{ends}, c, name}, nil
}

// States returns the number of states.
func (p *Piecewise) States() int { return p.first.States() }

// Zeros reports whether the path is zero somewhere at either end or in between.
func (p *Piecewise) Zeros() bool { return p.first.Zeros() || p.second.Zeros() }

// LogF writes log f_b of each state to dst. The ends and m are exact, but for rounding.
func (p *Piecewise) LogF(dst []float64, at chains.Place) {
	if at.Beta <= p.at {
		p.first.LogF(dst, p.before(at))
	} else {
		p.second.LogF(dst, p.beyond(at))
	}
}

// before returns where a place is on the first part, and beyond where it is on the second.
func (p *Piecewise) before(at chains.Place) chains.Place {
	return chains.Place{Beta: at.Beta / p.at, Rest: -p.past(at) / p.at}
}

func (p *Piecewise) beyond(at chains.Place) chains.Place {
	return chains.Place{Beta: p.past(at) / (1 - p.at), Rest: at.Rest / (1 - p.at)}
}

// past returns b - c, from b or from 1 - b, whichever is the smaller and has more digits.
func (p *Piecewise) past(at chains.Place) float64 {
	if at.Rest < at.Beta {
		return (1 - p.at) - at.Rest
	}
	return at.Beta - p.at
}

// LogRatio writes log f_to - log f_from of each state to dst; a step over c is made in two.
func (p *Piecewise) LogRatio(dst []float64, from, to chains.Place, step float64) {
	switch {
	case to.Beta <= p.at:
		along(p.first, dst, step/p.at)
	case from.Beta >= p.at:
		along(p.second, dst, step/(1-p.at))
	default:
		p.across(dst, p.before(from), p.beyond(to))
	}
}

// across writes the log ratio of a step over c, from a place on the first part to one on the second. It is made of a step
// from end to end and a step on the first part, so that nothing is lost where the ends are nearly alike: their lengths
// are what is behind c, and what is before it less that, or as well what is left at the end less what is at the start.
func (p *Piecewise) across(dst []float64, from, to chains.Place) {
	out := make([]float64, len(dst))
	length := from.Rest - to.Beta
	if to.Rest < to.Beta {
		length = to.Rest - from.Beta
	}
	along(p.first, out, length)
	p.whole.LogRatio(dst, chains.Place{}, chains.Place{}, to.Beta)
	for x := range dst {
		dst[x] += out[x]
	}
}

// along writes the log ratio of a step on one part, where it does not matter from which place.
func along(part *Geometric, dst []float64, step float64) {
	part.LogRatio(dst, chains.Place{}, chains.Place{}, step)
}

// Slope writes the derivative of log f_b by b, from above at c.
func (p *Piecewise) Slope(dst []float64, at chains.Place) {
	if at.Beta < p.at {
		along(p.first, dst, 1/p.at)
	} else {
		along(p.second, dst, 1/(1-p.at))
	}
}

// Kinks returns c.
func (p *Piecewise) Kinks() []float64 { return []float64{p.at} }

// Centred returns the same path through three distributions without their constants, and what that takes from
// log f_1 - log f_0.
func (p *Piecewise) Centred() (chains.Path, float64) {
	centred := func(p *Geometric) *Geometric { return &Geometric{p.ends.centred()} }
	return &Piecewise{centred(p.first), centred(p.second), centred(p.whole), p.at, p.name}, p.whole.ends.offset
}

// String returns the name given to NewPiecewise.
func (p *Piecewise) String() string { return p.name }

// piecewiseForm is how Piecewise with an intermediate distribution from a file is selected.
func piecewiseForm() pathForm {
	return pathForm{
		Syntax: "via:[BETA:]PATH", Doc: "geometric to the distribution in a file, which stands at BETA (0.5), and on from there", Example: "via:0.3:middle.csv",
		File: func(args string) string {
			_, file := splitVia(args)
			return file
		},
		Parse: parseVia,
	}
}

func parseVia(args selector.Args, between Env) (chains.Path, error) {
	if args.Text == "" {
		return nil, args.Errorf("give the file of the intermediate distribution, as in via:0.3:middle.csv")
	}
	at, file := splitVia(args.Text)
	middle, err := between.Read(file)
	if err != nil {
		return nil, args.Wrap(err)
	}
	return orNil(PiecewiseBetween(fmt.Sprintf("via:%v:%s", at, file), between.Ends, middle, at))
}

// splitVia returns the beta and the file of what follows "via:".
func splitVia(args string) (at float64, file string) {
	if first, rest, found := strings.Cut(args, ":"); found {
		if v, err := selector.ParseNumber(first); err == nil {
			return v, rest
		}
	}
	return 0.5, args
}
