package hypotheses

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/exact/program"
)

// markov is a program of annealing with its choices enumerated: the law of the first state, and every step.
type markov struct {
	n     int
	start []float64
	steps []step
}

// step holds where a chain can go from state x, at from[x] to from[x+1] of entries, without what has probability zero. The
// log weight grows by the increment of the state before the move, or of the one after it.
type step struct {
	from       []int
	entries    []chains.Entry
	increments []float64
	before     bool
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
		s := step{from: make([]int, n+1), increments: make([]float64, n), before: r.Before()}
		for x := range n {
			s.increments[x] = r.Increment(t, x)
		}
		var rows *kernel.Rows
		if r.Moves(t) {
			if rows, err = kernel.NewRows(ctx, r.Kernel(t), r.LogF[r.Stage(t)]); err != nil {
				return nil, fmt.Errorf("stage t = %d: %w", t, err)
			}
		}
		for x := range n {
			s.add(x, rows)
		}
		m.steps = append(m.steps, s)
	}
	return m, nil
}

// add adds where a chain can go from the next state x; it stays where there are no rows.
func (s *step) add(x int, rows *kernel.Rows) {
	row := []chains.Entry{{To: x, P: 1}}
	if rows != nil {
		row = rows.Row(x)
	}
	for _, e := range row {
		if e.P > 0 {
			s.entries = append(s.entries, e)
		}
	}
	s.from[x+1] = len(s.entries)
}

// of returns where a chain can go from a state.
func (s *step) of(x int) []chains.Entry { return s.entries[s.from[x]:s.from[x+1]] }

// increment returns what a move adds to the log weight.
func (s *step) increment(from, to int) float64 {
	if s.before {
		return s.increments[from]
	}
	return s.increments[to]
}

// entries returns the number of entries of all steps.
func (m *markov) entries() int {
	total := 0
	for i := range m.steps {
		total += len(m.steps[i].entries)
	}
	return total
}

// last returns the law of the last state.
func (m *markov) last() []float64 {
	mass, next := append([]float64(nil), m.start...), make([]float64, m.n)
	for i := range m.steps {
		clear(next)
		for x, p := range mass {
			for _, e := range m.steps[i].of(x) {
				next[e.To] += p * e.P
			}
		}
		mass, next = next, mass
	}
	return mass
}
