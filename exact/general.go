package exact

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
)

// With the ratio u = q/p_{t-1} - 1 of the forward chain, lambda = log(p_{t-1}/p_t), and the adjoint
// A(x) = E_rev[sum of -lambda_s over s < t | x_{t-1} = x], less its mean,
//
//	KL(path_fwd || path_rev) = sum over t of KL(p_{t-1} || p_t) + sum_x p_{t-1} u lambda,
//	KL(path_rev || path_fwd) = sum over t of KL(p_t || p_{t-1}) + sum_x (p_t - p_{t-1}) A.
//
// B is their sum, and J follows from the last u. Time is O(T entries).
//
// Source: Grosse, Ancha and Roy 2016, Eqs. 21 to 23.

// general solves any annealing, with any kernel. In one sweep over t it propagates both directions
// over the rows of the kernel, or of its parts if it is a sequence of the library. Time is O(T
// entries), memory O(entries).
type general struct {
	stage  *stage.Stage
	q      *stage.Ratios
	firstZ float64 // log Z_1

	// adjoint is A_t(x) = E_rev[sum of -lambda_s over s <= t | x_t = x] minus the constants that
	// the stages have subtracted, which are added up in reverse. Unless states are doomed they make
	// its mean under p_t zero.
	adjoint, scratch []float64
	forward          number.Sum // KL(path_fwd || path_rev), while finite
	reverse          number.Sum // KL(path_rev || path_fwd), while finite
	lost             loss       // the mass of the forward chain on zeros of f_t
	largestChange    float64    // see setResolution
	// sizes are the sums of the absolute values of the terms of forward and of reverse, each term
	// times the number of roundings that it has gone through; see setCancellation.
	sizes [2]float64
	// ones is the product of the reversals so far applied to the constant function one. It is nil
	// until a reversal has been made from flows.
	ones []float64
	// doomed marks the states from which the reverse chain can reach a state where p_{t-1} is zero,
	// so that its weight becomes infinite.
	doomed    []bool
	anyDoomed bool
	cure      string    // see noteInfinities
	explorer  *explorer // finds the classes between which the kernel never moves; see Reach
}

func solveGeneral(ctx context.Context, p *stage.Problem) (*Solution, error) {
	if err := stage.Fits(p.Annealing); err != nil {
		if _, has := operator.WorkOf(p.Annealing.Kernel(), p.Annealing.States()); has {
			err = fmt.Errorf("%w. No rows are needed if log f is finite and spans from %v to %d nats, as with another "+
				"factor of the energy",
				err, geometricLeast, geometricRange)
		}
		return nil, err
	}
	g, err := sweepGeneral(ctx, p)
	if err != nil {
		return nil, err
	}
	g.cure = cureOf(p.Annealing.Path())
	return g.solution()
}

// sweepGeneral propagates both chains from stage 1 to stage T.
func sweepGeneral(ctx context.Context, p *stage.Problem) (*general, error) {
	g := &general{stage: stage.NewStage(p.Annealing)}
	n := p.Annealing.States()
	g.q = stage.NewRatios(&g.stage.Here)
	g.adjoint = make([]float64, n)
	g.scratch = make([]float64, n)
	g.doomed = make([]bool, n)
	g.explorer = newExplorer(p.Annealing)
	g.firstZ = g.stage.Here.LogZ
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, err
		}
		if err := g.stage.Load(ctx, t); err != nil {
			return nil, err
		}
		if err := g.explorer.visit(ctx, g.stage, t == 2); err != nil {
			return nil, err
		}
		g.step()
	}
	return g, nil
}

// step propagates both chains from stage t-1 to stage t.
func (g *general) step() {
	s := g.stage
	forward, reverse := g.slack()
	g.forward.Add(forward)
	g.reverse.Add(reverse)
	if s.Partial {
		g.meetZeros()
	}
	g.moveOnes()
	g.moveAdjoint(reverse)
	g.q.Rebase(&s.Before, &s.Here, s.Lambda)
	s.MoveForward(g.q)
	if g.anyDoomed {
		s.Spread(g.doomed)
	}
}

// slack returns what stage t adds to KL(path_fwd || path_rev) = -E_fwd[log w] + log(Z_T/Z_1) and to
// KL(path_rev || path_fwd) = E_rev[log w] - log(Z_T/Z_1). With l = lambda, u = q/p_{t-1} - 1 and A
// the adjoint, both are of second order in the step:
//
//	forward: KL(p_{t-1} || p_t) + sum p_{t-1} u l
//	reverse: KL(p_t || p_{t-1}) + sum (p_t - p_{t-1}) A
func (g *general) slack() (forward, reverse float64) {
	s := g.stage
	var f, r number.SizedSum
	square := 0.0
	for x, l := range s.Lambda {
		before := s.Before.P[x]
		here := s.Here.P[x]
		switch {
		case s.Both(x):
			rise := here - before
			roundings := s.Roundings(x)
			if math.Abs(l) <= 0.5 {
				e, above, below := stage.Expm1Excess(l)
				f.Add(before*below, roundings)
				r.Add(here*above, roundings)
				rise = -here * e
				// lambda is the log ratio of f minus a constant that may be much larger. The log
				// ratio was rounded before that subtraction, so that its size counts as well.
				moved := (math.Abs(l) + math.Abs(s.Delta[x])) * roundings
				f.Size += here * moved * math.Abs(l)
				r.Size += here * moved * math.Abs(l)
				square += here * moved * moved
			} else {
				f.Add(before*l+rise, roundings)
				r.Add(-here*l-rise, roundings)
				square += farSquare(before, here) * roundings * roundings
			}
			// Only one rounding: if q/p is far from one, the rounding of log p cancels in the mass
			// (see Ratios.Rebase).
			f.Add(g.surplus(x)*l, 1)
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
	g.largestChange = max(g.largestChange, math.Sqrt(square))
	g.sizes[0], g.sizes[1] = g.sizes[0]+f.Size, g.sizes[1]+r.Size
	return f.Value(), r.Value()
}

// farSquare returns the term of a state in the mean square of p_{t-1}/p_t - 1 under p_t if
// p_{t-1}/p_t is far from one. A state that loses probability adds no more than p_{t-1}, its mass
// before.
func farSquare(before, here float64) float64 {
	if before >= here {
		return before
	}
	return (here - before) * (1 - before/here)
}

// surplus returns q - p_{t-1} at x.
func (g *general) surplus(x int) float64 {
	if u := g.q.U[x]; stage.Near(g.q.H[x]) {
		return g.stage.Before.P[x] * u.Float()
	}
	return number.WideExp(g.stage.Before.Log[x]).Mul(g.q.U[x]).Float()
}

// meetZeros counts the mass that the forward chain has on states where f_t is zero and f_{t-1} is
// not, which makes its weight zero, and marks as doomed the states where f_{t-1} is zero and f_t is
// not, which make the weight of the reverse chain infinite.
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

// moveAdjoint adds -lambda to A, subtracts the given constant, and averages over the rows of the
// reversal.
func (g *general) moveAdjoint(constant float64) {
	s := g.stage
	for x, l := range s.Lambda {
		if s.Both(x) {
			g.adjoint[x] = g.adjoint[x] - l - constant
		} else {
			g.adjoint[x] = 0
		}
	}
	s.Average(g.adjoint, g.scratch)
}

// moveOnes averages ones over the rows of the reversal. Rows that are made from flows sum to one
// only as accurately as the kernel's rows leave the distribution invariant. The distance of ones
// from one therefore bounds the accuracy of the deviations q/p - 1, which are averaged over the
// same rows.
func (g *general) moveOnes() {
	s := g.stage
	if g.ones == nil {
		if !s.Outside || !s.Moves[0].Reversed() {
			return
		}
		g.ones = make([]float64, len(g.adjoint))
		for x := range g.ones {
			g.ones[x] = 1
		}
	}
	s.Average(g.ones, g.scratch)
}

// invariance returns the relative error of all numbers if the kernel's rows cost digits of the
// stated accuracy (see moveOnes), and else zero.
func (g *general) invariance() (lost float64) {
	for _, v := range g.ones {
		lost = max(lost, math.Abs(v-1))
	}
	if lost > promise {
		return lost
	}
	return 0
}

// solution returns the solution after the last stage.
func (g *general) solution() (*Solution, error) {
	s := g.stage
	d := stage.Divergences{}
	sol := &Solution{Target: append([]float64(nil), s.Here.P...), Method: MethodGeneral}
	sol.setLogZ(s.Here.LogZ, g.firstZ)
	doomed := loss{}
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
	sol.noteInfinities(infinities{&d, g.lost, doomed}, g.cure)
	sol.setResolution(g.largestChange)
	sol.invariance = g.invariance()
	forward, reverse := g.forward.Value(), g.reverse.Value()
	if g.anyDoomed {
		reverse += residual // the adjoint is then not centred: its mean under p_T is part of the answer
	}
	if g.lost.States > 0 {
		forward = math.Inf(1)
	}
	if doomed.States > 0 {
		reverse = math.Inf(1)
	}
	sol.B = forward + reverse
	sol.MeanLogWForward = sol.LogZRatio - forward
	sol.MeanLogWReverse = sol.LogZRatio + reverse
	sol.setCancellation(g.sizes)
	g.explorer.report(s.Annealing, sol, g.lost.States > 0)
	return sol, sol.checkMass()
}
