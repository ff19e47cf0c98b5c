package exact

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
)

// Marginal holds the distributions at one stage of an annealing, one probability for each state.
type Marginal struct {
	Stage   int // t, from 1 to T
	Beta    float64
	P       []float64 // p_t, the distribution that the stage stands for
	Forward []float64 // the law of x_t in the forward chain
	Reverse []float64 // the law of x_t in the reverse chain
}

// Marginals returns the distributions at the given stages, in the order given. A stage outside 1..T is an
// error. It takes two sweeps of O(T entries) time; memory grows only with the number of stages.
func Marginals(ctx context.Context, a *chains.Annealing, stages []int, opts ...Option) ([]Marginal, error) {
	at := make(map[int][]int) // stage to places in the result
	out := make([]Marginal, len(stages))
	for i, t := range stages {
		if t < 1 || t > a.Distributions() {
			return nil, fmt.Errorf("exact: stage %d of an annealing with %d distributions; stages are 1 to %d", t, a.Distributions(), a.Distributions())
		}
		at[t] = append(at[t], i)
		out[i].Stage, out[i].Beta = t, a.Beta(t)
	}
	p := newProblem(a, opts)
	s := newStage(p.a)
	q := newRatios(&s.here)
	record := func(t int, put func(*Marginal, []float64)) {
		for _, i := range at[t] {
			out[i].P = append([]float64(nil), s.density(t).p...)
			put(&out[i], q.masses(s.density(t)))
		}
	}
	record(1, func(m *Marginal, v []float64) { m.Forward = v })
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.step(ctx); err != nil {
			return nil, err
		}
		if err := s.load(ctx, t); err != nil {
			return nil, err
		}
		q.rebase(&s.before, &s.here, s.lambda)
		q.move(&s.here, s.forward, s.backward, s.tinyBackward)
		record(t, func(m *Marginal, v []float64) { m.Forward = v })
	}
	q = newRatios(&s.here)
	record(a.Distributions(), func(m *Marginal, v []float64) { m.Reverse = v })
	for t := a.Distributions(); t >= 2; t-- {
		if err := p.step(ctx); err != nil {
			return nil, err
		}
		if err := s.load(ctx, t); err != nil {
			return nil, err
		}
		q.move(&s.here, s.backward, s.forward, s.tinyForward)
		for x := range s.lambda {
			s.lambda[x] = -s.lambda[x]
		}
		q.rebase(&s.here, &s.before, s.lambda)
		record(t-1, func(m *Marginal, v []float64) { m.Reverse = v })
	}
	p.flush()
	return out, nil
}

// density returns p_t or p_{t-1} of the stage.
func (s *stage) density(t int) *density {
	if t == s.t {
		return &s.here
	}
	return &s.before
}

// masses returns q under the reference p.
func (r *ratios) masses(p *density) []float64 {
	q := make([]float64, len(r.h))
	for x := range q {
		q[x] = r.mass(x, p).float()
	}
	return q
}

// Distribution returns the distribution on the path at beta, 0 <= beta <= 1, one probability for each state.
func Distribution(path chains.Path, beta float64) []float64 {
	path, _ = path.Centred()
	p := make([]float64, path.States())
	path.LogF(p, chains.At(beta))
	logZ := logSumExp(p)
	for x, v := range p {
		p[x] = math.Exp(v - logZ)
	}
	return p
}
