package paths

import (
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/work"
)

// Piecewise is the geometric path from f_0 to an intermediate distribution m, which it reaches at b
// = c, and from there to f_1. Its derivative jumps at c. A constant in log m has no effect on any
// divergence. It is immutable.
type Piecewise struct {
	first, second *Geometric
	whole         *Geometric // the path from f_0 to f_1 that bypasses m; across needs it
	at            float64    // the beta c at which the path reaches m
	name          string
}

// NewPiecewise returns the path through the intermediate distribution log m at b = c, 0 < c < 1; m
// must be positive if both ends are and zero if both ends are. The name is what String returns;
// initial and target are as for NewEnds.
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
		return nil, errs.New(
			"path %s: the intermediate distribution stands at beta %v; it must be above 0 and below 1",
			name,
			c,
		)
	}
	before, after, err := ends.splitAt(intermediate)
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
		was := !math.IsInf(ends.initial.coreAt(x), -1)
		will := !math.IsInf(ends.target.core[x], -1)
		if is := !math.IsInf(m, -1); was == will && is != was {
			return nil,
				work.AtStates(errs.New(
					"path %s: at state %d the intermediate distribution and both ends are not zero "+
						"together; log weights would be undefined there",
					name,
					x,
				), x)
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

// before returns the place on the first part, from 0 at f_0 to 1 at m, of a place on the whole path
// with b <= c.
func (p *Piecewise) before(at chains.Place) chains.Place {
	return chains.Place{Beta: at.Beta / p.at, Rest: -p.past(at) / p.at}
}

// beyond returns the place on the second part, from 0 at m to 1 at f_1, of a place on the whole
// path with b >= c.
func (p *Piecewise) beyond(at chains.Place) chains.Place {
	return chains.Place{Beta: p.past(at) / (1 - p.at), Rest: at.Rest / (1 - p.at)}
}

// past returns b - c. It computes this from b or from 1 - b, whichever is smaller, because the
// smaller one is more exact.
func (p *Piecewise) past(at chains.Place) float64 {
	if at.Rest < at.Beta {
		return (1 - p.at) - at.Rest
	}
	return at.Beta - p.at
}

// LogRatio writes log f_to - log f_from of each state to dst. A step that begins before c and ends
// after it is computed by across.
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

// across writes the log ratio of a step over c, from place s on the first part to place u on the
// second:
//
//	(1-s) (log m - log f_0) + u (log f_1 - log m) = u (log f_1 - log f_0) + (1-s-u) (log m - log f_0).
//
// It computes the right side, which keeps the digits of log f_1 - log f_0 if the ends are nearly
// alike; on the left two large terms would cancel. The length 1-s-u is computed as (1-s) - u, or as
// (1-u) - s if 1-u is the smaller number.
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

// along writes the log ratio of a step within one part. It depends on the length of the step only,
// because the part is a geometric path.
func along(part *Geometric, dst []float64, step float64) {
	part.LogRatio(dst, chains.Place{}, chains.Place{}, step)
}

// Slope writes the derivative of log f_b by b to dst. At c, where the derivative jumps, it is that
// of the second part.
func (p *Piecewise) Slope(dst []float64, at chains.Place) {
	if at.Beta < p.at {
		along(p.first, dst, 1/p.at)
	} else {
		along(p.second, dst, 1/(1-p.at))
	}
}

// Kinks returns the beta at which the two parts of the path meet.
func (p *Piecewise) Kinks() []float64 { return []float64{p.at} }

// Centred returns the same path through f_0, m and f_1 without their constants, and the constant
// that this takes out of log f_1 - log f_0.
func (p *Piecewise) Centred() (chains.Path, float64) {
	centred := func(p *Geometric) *Geometric { return &Geometric{p.ends.centred()} }
	return &Piecewise{
		centred(p.first), centred(p.second), centred(p.whole), p.at, p.name}, p.whole.ends.offset
}

// String returns the name given to NewPiecewise.
func (p *Piecewise) String() string { return p.name }

// piecewiseForm is the selector of Piecewise with an intermediate distribution from a file.
func piecewiseForm() pathForm {
	return pathForm{
		Syntax:  "via:[BETA:]PATH",
		Doc:     "geometric through the distribution in a file, which it reaches at BETA (0.5)",
		Example: "via:0.3:middle.csv",
		File: func(args string) string {
			_, file := splitVia(args)
			return numpy.FileOf(file)
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

// splitVia splits the text after "via:" into the beta and the file.
func splitVia(args string) (at float64, file string) {
	if first, rest, found := strings.Cut(args, ":"); found {
		if v, err := selector.ParseNumber(first); err == nil {
			return v, rest
		}
	}
	return 0.5, args
}
