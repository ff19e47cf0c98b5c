package crosscheck

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/experiments/eprocess"
)

// Laws are the exact laws that a simulation of one annealing is tested against: those of whole chains, of single moves and
// of short chains.
type Laws struct {
	*ChainLaws
	// rows holds, for some stages t, the law of a uniform state x and the state y to which T_t moves it, in cell x n + y.
	rows []stageLaw
	// single are annealings of one move; nil where there are no rows.
	single *single
	// probes are short annealings with the same kernel.
	probes []*probe
}

// Named sets the labels of the states, by which findings name them; nil stands for numbers.
func (l *Laws) Named(label func(x int) string) {
	l.ChainLaws.Named(label)
	for _, p := range l.probes {
		p.label = label
	}
}

// stageLaw is the law of a move at stage t of an annealing from a uniform state.
type stageLaw struct {
	name string
	a    *chains.Annealing
	t    int
	cell []float64
}

// NewLaws computes the laws. It fails where exact.Solve would. Simulations are given the annealing with the time reversal
// of every stage, which a kernel from outside does not know (see exact.WithReversal).
func NewLaws(ctx context.Context, a *chains.Annealing) (*Laws, error) { return newLaws(ctx, a, nil) }

// newLaws does what NewLaws does, and reports progress as Options.Solved says.
func newLaws(ctx context.Context, a *chains.Annealing, solved func(steps int)) (*Laws, error) {
	whole, err := chainLaws(ctx, a, eprocess.Powers(), solved)
	if err != nil {
		return nil, err
	}
	a = whole.a
	T := a.Distributions()
	l := &Laws{ChainLaws: whole}
	if err := l.addProbes(ctx); err != nil {
		return nil, err
	}
	if n := a.States(); n > MaxPairStates {
		l.skip("%d states are more than %d, so that the rows of the kernel, consecutive chains and the joint law of x_1 and x_T are not tested", n, MaxPairStates)
	} else {
		for _, t := range slices.Compact([]int{2, (T + 2) / 2, T}) {
			if err := l.addRows(ctx, fmt.Sprintf("kernel rows at t = %d", t), a, t); err != nil {
				return nil, err
			}
		}
		if err := l.addSingle(); err != nil {
			return nil, err
		}
		for _, p := range l.probes {
			if p.name == steep {
				if err := l.addRows(ctx, "kernel rows, steep", p.a, p.a.Distributions()); err != nil {
					return nil, err
				}
			}
		}
	}
	return l, nil
}

func (l *Laws) addRows(ctx context.Context, name string, a *chains.Annealing, t int) error {
	n := a.States()
	logf := make([]float64, n)
	a.LogF(logf, t)
	rows, err := kernel.NewRows(ctx, a.KernelAt(t), logf)
	if err != nil {
		return err
	}
	cell := make([]float64, n*n)
	for x := range n {
		for _, e := range rows.Row(x) {
			cell[x*n+e.To] = e.P / float64(n)
		}
	}
	l.rows = append(l.rows, stageLaw{name, a, t, cell})
	return nil
}
