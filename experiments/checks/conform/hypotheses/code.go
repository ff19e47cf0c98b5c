package hypotheses

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/exact/program"
	"breadboard/experiments/checks/planted"
)

// code is a program under a hypothesis: an annealer, and what is done to its results before they
// are written.
type code struct {
	*planted.Annealer
	// state changes the states that are written, and exchanged is whether the two ends are written
	// in each other's place. A nil state is none.
	state     func(x int) int
	exchanged bool
	// scale and offset say which multiple of the log weight is written, and what is added to it.
	scale, offset float64
	value         func(v float64) float64 // changes a log weight in another way; nil is none
	blurred       bool                    // whether log weights have the digits of single precision
}

// written returns what is written of a chain.
func (c *code) written(first, last int, v float64) (int, int, float64) {
	if c.state != nil {
		first, last = c.state(first), c.state(last)
	}
	if c.exchanged {
		first, last = last, first
	}
	v = c.scale*v + c.offset // an infinity stays as it is
	if c.value != nil {
		v = c.value(v)
	}
	return first, last, v
}

// ends returns x_1 and x_T of a chain from where the program starts to where it ends.
func (c *code) ends(start, end int) (first, last int) {
	if c.Direction() == chains.Reverse {
		return end, start
	}
	return start, end
}

// origins returns the number of starts that must be told apart: n if a column is the state at which
// the program starts.
func (c *code) origins(columns Columns, n int) int {
	startIsFirst := (c.Direction() == chains.Forward) != c.exchanged
	if startIsFirst && columns.First || !startIsFirst && columns.Last {
		return n
	}
	return 1
}

// include has the program add log Z_1 to the log weight first of all. What it writes is then
// compared without log Z_1.
func (c *code) include(logZ1 float64) {
	if change := c.value; change != nil {
		c.value = func(v float64) float64 { return change(v+logZ1) - logZ1 }
	}
	c.offset += (c.scale - 1) * logZ1
}

// Columns says which columns chains have.
type Columns struct {
	First, Last bool // the states x_1 and x_T
	LogW        bool // the log weight, in nats
}

// key returns the number of a pair of ends, of which those that are not known count as zero.
func (c Columns) key(first, last, n int) int {
	k := 0
	if c.First {
		k = first
	}
	if c.Last {
		k = k*n + last
	}
	return k
}

// keys returns the number of keys.
func (c Columns) keys(n int) int { return c.key(n-1, n-1, n) + 1 }

// ends returns the ends that a key stands for, and -1 for one that is not known.
func (c Columns) ends(key, n int) (first, last int) {
	first, last = -1, -1
	if c.Last {
		last = key % n
		key /= n
	}
	if c.First {
		first = key
	}
	return first, last
}

// withoutStart returns the columns without the state at which chains of a direction start.
func (c Columns) withoutStart(d chains.Direction) Columns {
	if d == chains.Forward {
		c.First = false
	} else {
		c.Last = false
	}
	return c
}

// markov is a program of annealing with its choices enumerated: the distribution of the first
// state, and every step.
type markov struct {
	n     int
	start []float64
	steps []step
}

// step holds if a chain can go from state x, at from[x] to from[x+1] of entries, without what has
// probability zero. The log weight grows by the increment of the state before the move, or of the
// one after it.
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
		t := r.StageAt(i)
		s := step{from: make([]int, n+1), increments: make([]float64, n), before: r.Before()}
		for x := range n {
			s.increments[x] = r.Increment(t, x)
		}
		var rows *kernel.Rows
		if r.Moves(t) {
			rows, err = kernel.NewRows(ctx, r.Kernel(t), r.LogF[r.Stage(t)])
			if err != nil {
				return nil, fmt.Errorf("stage t = %d: %w", t, err)
			}
		}
		for x := range n {
			s.addTransitions(x, rows)
		}
		m.steps = append(m.steps, s)
	}
	return m, nil
}

// addTransitions adds where a chain can go from the next state x; it stays if there are no rows.
func (s *step) addTransitions(x int, rows *kernel.Rows) {
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

// startAt returns the place of a start x among pairs of origin and state.
func (m *markov) startAt(x, origins int) int {
	if origins > 1 {
		return x*m.n + x
	}
	return x
}

// entriesFrom returns where a chain can go from a state.
func (s *step) entriesFrom(x int) []chains.Entry { return s.entries[s.from[x]:s.from[x+1]] }

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

// last returns the distribution of the last state.
func (m *markov) last() []float64 {
	mass := slices.Clone(m.start)
	next := make([]float64, m.n)
	for i := range m.steps {
		clear(next)
		for x, p := range mass {
			for _, e := range m.steps[i].entriesFrom(x) {
				next[e.To] += p * e.P
			}
		}
		mass, next = next, mass
	}
	return mass
}
