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
	// sizes are the sums of the absolute values of what is added up to forward and to taken; see noteCancellation.
	sizes [2]float64
	// ones is what the rows of the reversals make of the constant one, where some have been made from flows; nil before
	// that.
	ones []float64
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
	g.moveOnes()
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
	var f, r sizedSum
	square := 0.0
	for x, l := range s.lambda {
		before, here := s.before.p[x], s.here.p[x]
		switch {
		case s.both(x):
			rise, roundings := here-before, s.roundings(x)
			if math.Abs(l) <= 0.5 {
				e, above, below := expm1Excess(l)
				f.add(before*below, roundings)
				r.add(here*above, roundings)
				rise = -here * e
				// The log ratio of f is rounded before most of it is taken out, so that its size counts as well.
				moved := (math.Abs(l) + math.Abs(s.delta[x])) * roundings
				f.size += here * moved * math.Abs(l)
				r.size += here * moved * math.Abs(l)
				square += here * moved * moved
			} else {
				f.add(before*l+rise, roundings)
				r.add(-here*l-rise, roundings)
				square += farSquare(before, here) * roundings * roundings
			}
			f.add(g.surplus(x)*l, 1) // far from p the rounding of log p cancels in the mass (see ratios.rebase)
			r.add(rise*g.adjoint[x], roundings)
		case s.before.on(x):
			f.add(-before, 1)
			r.add(before, 1)
			r.add(-before*g.adjoint[x], 1)
			square += before
		case s.here.on(x):
			f.add(here, 1)
			r.add(-here, 1)
			square += here
		}
	}
	g.rough = max(g.rough, math.Sqrt(square))
	g.sizes[0], g.sizes[1] = g.sizes[0]+f.size, g.sizes[1]+r.size
	return f.value(), r.value()
}

// farSquare returns what a state adds to the mean square of p_{t-1}/p_t - 1 where that is far from zero: what leaves a
// state counts with no more than its mass.
func farSquare(before, here float64) float64 {
	if before >= here {
		return before
	}
	return (here - before) * (1 - before/here)
}

// roundings returns how many times the usual rounding there is in what is known of x at a stage: each eight nats of a
// logarithm round it once more.
func (s *stage) roundings(x int) float64 {
	return 1 + max(math.Abs(s.logf[x]), -s.before.log[x], -s.here.log[x])/8
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

// moveOnes averages ones over the rows of the reversal. Rows that are made from flows sum to one only as far as the
// kernel's own digits leave the distribution invariant, and no deviation is known better than the constant one.
func (g *general) moveOnes() {
	s := g.stage
	if g.ones == nil {
		if !s.outside || s.backward == s.forward {
			return
		}
		g.ones = make([]float64, len(g.adjoint))
		for x := range g.ones {
			g.ones[x] = 1
		}
	}
	for x := range g.ones {
		total := 0.0
		for _, e := range s.backward.Row(x) {
			total += e.P * g.ones[e.To]
		}
		g.scratch[x] = total
	}
	g.ones, g.scratch = g.scratch, g.ones
}

// noteInvariance says so where the kernel's rows have left digits out (see moveOnes).
func (g *general) noteInvariance(sol *Solution) {
	lost := 0.0
	for _, v := range g.ones {
		lost = max(lost, math.Abs(v-1))
	}
	if lost > promise {
		sol.note("all divergences and log weights have a relative error of up to %.1g: the rows of the kernel leave the distributions invariant to no more digits", lost)
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
	g.noteInvariance(sol)
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
	sol.noteCancellation(g.sizes)
	return sol, sol.validate()
}
