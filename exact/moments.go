package exact

import (
	"context"
	"math"

	"breadboard/chains"
)

// Moments are the mean and the variance of the log weight of one chain, in nats and nats squared. They are
// infinite or NaN where a weight is zero or infinite with positive probability.
type Moments struct{ Mean, Variance float64 }

// LogWeight returns the moments of log w in the given direction, by propagating E[s] and E[s^2] of the sum s so
// far beside the law of the state, with the mean taken out at every stage. It takes one sweep of O(T entries)
// time and O(entries) memory. The variance is accurate to about 1e-10 relative.
func LogWeight(ctx context.Context, a *chains.Annealing, d chains.Direction, opts ...Option) (Moments, error) {
	p := newProblem(a, opts)
	s := newStage(p.a)
	T := a.Distributions()
	m := &joint{}
	for step := 2; step <= T; step++ {
		if err := p.step(ctx); err != nil {
			return Moments{}, err
		}
		t := step
		if d == chains.Reverse {
			t = T + 2 - step
		}
		if err := s.load(t); err != nil {
			return Moments{}, err
		}
		if step == 2 {
			m.start(s.origin(d).p)
		}
		if d == chains.Forward {
			m.increase(s)
			m.move(s.forward)
		} else {
			m.move(s.backward)
			m.increase(s)
		}
	}
	variance := 0.0
	for _, v := range m.second {
		variance += v
	}
	p.flush()
	return Moments{m.mean.value() + p.offset, variance}, nil
}

// joint is the law of the state x of a chain together with the moments of the log weight s so far, less its
// mean: P(x), E[s; x] and E[s^2; x].
type joint struct {
	mass, first, second []float64
	mean                sum
	scratch             []float64
}

func (j *joint) start(p []float64) {
	j.mass = append([]float64(nil), p...)
	j.first, j.second, j.scratch = make([]float64, len(p)), make([]float64, len(p)), make([]float64, len(p))
}

func (j *joint) move(rows *Rows) {
	for _, v := range []*[]float64{&j.mass, &j.first, &j.second} {
		clear(j.scratch)
		for x, m := range *v {
			for _, e := range rows.Row(x) {
				j.scratch[e.To] += m * e.P
			}
		}
		*v, j.scratch = j.scratch, *v
	}
}

// increase adds the increment of the stage to s.
func (j *joint) increase(s *stage) {
	mean := 0.0
	for x, m := range j.mass {
		if m > 0 {
			mean += m * j.increment(s, x)
		}
	}
	j.mean.add(mean)
	for x, m := range j.mass {
		if m == 0 {
			continue
		}
		d := j.increment(s, x) - mean
		j.second[x] += d * (2*j.first[x] + d*m)
		j.first[x] += d * m
	}
}

// increment returns log f_t - log f_{t-1} at x for a chain that is there.
func (j *joint) increment(s *stage, x int) float64 {
	switch {
	case s.both(x):
		return s.delta[x]
	case s.before.on(x):
		return math.Inf(-1)
	case s.here.on(x):
		return math.Inf(1)
	}
	return 0 // the weight is zero already
}
