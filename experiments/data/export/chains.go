package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/matrices"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/experiments/subject"
)

// Chain is a Markov chain in discrete time, for other programs.
type Chain struct {
	Name  string
	Kind  string // the name of its kind
	Stage int    // the stage whose kernel it is; 0 for the chain of an annealing
	matrices.Rows
}

// ChainsOf computes the chains of a case for the kinds that are named and have Chains. It fails if
// ArraysOf does.
func ChainsOf(ctx context.Context, c subject.Case, o Options) (out []Chain, err error) {
	m, err := newMaker(c, o)
	if err != nil {
		return nil, err
	}
	for _, k := range o.kinds(&c) {
		if k.Chains == nil {
			return nil, fmt.Errorf("the array %s is not a Markov chain", k.Name)
		}
		list, err := k.Chains(ctx, m)
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
		unrolled := func(ctx context.Context, m *maker) ([]Chain, error) { return m.unrolled(ctx, d) }
		return Kind{
			Name:    d.String() + "_csr",
			Several: true,
			Shape:   shape,
			apart:   true,
			Chains:  unrolled,
			make:    csr(unrolled),
			numbers: func(c *subject.Case, s size) float64 {
				return kernelNumbers(c, size{s.states, s.T, s.T})
			},
			Doc: doc,
		}
	}
	return []Kind{
		kind(chains.Forward,
			"the whole forward chain as one Markov chain: state 0 is before its start, 1 + (t - 1) n + x "+
				"is state x of n at stage t, and the last state is after its end: forward_data, "+
				"forward_indices and forward_indptr"),
		kind(chains.Reverse,
			"the whole reverse chain, laid out as forward_csr; it starts from the target at stage T and moves by the "+
				"time reversals of the kernels"),
	}
}

// csr returns a function that makes the rows of chains as arrays.
func csr(of func(ctx context.Context, m *maker) ([]Chain, error)) func(ctx context.Context, m *maker) ([]Array, error) {
	return func(ctx context.Context, m *maker) (out []Array, err error) {
		list, err := of(ctx, m)
		for _, c := range list {
			to := make([]int, len(c.To))
			from := make([]int, 0, len(c.To))
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
				Array{
					Name:   c.Name + "_data",
					Group:  c.Kind,
					Axes:   []Axis{{Sides: []int{len(to)}, Columns: columns}},
					Floats: c.P,
				},
				Array{Name: c.Name + "_indices", Axes: []Axis{{Sides: []int{len(to)}}}, Integers: to},
				Array{
					Name:     c.Name + "_indptr",
					Axes:     []Axis{{Sides: []int{len(c.Starts)}}},
					Integers: c.Starts,
				})
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

// checkMemory fails if rows up to a stage have more entries than memory is allowed for.
func (m *maker) checkMemory(entries, stage int) error {
	if 4*float64(entries)*float64(8+m.o.Bytes) > maxBytes {
		return errs.New("the rows up to stage %d take more than %.3g GB; give fewer {stages}",
			stage, maxBytes/1e9)
	}
	return nil
}

// kernels returns the kernels of the chosen stages.
func kernels(ctx context.Context, m *maker) (out []Chain, err error) {
	total := 0
	err = m.eachKernel(ctx, m.stages, func(t int, rows *kernel.Rows, _ []float64) error {
		total += len(rows.Entries)
		if m.checkMemory(total, t) != nil {
			return m.checkMemory(total, t)
		}
		c := Chain{
			Name:  fmt.Sprintf("kernel_%d", t),
			Kind:  "kernel_csr",
			Stage: t,
			Rows:  matrices.Rows{Starts: []int{0}},
		}
		for x := range rows.States() {
			appendRow(&c.Rows, rows.Row(x), 0)
		}
		out = append(out, c)
		return nil
	})
	return out, err
}

// unrolled returns the chain of the whole annealing in one direction. It has a state before its
// start, from which it goes to the states of the first stage by their distribution, the states of
// all stages, and one behind its end, in which it stays.
func (m *maker) unrolled(ctx context.Context, d chains.Direction) ([]Chain, error) {
	a := m.c.Annealing()
	n := m.c.Annealing().States()
	T := m.c.Distributions()
	at := func(t int) int { return 1 + (t-1)*n } // where the states of a stage begin
	end := at(T + 1)
	first := 1
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
	err := m.eachKernel(ctx, upFrom(2, T-1), func(t int, rows *kernel.Rows, logf []float64) (err error) {
		to := t
		if d == chains.Reverse {
			to = t - 1
			rows, err = flows.Turn(ctx, a.KernelAt(t), rows, logf)
			if err != nil {
				return fmt.Errorf("stage %d: %w", t, err)
			}
		}
		for x := range n {
			appendRow(&r, rows.Row(x), at(to))
		}
		return m.checkMemory(len(r.P), t)
	})
	if err != nil {
		return nil, err
	}
	if d == chains.Forward {
		over()
	}
	appendRow(&r, []chains.Entry{{P: 1}}, end)
	return []Chain{{Name: d.String(), Kind: d.String() + "_csr", Rows: r}}, nil
}
