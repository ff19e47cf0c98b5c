package export

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/matrices"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/experiments/subject"
)

// Chain is a Markov chain in discrete time, for a model checker.
type Chain struct {
	Name  string
	Kind  string // the name of its kind
	Stage int    // the stage whose kernel it is; 0 for the chain of an annealing
	matrices.Chain
}

// ChainsOf computes the chains of a case for the kinds that are named and have Chains. It fails if
// Of does.
func ChainsOf(ctx context.Context, c subject.Case, o Options) (out []Chain, err error) {
	m, err := newMaker(ctx, c, o)
	if err != nil {
		return nil, err
	}
	m.described = true
	for _, k := range o.kinds(&c) {
		if k.Chains == nil {
			return nil, fmt.Errorf("the array %s is not a Markov chain", k.Name)
		}
		list, err := k.Chains(m)
		if err != nil {
			return nil, c.Wrong(fmt.Errorf("chain %s: %w", k.Name, err))
		}
		out = append(out, list...)
	}
	return out, nil
}

// annealed are the chains of whole annealings, in both directions.
func annealed() []Kind {
	const shape = "entries, entries, T states + 3"
	kind := func(d chains.Direction, doc string) Kind {
		unrolled := func(m *maker) ([]Chain, error) { return m.unrolled(d) }
		return Kind{
			Name: d.String() + "_csr", Several: true, Shape: shape, apart: true, Chains: unrolled, make: csr(unrolled),
			numbers: func(c *subject.Case, s size) float64 { return kernelNumbers(c, size{s.states, s.T, s.T}) },
			Doc:     doc,
		}
	}
	return []Kind{
		kind(chains.Forward,
			"the whole forward chain as one Markov chain: state 0 is before its start, 1 + (t - 1) n + x is state x of n at stage t, and the last state is after its end; its rows in the form of kernel_csr, forward_data, forward_indices and forward_indptr"),
		kind(chains.Reverse, "the same for the reverse chain, which starts from the target at stage T and moves by the time reversals of the kernels"),
	}
}

// csr returns a function that makes the rows of chains as arrays.
func csr(of func(m *maker) ([]Chain, error)) func(m *maker) ([]Array, error) {
	return func(m *maker) (out []Array, err error) {
		list, err := of(m)
		for _, c := range list {
			to, from := make([]int, len(c.To)), make([]int, 0, len(c.To))
			for i, y := range c.To {
				to[i] = int(y)
			}
			for x := range c.Len() {
				from = append(from, slices.Repeat([]int{x}, c.Starts[x+1]-c.Starts[x])...)
			}
			columns := []Column{{Name: "state", Of: from}, {Name: "to", Of: to}}
			if c.Stage > 0 {
				columns = append([]Column{{Name: "stage", Of: slices.Repeat([]int{c.Stage}, len(to))}}, columns...)
			}
			out = append(out,
				Array{Name: c.Name + "_data", Group: c.Kind, Axes: []Axis{{Sides: []int{len(to)}, Columns: columns}}, Floats: c.P},
				Array{Name: c.Name + "_indices", Axes: []Axis{{Sides: []int{len(to)}}}, Integers: to},
				Array{Name: c.Name + "_indptr", Axes: []Axis{{Sides: []int{len(c.Starts)}}}, Integers: c.Starts})
		}
		return out, err
	}
}

// appendRow appends a row of a kernel, by the states to which it leads, which stand from the given
// number on.
func appendRow(r *matrices.Rows, row []chains.Entry, first int) {
	row = slices.Clone(row)
	slices.SortStableFunc(row, func(a, b chains.Entry) int { return cmp.Compare(a.To, b.To) })
	for _, e := range row {
		if e.P > 0 {
			r.To, r.P = append(r.To, int32(first+e.To)), append(r.P, e.P)
		}
	}
	r.Starts = append(r.Starts, len(r.P))
}

// fits fails if rows up to a stage have more entries than memory is allowed for.
func (m *maker) fits(entries, stage int) error {
	if 4*float64(entries)*float64(8+m.o.Bytes) > maxBytes {
		return chains.NewAdvice("the rows up to stage %d take more than %.3g GB; give fewer {stages}", stage, maxBytes/1e9)
	}
	return nil
}

// kernels returns the kernels of the chosen stages. Any state may be their first. The reward p is
// the distribution of the stage, steps is one in each state, so that it counts moves, and those of
// the axes are the coordinates, so that a reward in the long run is a mean under that distribution.
func (m *maker) kernels() (out []Chain, err error) {
	total, a := 0, m.c.Annealing()
	err = m.eachKernel(m.stages, func(t int, rows *kernel.Rows, _ []float64) error {
		if total += len(rows.Entries); m.fits(total, t) != nil {
			return m.fits(total, t)
		}
		c := Chain{Name: fmt.Sprintf("kernel_%d", t), Kind: "kernel_csr", Stage: t,
			Chain: matrices.Chain{Rows: matrices.Rows{Starts: []int{0}}, States: m.variables()}}
		for x := range rows.States() {
			appendRow(&c.Rows, rows.Row(x), 0)
		}
		if m.described {
			c.Labels = append([]matrices.Label{{Name: matrices.Initial, In: slices.Repeat([]bool{true}, c.Len())}}, m.places(c.Len(), 0)...)
			p := matrices.Reward{Name: "p", Values: stages.Distribution(a.Path(), a.Beta(t))}
			steps := matrices.Reward{Name: "steps", Values: slices.Repeat([]float64{1}, c.Len())}
			c.Rewards = append([]matrices.Reward{p, steps}, coordinatesOf(&c.Chain)...)
		}
		out = append(out, c)
		return nil
	})
	return out, err
}

// coordinatesOf returns the variables of the states of a chain as rewards.
func coordinatesOf(c *matrices.Chain) (list []matrices.Reward) {
	for k, name := range c.States.Names {
		values := make([]float64, c.Len())
		for x := range values {
			values[x] = float64(c.States.At(x)[k])
		}
		list = append(list, matrices.Reward{Name: name, Values: values})
	}
	return list
}

// variables returns the coordinates of the states, or on a graph their numbers.
func (m *maker) variables() matrices.States {
	if m.c.Toy.ByLabel() {
		return matrices.States{Names: []string{"x"}, At: func(x int) []int { return []int{x} }}
	}
	lattice := m.c.Toy.Lattice()
	s := matrices.States{At: lattice.Coords}
	for _, column := range coordinates(lattice) {
		s.Names = append(s.Names, column.Name)
	}
	return s
}

// places returns labels for states of the target that matter, among n states of which those of the
// target stand from the given number on: peak where it is largest, and mode if the toy names one.
func (m *maker) places(n, first int) []matrices.Label {
	g, mark := m.c.Toy.G, func(name string, of func(x int) bool) matrices.Label {
		l := matrices.Label{Name: name, In: make([]bool, n)}
		for x := range m.c.Toy.G {
			l.In[first+x] = of(x)
		}
		return l
	}
	top := slices.Max(g)
	list := []matrices.Label{mark("peak", func(x int) bool { return g[x] == top })}
	if len(m.c.Toy.Mode) > 0 {
		list = append(list, mark("mode", func(x int) bool { return slices.Contains(m.c.Toy.Mode, x) }))
	}
	return list
}

// unrolled returns the chain of the whole annealing in one direction. It has a state before its
// start, from which it goes to the states of the first stage by their distribution, the states of
// all stages, and one behind its end, in which it stays.
func (m *maker) unrolled(d chains.Direction) ([]Chain, error) {
	a, n, T := m.c.Annealing(), m.c.Annealing().States(), m.c.Distributions()
	at := func(t int) int { return 1 + (t-1)*n } // where the states of a stage begin
	end, first := at(T+1), 1
	if d == chains.Reverse {
		first = T
	}
	r := matrices.Rows{Starts: []int{0}}
	start := make([]chains.Entry, n)
	for x, p := range stages.Distribution(a.Path(), a.Beta(first)) {
		start[x] = chains.Entry{To: x, P: p}
	}
	appendRow(&r, start, at(first))
	over := func() {
		for range n {
			appendRow(&r, []chains.Entry{{P: 1}}, end)
		}
	}
	if d == chains.Reverse {
		over()
	}
	flows := &kernel.Flows{}
	err := m.eachKernel(upFrom(2, T-1), func(t int, rows *kernel.Rows, logf []float64) (err error) {
		to := t
		if d == chains.Reverse {
			to = t - 1
			if rows, err = flows.Turn(m.ctx, a.KernelAt(t), rows, logf); err != nil {
				return fmt.Errorf("stage %d: %w", t, err)
			}
		}
		for x := range n {
			appendRow(&r, rows.Row(x), at(to))
		}
		return m.fits(len(r.P), t)
	})
	if err != nil {
		return nil, err
	}
	if d == chains.Forward {
		over()
	}
	appendRow(&r, []chains.Entry{{P: 1}}, end)
	c := Chain{Name: d.String(), Kind: d.String() + "_csr", Chain: matrices.Chain{Rows: r, States: m.stagedVariables(end)}}
	if m.described {
		c.Labels = append([]matrices.Label{only(matrices.Initial, 0, end+1), only("end", end, end+1)}, m.places(end+1, at(T))...)
		c.Rewards = m.increments(at)
	}
	return []Chain{c}, nil
}

// only returns the label of one of n states.
func only(name string, x, n int) matrices.Label {
	l := matrices.Label{Name: name, In: make([]bool, n)}
	l.In[x] = true
	return l
}

// stagedVariables returns the stage t and the variables of the states of an unrolled annealing: t
// is 0 before its start, and T + 1 behind its end.
func (m *maker) stagedVariables(end int) matrices.States {
	s, n, T := m.variables(), m.c.Annealing().States(), m.c.Distributions()
	return matrices.States{Names: append([]string{"t"}, s.Names...), At: func(x int) []int {
		switch x {
		case 0:
			return make([]int, 1+len(s.Names))
		case end:
			return append([]int{T + 1}, make([]int, len(s.Names))...)
		}
		return append([]int{1 + (x-1)/n}, s.At((x-1)%n)...)
	}}
}

// increments returns what each state of an unrolled annealing adds to log w, in nats, and what it
// takes away: model checkers refuse rewards below zero. There are none if a weight may be zero or
// infinite.
func (m *maker) increments(at func(t int) int) []matrices.Reward {
	a, n, T := m.c.Annealing(), m.c.Annealing().States(), m.c.Distributions()
	up, down := make([]float64, at(T+1)+1), make([]float64, at(T+1)+1)
	now, next := make([]float64, n), make([]float64, n)
	a.LogF(now, 1)
	for t := 1; t < T; t++ {
		a.LogF(next, t+1)
		for x := range n {
			v := next[x] - now[x]
			switch {
			case math.IsInf(v, 0):
				if m.o.LeftOut != nil {
					m.o.LeftOut("reward log_w")
				}
				return nil
			case v > 0:
				up[at(t)+x] = v
			case v < 0: // it is no number at a zero of both, if no chain ever is
				down[at(t)+x] = -v
			}
		}
		now, next = next, now
	}
	return []matrices.Reward{{Name: "log_w_up", Values: up}, {Name: "log_w_down", Values: down}}
}
