package hypotheses

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/exact/program"
)

// markov is a program of annealing with its choices enumerated: the law of the first state, and for every step the branches
// from every state, each with its increment.
type markov struct {
	n     int
	start []float64
	steps []step
}

// step holds the branches from state x at from[x] to from[x+1].
type step struct {
	from     []int
	branches []branch
}

type branch struct {
	to           int
	p, increment float64
}

// tabulate enumerates the choices of a program.
func tabulate(ctx context.Context, c *code) (*markov, error) {
	r := c.Annealer
	n := len(r.LogF[1])
	m := &markov{n: n, start: make([]float64, n)}
	first, err := program.Enumerate(ctx, r.Start, program.Options{})
	if err != nil {
		return nil, fmt.Errorf("the start: %w", err)
	}
	for _, o := range first.Outcomes() {
		m.start[o.Value] += o.P
	}
	for i := 1; i <= r.Steps(); i++ {
		t := r.At(i)
		s := step{from: make([]int, n+1)}
		var rows *kernel.Rows
		if r.Moves(t) {
			if rows, err = kernel.NewRows(ctx, r.Kernel(t), r.LogF[r.Stage(t)]); err != nil {
				return nil, fmt.Errorf("stage t = %d: %w", t, err)
			}
		}
		for x := range n {
			row := []chains.Entry{{To: x, P: 1}}
			if rows != nil {
				row = rows.Row(x)
			}
			for _, e := range row {
				weighed := e.To
				if r.Before() {
					weighed = x
				}
				s.branches = append(s.branches, branch{e.To, e.P, r.Increment(t, weighed)})
			}
			s.from[x+1] = len(s.branches)
		}
		m.steps = append(m.steps, s)
	}
	return m, nil
}

// of returns the branches from a state.
func (s *step) of(x int) []branch { return s.branches[s.from[x]:s.from[x+1]] }

// entries returns the number of branches of all steps.
func (m *markov) entries() int {
	total := 0
	for i := range m.steps {
		total += len(m.steps[i].branches)
	}
	return total
}

// last returns the law of the last state.
func (m *markov) last() []float64 {
	mass, next := append([]float64(nil), m.start...), make([]float64, m.n)
	for i := range m.steps {
		clear(next)
		for x, p := range mass {
			for _, b := range m.steps[i].of(x) {
				next[b.to] += p * b.p
			}
		}
		mass, next = next, mass
	}
	return mass
}
