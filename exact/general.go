package exact

import (
	"context"
	"math"
)

// general propagates both directions of any annealing in one sweep over t, over the rows of any kernel.
// Time is O(T entries), memory O(entries).
type general struct {
	stage  *stage
	q      *ratios
	firstZ float64 // log Z_1

	// adjoint is A_t(x) = E_rev[sum of -lambda_s, s <= t | x_t = x], less taken: the part of it that does not
	// depend on x.
	adjoint, scratch []float64
	taken            sum
	forward          sum // KL(path_fwd || path_rev), while finite
	lost             Loss
	rough            float64 // see noteResolution
	// doomed marks the states from which the reverse chain can come to a state where p_{t-1} is zero.
	doomed    []bool
	anyDoomed bool
}

func solveGeneral(ctx context.Context, p *problem) (*Solution, error) {
	g, err := sweepGeneral(ctx, p)
	if err != nil {
		return nil, err
	}
	return g.solution()
}

// sweepGeneral takes the chains from 1 to T.
func sweepGeneral(ctx context.Context, p *problem) (*general, error) {
	g := &general{stage: newStage(p.a)}
	n := p.a.States()
	g.q = newRatios(&g.stage.here)
	g.adjoint, g.scratch = make([]float64, n), make([]float64, n)
	g.doomed = make([]bool, n)
	g.firstZ = g.stage.here.logZ
	for t := 2; t <= p.a.Distributions(); t++ {
		if err := p.step(ctx); err != nil {
			return nil, err
		}
		if err := g.stage.load(ctx, t); err != nil {
			return nil, err
		}
		g.step()
	}
	return g, nil
}

// step takes the chains from t-1 to t.
func (g *general) step() {
	s := g.stage
	forward, reverse := g.slack()
	g.forward.add(forward)
	g.taken.add(reverse)
	if s.partial {
		g.meetZeros()
	}
	g.moveAdjoint(reverse)
	g.q.rebase(&s.before, &s.here, s.lambda)
	g.q.move(&s.here, s.forward, s.backward, s.tinyBackward)
	if g.anyDoomed {
		g.moveDoomed()
	}
}

// slack returns what stage t adds to KL(path_fwd || path_rev) = -E_fwd[log w] + log(Z_T/Z_1) and to
// KL(path_rev || path_fwd) = E_rev[log w] - log(Z_T/Z_1). With l = lambda, both are of second order:
//
//	forward: KL(p_{t-1} || p_t) + sum p_{t-1} u l
//	reverse: KL(p_t || p_{t-1}) + sum (p_t - p_{t-1}) A
func (g *general) slack() (forward, reverse float64) {
	s := g.stage
	var f, r sum
	square := 0.0
	for x, l := range s.lambda {
		before, here := s.before.p[x], s.here.p[x]
		switch {
		case s.both(x):
			rise := here - before
			if math.Abs(l) <= 0.5 {
				f.add(before * excess(-l))
				r.add(here * excess(l))
				e := math.Expm1(l)
				rise = -here * e
				square += here * e * e
			} else {
				f.add(before*l + rise)
				r.add(-here*l - rise)
				square += here
			}
			f.add(g.surplus(x) * l)
			r.add(rise * g.adjoint[x])
		case s.before.on(x):
			f.add(-before)
			r.add(before)
			r.add(-before * g.adjoint[x])
		case s.here.on(x):
			f.add(here)
			r.add(-here)
		}
	}
	g.rough = max(g.rough, math.Sqrt(square))
	return f.value(), r.value()
}

// surplus returns q - p at x under p_{t-1}.
func (g *general) surplus(x int) float64 {
	if u := g.q.u[x]; near(g.q.h[x]) {
		return g.stage.before.p[x] * u.float()
	}
	return wideExp(g.stage.before.log[x]).mul(g.q.u[x]).float()
}

// meetZeros notes the mass that the forward chain loses where f_t is zero, and the states at which the
// reverse chain does.
func (g *general) meetZeros() {
	s := g.stage
	for x := range s.lambda {
		if s.before.on(x) && !s.here.on(x) {
			if mass := g.q.mass(x, &s.before); mass.m != 0 {
				g.lost.States++
				g.lost.Mass += mass.float()
			}
		}
		gained := s.here.on(x) && !s.before.on(x)
		g.doomed[x] = gained || (g.doomed[x] && s.here.on(x))
		g.anyDoomed = g.anyDoomed || gained
	}
}

// moveAdjoint adds -lambda to A, takes the given constant out, and averages over the rows of the reversal.
func (g *general) moveAdjoint(constant float64) {
	s := g.stage
	for x, l := range s.lambda {
		g.scratch[x] = 0
		if s.both(x) {
			g.scratch[x] = g.adjoint[x] - l - constant
		}
	}
	for x := range g.adjoint {
		total := 0.0
		for _, e := range s.backward.Row(x) {
			total += e.P * g.scratch[e.To]
		}
		g.adjoint[x] = total
	}
}

func (g *general) moveDoomed() {
	s := g.stage
	next := make([]bool, len(g.doomed))
	for x := range next {
		for _, e := range s.backward.Row(x) {
			next[x] = next[x] || (e.P > 0 && g.doomed[e.To])
		}
	}
	for _, e := range s.tinyBackward {
		next[e.from] = next[e.from] || g.doomed[e.to]
	}
	g.doomed = next
}

func (g *general) solution() (*Solution, error) {
	s := g.stage
	d := divergences{}
	sol := &Solution{
		LogZRatio: s.here.logZ - g.firstZ,
		Target:    append([]float64(nil), s.here.p...),
		Method:    MethodGeneral,
	}
	doomed := Loss{}
	residual := 0.0
	for x := range g.adjoint {
		mass := g.q.mass(x, &s.here)
		sol.Output = append(sol.Output, mass.float())
		switch {
		case !s.here.on(x):
			if mass.m != 0 {
				d.addOff(mass.float())
			}
			continue
		case g.doomed[x]:
			doomed.States++
			doomed.Mass += s.here.p[x]
		default:
			residual += s.here.p[x] * g.adjoint[x]
		}
		d.add(s.here.p[x], s.here.log[x], g.q.h[x], g.q.u[x])
	}
	sol.setDivergences(&d)
	sol.noteResolution(g.rough)
	forward, reverse := g.forward.value(), g.taken.value()
	if g.anyDoomed {
		reverse += residual // A is then no longer centred: its mean over p_T is part of the answer
	}
	if g.lost.States > 0 {
		forward = math.Inf(1)
		sol.note("E_fwd[log w] is -Inf and B +Inf: %s where a later distribution is zero", g.lost.describe("the forward chain", "puts"))
	}
	if doomed.States > 0 {
		reverse = math.Inf(1)
		sol.note("E_rev[log w] and B are +Inf: %s from which the reverse chain reaches an earlier distribution's zeros", doomed.describe("the target", "has"))
	}
	sol.B = forward + reverse
	sol.MeanLogWForward = sol.LogZRatio - forward
	sol.MeanLogWReverse = sol.LogZRatio + reverse
	return sol, sol.validate()
}
