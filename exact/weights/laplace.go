package weights

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/mellin"
)

// With R = Z_T/Z_1, the transforms are E exp(-t U) and 1 - E exp(-t U) at t = e^tau for U = w/R,
// R/v and v/R. On a lattice they are sums over its points; elsewhere, with Gamma(z) on vertical
// lines,
//
//	E exp(-t U) = 1/(2 pi i) integral Gamma(z) t^-z E[U^-z] dz  (Re z > 0),
//
// and on lines further left with the terms of the poles that they pass (see mellin.Line). E[U^-z]
// comes from tilted propagation, a sweep over the stages for each band of points z.

// variable is one of the random variables whose Laplace transforms the bounds of many samples are
// made from.
type variable struct {
	direction chains.Direction
	sign      float64 // 1 for the weight itself, -1 for its inverse
}

// variables returns w, 1/v and v (see MultiSample).
func variables() [3]variable {
	return [3]variable{{chains.Forward, 1}, {chains.Reverse, -1}, {chains.Reverse, 1}}
}

// laplaceOnLattice computes the transforms as sums over the points of the lattice.
func (p *problem) laplaceOnLattice(ctx context.Context, v *survey, logZRatio float64) (*laplace, error) {
	laws, err := p.latticeLaws(ctx, v)
	if err != nil {
		return nil, err
	}
	out, n := newLaplace(v, logZRatio)
	out.shift = latticeTolerance * (v.high - v.low)
	out.lostForward = laws[0].infinite > 0
	out.lostReverse = laws[1].infinite > 0
	transforms := [3][]mellin.Transform{}
	err = crew.Jobs(ctx, 3, p.Workers, func(ctx context.Context, i int) error {
		u := variables()[i]
		law := laws[u.direction]
		for j := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			transforms[i] = append(transforms[i], law.laplace(out.tau(j)-u.sign*logZRatio, u.sign))
		}
		return nil
	})
	out.w = transforms[0]
	out.inverseV = transforms[1]
	out.v = transforms[2]
	return out, err
}

// laplace returns the transform of w^sign at exp(tau). The probability that is not on the lattice
// counts as w^sign = 0: it is that of w = 0 for a forward chain, and of 1/w = 0 for a reverse
// chain. The transform of v is not used where v may be infinite.
func (l *atoms) laplace(tau, sign float64) mellin.Transform {
	var rise, phi number.Sum
	phi.Add(l.infinite)
	for k, p := range l.p {
		if p > 0 {
			x := math.Exp(tau + sign*l.point(k))
			rise.Add(-p * math.Expm1(-x))
			phi.Add(p * math.Exp(-x))
		}
	}
	f := mellin.Transform{Rise: rise.Value(), Phi: phi.Value()}
	f.Err = l.rounding * min(f.Rise, f.Phi)
	return f
}

// laplaceByMellin computes the transforms as integrals of Gamma(z) E[W^-z] along vertical lines
// (see mellin.Line).
func (p *problem) laplaceByMellin(ctx context.Context, v *survey, logZRatio float64) (*laplace, error) {
	out, n := newLaplace(v, logZRatio)
	low, high := v.low-logZRatio, v.high-logZRatio
	all := variables()
	var sets [3]mellin.Lines
	for i, u := range all {
		j, err := p.propagateMoments(ctx, u.direction)
		if err != nil {
			return nil, err
		}
		sets[i] = p.linesOf(j, u, low, high)
	}
	out.lostForward = sets[0].Zero > 0
	out.lostReverse = sets[1].Zero > 0
	// E_fwd[w]/R and E_rev[R/v] are the probabilities that the other chain's weight is finite.
	sets[0].Mean, sets[1].Mean = 1-sets[1].Zero, 1-sets[0].Zero
	sets[2].Zero, sets[2].Mean = 0, math.NaN()
	if err := p.fillContours(ctx, sets[:], all[:], logZRatio); err != nil {
		return nil, err
	}
	for i, to := range []*[]mellin.Transform{&out.w, &out.inverseV, &out.v} {
		for j := range n {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			*to = append(*to, sets[i].Best(out.tau(j)))
		}
	}
	return out, nil
}

// linesOf returns the lines for a variable, without their values, from the moments of the log
// weight in its direction and from bounds on log(w/R).
func (p *problem) linesOf(j *joint, u variable, low, high float64) mellin.Lines {
	mass, m := j.cumulants()
	s := mellin.Lines{
		Zero:     1 - mass,
		Low:      low,
		High:     high,
		Rounding: transformRounding(p.Annealing.States(), j.moves) + mellin.Rounding + j.defect,
	}
	if u.sign < 0 {
		s.Low = -high
		s.High = -low
	}
	s.Draw(math.Sqrt(max(0, m.Variance)))
	return s
}

// fillContours computes the values of all lines, those of each set for its variable. It checks the
// scale E[W^-c] of each by tilted propagation in numbers with a wide exponent, which leaves out no
// transition however small.
func (p *problem) fillContours(ctx context.Context, sets []mellin.Lines, all []variable,
	logZRatio float64) error {
	type piece struct {
		line     *mellin.Line
		variable variable
		band     band
		at       int
	}
	var pieces []piece
	for i, u := range all {
		for j := range sets[i].Lines {
			l := &sets[i].Lines[j]
			n := l.Begin(logZRatio)
			for k, b := range bands(-u.sign*l.C, 0, -u.sign*l.Step, n, p.Annealing.States()) {
				pieces = append(pieces, piece{l, u, b, k * bandOf(p.Annealing.States())})
			}
		}
	}
	report := p.portions(len(pieces))
	return crew.Jobs(ctx, len(pieces), p.Workers, func(ctx context.Context, i int) error {
		q := pieces[i]
		f, err := p.transform(ctx, q.variable.direction, q.band)
		if err != nil {
			return err
		}
		if q.at == 0 {
			want, err := computeCGF(ctx, p.Annealing, q.variable.direction, []float64{q.band.power}, true)
			if err != nil {
				return err
			}
			if !(math.Abs(f.logScale-want[0]) <= 1e-9*(1+math.Abs(want[0]))) {
				f.logScale = math.Inf(1) // transitions that are too small for float64 matter here
			}
			q.line.LogScale = f.logScale + q.variable.sign*q.line.C*logZRatio
		}
		q.line.Set(q.at, f.values, q.variable.sign*logZRatio)
		report(1)
		return nil
	})
}
