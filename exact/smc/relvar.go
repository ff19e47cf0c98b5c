package smc

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/stage"
)

// Limits are the limits of P times the relative variance of Zhat, and of P^2 J, as the number P of
// particles grows. With v the limit of P (E[Zhat/Z | output] - 1), P is the mean of v under the
// target and P2J its variance.
type Limits struct {
	P   float64
	P2J number.Bounded
}

// spreading is the recursion for one number of particles. With eta the distribution of a particle
// that is chosen evenly among them,
//
//	A = E[(Zhat/Z)^2 eta x eta]   becomes   (1 - 1/P) T'(wAw)T + (1/P) diag(T'(wAw)1).
//
// What is carried is E = P (A - p x p), its row sums r and its total, each by a recursion of its
// own in which nothing cancels that the others have: with e = w - 1 and p the next distribution
// (or, if that has gained states, E[Zhat/Z; x]),
//
//	total gains 2 e.r + e.Ee,   r becomes T'(w(r + Ee)),   E becomes (1 - 1/P) T'(wEw)T + diag(p + r/P) - p x p.
type spreading struct {
	over       float64 // 1/P, zero for infinitely many
	m, scratch []float64
	rows, next []float64
	total      number.Sum // P times the relative variance
}

// RelativeVariances returns the relative variance of Zhat, its variance over the square of its
// mean, for each number of particles, with multinomial resampling at every stage; and the limits
// for many particles. The result is exact for any number of particles.
//
// All numbers share one sweep. A stage takes 2 n operations for each entry of the transition matrix
// and each number of particles, n the number of states; memory is 16 n^2 bytes for each number. If
// that would be more than 16 GiB, or if the log weight of a stage leaves the range of float64, all
// are NaN.
func RelativeVariances(ctx context.Context, a *chains.Annealing, particles []int,
	o Options) ([]float64, Limits, error) {
	limiting := len(particles)
	each := make([]*spreading, limiting+1)
	for i, P := range particles {
		if err := particle.CheckSMC(P, 1); err != nil {
			return nil, Limits{}, err
		}
		each[i] = &spreading{over: 1 / float64(P)}
	}
	each[limiting] = &spreading{}
	scaled, p, err := variances(ctx, a, each, o)
	if err != nil {
		return nil, Limits{}, err
	}
	out := make([]float64, limiting)
	for i := range out {
		out[i] = scaled[i] * each[i].over
	}
	limits := Limits{math.NaN(), number.Exactly(math.NaN())}
	if p != nil {
		limits = Limits{scaled[limiting], each[limiting].limitOfJ(p, rounding(a))}
	}
	return out, limits, nil
}

// relativeVariance returns the relative variance of Zhat for one number of particles, without the
// limits, which take as long.
func relativeVariance(ctx context.Context, a *chains.Annealing, P int, o Options) (float64, error) {
	out, _, err := variances(ctx, a, []*spreading{{over: 1 / float64(P)}}, o)
	if err != nil {
		return 0, err
	}
	return out[0] * (1 / float64(P)), nil
}

// variances returns P times the relative variances from the recursions, and the target; NaN and nil
// if they would take too much memory.
func variances(ctx context.Context, a *chains.Annealing, each []*spreading,
	o Options) ([]float64, *stage.Density, error) {
	if err := exact.Validate(a); err != nil {
		return nil, nil, err
	}
	n := a.States()
	out := nans(len(each))
	if 16*float64(n)*float64(n)*float64(len(each)) > 16<<30 {
		return out, nil, nil
	}
	p, mean, err := spread(ctx, a, each, o)
	if err != nil {
		return nil, nil, err
	}
	for i, e := range each {
		out[i] = orNaN(e.total.Value() / (mean * mean))
	}
	return out, p, nil
}

// spread takes all recursions through all stages. It returns the target, and E Zhat/Z, which is
// less than one if some of the target's mass is where no run comes.
func spread(ctx context.Context, a *chains.Annealing, each []*spreading,
	o Options) (*stage.Density, float64, error) {
	p := stage.NewProblem(a, o.Progress)
	p.Pulse = 1 // a stage takes far longer than that of one chain
	s := stage.NewStage(p.Annealing)
	c := crew.New(min(max(1, o.Workers), len(each)))
	defer c.Dismiss()
	for _, e := range each {
		e.setIndependent(ctx, s.Here.P)
	}
	var w weighing
	var moves []*transition
	// E[w; x] of a chain: the distribution itself, unless it has gained states
	chain := slices.Clone(s.Here.P)
	scratch := make([]float64, len(chain))
	gained := false
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.Load(ctx, s, t); err != nil {
			return nil, 0, err
		}
		w.takeWeights(s)
		for len(moves) < len(s.Moves) {
			moves = append(moves, &transition{})
		}
		moves = moves[:len(s.Moves)]
		for i, m := range s.Moves {
			moves[i].setMatrix(m.Forward)
		}
		for x, v := range w.w {
			chain[x] *= v
			gained = gained || s.Here.On(x) && !s.Before.On(x)
		}
		for _, m := range moves {
			m.push(scratch, chain)
			chain, scratch = scratch, chain
		}
		if !gained {
			copy(chain, s.Here.P)
		}
		c.Run(len(each), func(i int) { each[i].stepStage(ctx, &w, moves, chain) })
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
	}
	p.Flush()
	if !gained {
		return &s.Here, 1, nil
	}
	return &s.Here, number.Total(chain), nil
}

// setIndependent makes the distribution of independent draws from p, E = diag(p) - p x p.
func (e *spreading) setIndependent(ctx context.Context, p []float64) {
	n := len(p)
	e.m = make([]float64, n*n)
	e.scratch = make([]float64, n*n)
	e.rows = make([]float64, n)
	e.next = make([]float64, n)
	e.refill(ctx, p)
}

// refill adds diag(p + r/P) - p x p.
func (e *spreading) refill(ctx context.Context, p []float64) {
	n := len(p)
	for x, px := range p {
		if ctx.Err() != nil {
			return
		}
		row := e.m[x*n : (x+1)*n]
		for y, py := range p {
			row[y] -= float64(px * py)
		}
		row[x] += px + e.over*e.rows[x]
	}
}

// stepStage takes the recursion through a stage to the distribution p.
func (e *spreading) stepStage(ctx context.Context, w *weighing, moves []*transition, p []float64) {
	n := len(p)
	for x := range n {
		if ctx.Err() != nil {
			return
		}
		row := e.m[x*n : (x+1)*n]
		var rise float64 // Ee at x
		for y, v := range row {
			rise += v * w.rise[y]
			row[y] = v * w.w[x] * w.w[y]
		}
		e.total.Add(w.rise[x] * (2*e.rows[x] + rise))
		e.next[x] = w.w[x] * (e.rows[x] + rise)
	}
	e.rows, e.next = e.next, e.rows
	for _, t := range moves {
		t.push(e.next, e.rows)
		e.rows, e.next = e.next, e.rows
		if e.over < 1 {
			t.both(ctx, e.m, e.scratch)
		}
	}
	keep := 1 - e.over
	for i := range e.m {
		e.m[i] *= keep
	}
	e.refill(ctx, p)
}

// limitOfJ returns the variance under p of v = r/p, whose mean is Limits.P. A weight is rounded by
// err, and each term of a row with it, so that v is rounded relative to its size and to its root:
// it is a square of weights less one.
func (e *spreading) limitOfJ(p *stage.Density, err float64) number.Bounded {
	var mean, variance, rounded number.Sum
	for _, r := range e.rows {
		mean.Add(r)
	}
	for x, r := range e.rows {
		if p.P[x] > 0 {
			v := math.Abs(r / p.P[x])
			d := math.Abs(r/p.P[x] - mean.Value())
			variance.Add(p.P[x] * d * d)
			rounded.Add(p.P[x] * d * (v + d + math.Sqrt(v)))
		}
	}
	err = 2 * (err + 0x1p-52*float64(len(e.rows))) * rounded.Value()
	return number.UpTo(orNaN(variance.Value()), err)
}

// orNaN returns v, and NaN for an infinite one: the sums have then left the range of float64.
func orNaN(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}
