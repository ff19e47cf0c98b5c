package crosscheck

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
)

// maxJointWork bounds the products that the joint law of both ends takes, some tenths of a second.
const maxJointWork = 2e8

// addJoint computes the joint law of x_1 and x_T of whole chains, where that is cheap: the chains that start at each state
// are pushed through all stages.
func (l *ChainLaws) addJoint(ctx context.Context) error {
	if l.a.States() > MaxPairStates {
		return nil // those who make the laws say that this is not tested
	}
	l.ends = map[chains.Direction][]float64{}
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		law, err := jointLaw(ctx, l.a, d, maxJointWork)
		if err != nil {
			return err
		}
		if law == nil {
			l.ends = nil
			l.skip("the joint law of x_1 and x_T would take more than %.0e products, and is not tested", maxJointWork)
			return nil
		}
		l.ends[d] = law
	}
	return nil
}

// jointLaw returns the joint law of x_1 and x_T, in cell x_1 n + x_T, for chains of one direction. It returns nil where it
// would take more products than most.
func jointLaw(ctx context.Context, a *chains.Annealing, d chains.Direction, most float64) ([]float64, error) {
	T, n := a.Distributions(), a.States()
	mass, next := make([]float64, n*n), make([]float64, n*n) // row x is for the chains that start at x
	for x, p := range stages.Distribution(a.Path(), float64(d)) {
		mass[x*n+x] = p
	}
	logf := make([]float64, n)
	for step := 2; step <= T; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows, t, err := rowsOf(ctx, a, d, step, logf)
		if err != nil {
			return nil, fmt.Errorf("stage t = %d of %d: %w", t, T, err)
		}
		entries := 0
		for x := range n {
			entries += len(rows.Row(x))
		}
		if float64(entries)*float64(n)*float64(T-1) > most {
			return nil, nil
		}
		clear(next)
		for at, p := range mass {
			if p == 0 {
				continue
			}
			to := next[at/n*n:][:n]
			for _, e := range rows.Row(at % n) {
				to[e.To] += p * e.P
			}
		}
		mass, next = next, mass
	}
	if d == chains.Reverse {
		for x := range n {
			for y := range n {
				next[y*n+x] = mass[x*n+y]
			}
		}
		mass = next
	}
	return mass, nil
}

// rowsOf returns the rows of a move of chains of one direction and the stage t of that move. The moves are numbered from
// step 2. It writes log f_t to logf.
func rowsOf(ctx context.Context, a *chains.Annealing, d chains.Direction, step int, logf []float64) (rows *kernel.Rows, t int, err error) {
	moves, t := chains.Kernel(nil), step
	if d == chains.Forward {
		moves = a.KernelAt(t)
	} else {
		t = a.Distributions() + 2 - step
		if moves, err = a.ReversalAt(t); err != nil {
			return nil, t, err
		}
	}
	a.LogF(logf, t)
	rows, err = kernel.NewRows(ctx, moves, logf)
	return rows, t, err
}
