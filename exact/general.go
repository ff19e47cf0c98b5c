package exact

import (
	"context"
	"math"

	"breadboard/exact/internal/number"
	"breadboard/exact/internal/sweep"
)

// general propagates both directions of any annealing in one sweep over t, over the rows of any kernel.
// Time is O(T entries), memory O(entries).
type general struct {
	stage  *sweep.Stage
	q      *sweep.Ratios
	firstZ float64 // log Z_1

	// adjoint is A_t(x) = E_rev[sum of -lambda_s, s <= t | x_t = x], less taken: the part of it that does not
	// depend on x.
	adjoint, scratch []float64
	taken            number.Sum
	forward          number.Sum // KL(path_fwd || path_rev), while finite
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

func solveGeneral(ctx context.Context, p *sweep.Problem) (*Solution, error) {
	g, err := sweepGeneral(ctx, p)
	if err != nil {
		return nil, err
	}
	return g.solution()
}

// sweepGeneral takes the chains from 1 to T.
func sweepGeneral(ctx context.Context, p *sweep.Problem) (*general, error) {
	g := &general{stage: sweep.NewStage(p.Annealing)}
	n := p.Annealing.States()
	g.q = sweep.NewRatios(&g.stage.Here)
	g.adjoint, g.scratch = make([]float64, n), make([]float64, n)
	g.doomed = make([]bool, n)
	g.firstZ = g.stage.Here.LogZ
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, err
		}
		if err := g.stage.Load(ctx, t); err != nil {
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
	g.forward.Add(forward)
	g.taken.Add(reverse)
	if s.Partial {
		g.meetZeros()
	}
	g.moveOnes()
	g.moveAdjoint(reverse)
	g.q.Rebase(&s.Before, &s.Here, s.Lambda)
	g.q.Move(&s.Here, s.Forward, s.Backward, s.TinyBackward)
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
	var f, r number.SizedSum
	square := 0.0
	for x, l := range s.Lambda {
		before, here := s.Before.P[x], s.Here.P[x]
		switch {
		case s.Both(x):
			rise, roundings := here-before, s.Roundings(x)
			if math.Abs(l) <= 0.5 {
				e, above, below := sweep.Expm1Excess(l)
				f.Add(before*below, roundings)
				r.Add(here*above, roundings)
				rise = -here * e
				// The log ratio of f is rounded before most of it is taken out, so that its size counts as well.
				moved := (math.Abs(l) + math.Abs(s.Delta[x])) * roundings
				f.Size += here * moved * math.Abs(l)
				r.Size += here * moved * math.Abs(l)
				square += here * moved * moved
			} else {
				f.Add(before*l+rise, roundings)
				r.Add(-here*l-rise, roundings)
				square += farSquare(before, here) * roundings * roundings
			}
			f.Add(g.surplus(x)*l, 1) // far from p the rounding of log p cancels in the mass (see ratios.rebase)
			r.Add(rise*g.adjoint[x], roundings)
		case s.Before.On(x):
			f.Add(-before, 1)
			r.Add(before, 1)
			r.Add(-before*g.adjoint[x], 1)
			square += before
		case s.Here.On(x):
			f.Add(here, 1)
			r.Add(-here, 1)
			square += here
		}
	}
	g.rough = max(g.rough, math.Sqrt(square))
	g.sizes[0], g.sizes[1] = g.sizes[0]+f.Size, g.sizes[1]+r.Size
	return f.Value(), r.Value()
}

// farSquare returns what a state adds to the mean square of p_{t-1}/p_t - 1 where that is far from zero: what leaves a
// state counts with no more than its mass.
func farSquare(before, here float64) float64 {
	if before >= here {
		return before
	}
	return (here - before) * (1 - before/here)
}

// surplus returns q - p at x under p_{t-1}.
func (g *general) surplus(x int) float64 {
	if u := g.q.U[x]; sweep.Near(g.q.H[x]) {
		return g.stage.Before.P[x] * u.Float()
	}
	return number.WideExp(g.stage.Before.Log[x]).Mul(g.q.U[x]).Float()
}

// meetZeros notes the mass that the forward chain loses where f_t is zero, and the states at which the
// reverse chain does.
func (g *general) meetZeros() {
	s := g.stage
	for x := range s.Lambda {
		if s.Before.On(x) && !s.Here.On(x) {
			if mass := g.q.Mass(x, &s.Before); mass.M != 0 {
				g.lost.States++
				g.lost.Mass += mass.Float()
			}
		}
		gained := s.Here.On(x) && !s.Before.On(x)
		g.doomed[x] = gained || (g.doomed[x] && s.Here.On(x))
		g.anyDoomed = g.anyDoomed || gained
	}
}

// moveAdjoint adds -lambda to A, takes the given constant out, and averages over the rows of the reversal.
func (g *general) moveAdjoint(constant float64) {
	s := g.stage
	for x, l := range s.Lambda {
		g.scratch[x] = 0
		if s.Both(x) {
			g.scratch[x] = g.adjoint[x] - l - constant
		}
	}
	for x := range g.adjoint {
		total := 0.0
		for _, e := range s.Backward.Row(x) {
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
		if !s.Outside || s.Backward == s.Forward {
			return
		}
		g.ones = make([]float64, len(g.adjoint))
		for x := range g.ones {
			g.ones[x] = 1
		}
	}
	for x := range g.ones {
		total := 0.0
		for _, e := range s.Backward.Row(x) {
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
		for _, e := range s.Backward.Row(x) {
			next[x] = next[x] || (e.P > 0 && g.doomed[e.To])
		}
	}
	for _, e := range s.TinyBackward {
		next[e.From] = next[e.From] || g.doomed[e.To]
	}
	g.doomed = next
}

func (g *general) solution() (*Solution, error) {
	s := g.stage
	d := sweep.Divergences{}
	sol := &Solution{
		LogZRatio: s.Here.LogZ - g.firstZ,
		Target:    append([]float64(nil), s.Here.P...),
		Method:    MethodGeneral,
	}
	doomed := Loss{}
	residual := 0.0
	for x := range g.adjoint {
		mass := g.q.Mass(x, &s.Here)
		sol.Output = append(sol.Output, mass.Float())
		switch {
		case !s.Here.On(x):
			if mass.M != 0 {
				d.AddOff(mass.Float())
			}
			continue
		case g.doomed[x]:
			doomed.States++
			doomed.Mass += s.Here.P[x]
		default:
			residual += s.Here.P[x] * g.adjoint[x]
		}
		d.Add(s.Here.P[x], s.Here.Log[x], g.q.H[x], g.q.U[x])
	}
	sol.setDivergences(&d)
	sol.noteResolution(g.rough)
	g.noteInvariance(sol)
	forward, reverse := g.forward.Value(), g.taken.Value()
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
