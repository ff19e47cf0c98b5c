package paths

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/work"
)

// Stepwise is the path through a sequence of distributions f_0, ..., f_k, which it reaches at the
// betas 0, 1/k, ..., 1, geometric between one and the next. With a linear schedule of k + 1
// distributions an annealing along it has exactly these, such as posteriors that see one more point
// of the data each. It is immutable.
//
//	log f_b = log f_i + (k b - i) (log f_(i+1) - log f_i), i = floor(k b)
type Stepwise struct {
	name string
	logf [][]float64
	rise [][]float64 // rise[i] = log f_{i+1} - log f_i
}

// NewStepwise returns the path through at least two distributions on the same states, given by
// their log f in nats. All of them must be positive everywhere. The name is what String returns.
func NewStepwise(name string, logf [][]float64) (*Stepwise, error) {
	if len(logf) < 2 {
		return nil, errs.New("path %s: %d distributions; a path has two ends", name, len(logf))
	}
	p := &Stepwise{name: name}
	for i, f := range logf {
		if len(f) != len(logf[0]) {
			return nil, errs.New("path %s: distribution %d has %d states and the first %d; they must be on one space",
				name, i, len(f), len(logf[0]))
		}
		for x, v := range f {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return nil, work.AtStates(
					errs.New("path %s: log f of distribution %d is %v at state %d; it must be finite",
						name, i, v, x),
					x,
				)
			}
		}
		p.logf = append(p.logf, append([]float64(nil), f...))
		if i > 0 {
			p.rise = append(p.rise, make([]float64, len(f)))
			for x := range f {
				p.rise[i-1][x] = f[x] - logf[i-1][x]
			}
		}
	}
	return p, nil
}

// States returns the number of states.
func (p *Stepwise) States() int { return len(p.logf[0]) }

// Zeros returns false.
func (*Stepwise) Zeros() bool { return false }

// position returns the number of distributions before a place, and the fraction of the way to the
// next. A place within rounding of a distribution counts as at it.
func (p *Stepwise) position(at chains.Place) float64 {
	k := float64(len(p.rise))
	s := at.Beta * k
	if near := math.Round(s); math.Abs(s-near) <= 4*0x1p-52*near {
		return near
	}
	return s
}

// LogF writes log f_b of each state to dst. It is exact at the distributions.
func (p *Stepwise) LogF(dst []float64, at chains.Place) {
	s := p.position(at)
	i := int(s)
	copy(dst, p.logf[i])
	if part := s - float64(i); part > 0 {
		for x, r := range p.rise[i] {
			dst[x] += part * r
		}
	}
}

// LogRatio writes log f_to - log f_from of each state to dst.
func (p *Stepwise) LogRatio(dst []float64, from, to chains.Place, step float64) {
	low, high := p.position(from), p.position(to)
	clear(dst)
	for i, rise := range p.rise {
		part := min(high, float64(i+1)) - max(low, float64(i))
		switch {
		case part <= 0:
			continue
		case low >= float64(i) && high <= float64(i+1) && part < 1:
			part = step * float64(len(p.rise)) // it keeps the digits of a small step
		}
		for x, r := range rise {
			dst[x] += part * r
		}
	}
}

// Slope writes the derivative of log f_b by b to dst. At a distribution it is that of the part
// after it.
func (p *Stepwise) Slope(dst []float64, at chains.Place) {
	i := min(int(p.position(at)), len(p.rise)-1)
	for x, r := range p.rise[i] {
		dst[x] = float64(len(p.rise)) * r
	}
}

// Kinks returns the betas of the distributions between the ends.
func (p *Stepwise) Kinks() (out []float64) {
	for i := 1; i < len(p.rise); i++ {
		out = append(out, float64(i)/float64(len(p.rise)))
	}
	return out
}

// Centred returns the path with the largest value subtracted from log f of each distribution, and
// the constant that this takes out of log f_1 - log f_0.
func (p *Stepwise) Centred() (chains.Path, float64) {
	logf := make([][]float64, len(p.logf))
	constant := 0.0
	for i, f := range p.logf {
		top := slices.Max(f)
		logf[i] = make([]float64, len(f))
		for x, v := range f {
			logf[i][x] = v - top
		}
		if i == 0 {
			constant -= top
		}
		if i == len(p.logf)-1 {
			constant += top
		}
	}
	out, err := NewStepwise(p.name, logf)
	if err != nil {
		panic(err) // the numbers are those of a path, less a finite constant
	}
	return out, constant
}

// String returns the name given to NewStepwise.
func (p *Stepwise) String() string { return p.name }

func stepwiseForm() pathForm {
	return pathForm{
		Syntax: "file:PATH",
		Doc: "through log f of T stages in an array (T, states), or (T, sides of the grid), from the initial distribution " +
			"to the target; a linear schedule of T distributions has exactly these",
		Example: "file:stages.npy",
		File:    numpy.FileOf,
		Parse:   parseStages,
	}
}

func parseStages(args selector.Args, between Env) (chains.Path, error) {
	rows, err := between.ReadRows(args.Text)
	if err != nil {
		return nil, args.Wrap(err)
	}
	p, err := NewStepwise("file:"+args.Text, rows)
	if err != nil {
		return nil, err
	}
	whole, err := GeometricBetween(between.Ends)
	if err != nil {
		return nil, err
	}
	end := make([]float64, whole.States())
	for i, name := range []string{"initial distribution", "target"} {
		whole.LogF(end, chains.At(float64(i)))
		row := rows[i*(len(rows)-1)]
		for x, v := range row {
			if d := v - row[0] - (end[x] - end[0]); !(math.Abs(d) <= sameEnds*(1+math.Abs(v))) {
				return nil, args.Errorf("its %s stage differs from the %s by %.3g nats at state %d; give that distribution, as "+
					"by {toy} or {initial}", []string{"first", "last"}[i], name, d, x)
			}
		}
	}
	return p, nil
}

// sameEnds is the largest difference of log f, beside its size, of an end that is the same.
const sameEnds = 1e-6
