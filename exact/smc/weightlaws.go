package smc

import (
	"context"
	"math"
	"math/cmplx"

	"breadboard/chains/number"
	"breadboard/exact/internal/mellin"
)

// weightLaws are the distributions of the weight of one particle, relative to Z.
type weightLaws interface {
	// runTransform returns the Laplace transform of w, and the probability of w = 0 is part of it.
	runTransform(logt float64) mellin.Transform
	// outputTransform returns the Laplace transform of v given x, and of that v is finite.
	outputTransform(x int, logt float64) mellin.Transform
	// finite returns the probability given x that v is finite.
	finite(x int) float64
}

// atomLaws are the distributions of weights that depend on the output alone, as in importance
// resampling.
type atomLaws struct{ logProposal, logw []float64 }

func (l *atomLaws) runTransform(logt float64) mellin.Transform {
	var rise, phi, err number.Sum
	for x, p := range l.logProposal {
		u := logt + l.logw[x]
		y := math.Exp(u)
		rise.Add(-math.Exp(p) * math.Expm1(-y))
		phi.Add(math.Exp(p - y))
		err.Add(math.Exp(p) * exponentError(u, p))
	}
	return mellin.Transform{Rise: rise.Value(), Phi: phi.Value(), Err: err.Value()}
}

func (l *atomLaws) outputTransform(x int, logt float64) mellin.Transform {
	u := logt + l.logw[x]
	y := math.Exp(u)
	return mellin.Transform{Rise: -math.Expm1(-y), Phi: math.Exp(-y), Err: exponentError(u, 0)}
}

// exponentError bounds the error of exp(-e^u) and of 1 - exp(-e^u), where u has been rounded, as
// they are multiplied by e^p: some units in the last place for each function, and as many as the
// logarithms have themselves.
func exponentError(u, p float64) float64 {
	y := math.Exp(u)
	if y == 0 || math.IsInf(p, -1) {
		return 0
	}
	return (8 + math.Abs(u) - p) * 0x1p-53 * min(-math.Expm1(-y), math.Exp(-y)*(1+y))
}

func (l *atomLaws) finite(x int) float64 {
	if math.IsInf(l.logw[x], -1) {
		return 0
	}
	return 1
}

// lineLaws are the distributions of weights of which the moments along lines are known.
type lineLaws struct {
	all  *mellin.Lines
	ends []*mellin.Lines // by output
	mass []float64       // the probability given x that v is finite
}

func (l *lineLaws) runTransform(logt float64) mellin.Transform           { return l.all.Best(logt) }
func (l *lineLaws) outputTransform(x int, logt float64) mellin.Transform { return l.ends[x].Best(logt) }
func (l *lineLaws) finite(x int) float64                                 { return l.mass[x] }

// lawsOfChain returns the distributions of the weight of a chain. The moments of w are E[w^-z] =
// sum over x of F(-z; x), and those of v given x are F(1 - z; x)/p(x), with F(s; x) = E_run[w^s;
// x].
func lawsOfChain(ctx context.Context, t *Transformed) (*lineLaws, error) {
	lines, err := t.lines(ctx)
	if err != nil {
		return nil, err
	}
	points, err := t.tilts(ctx, lines)
	if err != nil {
		return nil, err
	}
	n := len(t.logP)
	last := len(lines) - 1
	l := &lineLaws{
		all:  &mellin.Lines{Zero: t.extinct, Low: t.low, High: t.high},
		ends: make([]*mellin.Lines, n),
		mass: make([]float64, n),
	}
	var mean number.Sum
	for x := range l.ends {
		l.mass[x] = 1
		switch {
		case math.IsInf(t.logP[x], -1): // it is no output
			l.mass[x] = 0
		case t.lost[x]:
			l.mass[x] = math.Exp(points[last].LogScale[x] - t.logP[x])
		}
		mean.Add(math.Exp(t.logP[x]) * l.mass[x])
		l.ends[x] = &mellin.Lines{Mean: math.NaN(), Low: t.low, High: t.high}
	}
	l.all.Mean = min(1, mean.Value())
	for i, v := range lines[:last] {
		f := points[i]
		scale, values := totals(f, v.Points)
		addLine(l.all, mellin.Line{C: -v.Power, Step: v.Step, LogScale: scale}, values, f.Rounding)
		for x, law := range l.ends {
			addLine(law, mellin.Line{C: 1 - v.Power, Step: v.Step,
				LogScale: f.LogScale[x] - t.logP[x] - number.Log(l.mass[x])}, f.Values[x], f.Rounding)
		}
	}
	return l, nil
}

// totals returns the values along a line summed over all outputs, relative to the first.
func totals(f lineValues, points int) (scale float64, values []complex128) {
	scale = number.LogSumExp(f.LogScale)
	values = make([]complex128, points)
	for x, v := range f.Values {
		if math.IsInf(f.LogScale[x], -1) {
			continue // no chain of positive weight ends there
		}
		share := math.Exp(f.LogScale[x] - scale)
		for k := range v {
			values[k] += complex(share, 0) * v[k]
		}
	}
	return scale, values
}

// addLine adds a line, where values are the conjugates of E[W^-z] exp(-scale).
func addLine(to *mellin.Lines, line mellin.Line, values []complex128, rounding float64) {
	line.Order = mellin.OrderOf(line.C)
	line.Begin(0)
	conjugates := make([]complex128, len(values))
	for k, v := range values {
		conjugates[k] = cmplx.Conj(v)
	}
	line.Set(0, conjugates, 0)
	to.Lines = append(to.Lines, line)
	to.Rounding = max(to.Rounding, rounding+mellin.Rounding)
}
