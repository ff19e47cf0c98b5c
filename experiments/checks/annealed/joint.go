package annealed

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/experiments/verdicts"
)

// maxJointWork bounds the products that the joint distribution of both ends takes, some tenths of a
// second.
const maxJointWork = 2e8

// addJoint computes the joint distribution of x_1 and x_T of whole chains, if that is cheap: the
// chains that start at each state are pushed through all stages.
func (l *ChainLaws) addJoint(ctx context.Context) error {
	if l.a.States() > maxPairStates {
		return nil // those who make the distributions say that this is not tested
	}
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		law, err := jointLaw(ctx, l.a, d, maxJointWork)
		if err != nil {
			return err
		}
		if law == nil {
			l.ends = [2][]float64{}
			l.skip("the joint distribution of x_1 and x_T takes more than %.0e products and is not tested",
				maxJointWork)
			return nil
		}
		l.ends[d] = law
	}
	return nil
}

// jointLaw returns the joint distribution of x_1 and x_T, in cell x_1 n + x_T, for chains of one
// direction. It returns nil if it would take more products than most.
func jointLaw(ctx context.Context, a *chains.Annealing, d chains.Direction, most float64) ([]float64, error) {
	T := a.Distributions()
	n := a.States()
	// row x is for the chains that start at x
	mass := make([]float64, n*n)
	next := make([]float64, n*n)
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

// rowsOf returns the rows of a move of chains of one direction and the stage t of that move. The
// moves are numbered from step 2. It writes log f_t to logf.
func rowsOf(ctx context.Context, a *chains.Annealing, d chains.Direction, step int,
	logf []float64) (rows *kernel.Rows, t int, err error) {
	moves := chains.Kernel(nil)
	t = step
	if d == chains.Forward {
		moves = a.KernelAt(t)
	} else {
		t = a.Distributions() + 2 - step
		moves, err = a.ReversalAt(t)
		if err != nil {
			return nil, t, err
		}
	}
	a.LogF(logf, t)
	rows, err = kernel.NewRows(ctx, moves, logf)
	return rows, t, err
}

// dependence returns the log of how much likelier counts of pairs of classes are if the class of
// the second depends on that of the first than if it does not, whatever the distribution of the
// second is: the e-values against p of the second given each class of the first, divided by that of
// the second by itself. So a wrong distribution of the second is not taken for a dependence.
func dependence(counts []int, p []float64) float64 {
	k := len(p)
	all := make([]int, k)
	total := 0.0
	for at := 0; at < len(counts); at += k {
		row := counts[at : at+k]
		total += verdicts.CountsLogE(row, p)
		for i, c := range row {
			all[i] += c
		}
	}
	if alone := verdicts.CountsLogE(all, p); !math.IsInf(alone, 0) {
		return total - alone
	}
	return math.Inf(-1) // classes that are impossible say nothing about a dependence
}

// transposed returns the counts with the classes of the second instead of those of the first.
func transposed(counts []int, k int) []int {
	out := make([]int, len(counts))
	rows := len(counts) / k
	for at, c := range counts {
		out[at%k*rows+at/k] = c
	}
	return out
}

// dependence returns the log odds of a dependence at some lag against none.
func (a *apart) dependence() float64 {
	var terms []float64
	for _, counts := range a.counts {
		terms = append(terms, dependence(counts, a.p))
	}
	return number.LogMean(terms)
}

// dependence returns the log odds of a dependence between the directions against none. Of the two
// ways to look at it the one that finds less is taken.
func (a *across) dependence() float64 {
	return min(dependence(a.counts, a.reverse.p), dependence(transposed(a.counts, len(a.reverse.p)), a.forward.p))
}

// Dependence returns the log of the likelihood ratio of chains that depend on others at some
// distance to independent chains, for any distribution; -Inf if no states are known.
func (t *Tally) Dependence() float64 {
	var terms []float64
	for _, a := range t.apart {
		terms = append(terms, a.dependence())
	}
	return number.LogMean(terms)
}

// Dependence returns the log of the likelihood ratio of chains whose two directions depend on each
// other to independent ones, for any distributions; -Inf if the columns do not show it.
func (t *PairTally) Dependence() float64 {
	var terms []float64
	if t.comparable() {
		for _, a := range t.across() {
			terms = append(terms, a.dependence())
		}
	}
	return number.LogMean(terms)
}

// displacements tests the distance y - x of chains from x to y, in the numbering of the
// states. There are far fewer distances than pairs of states, so that each cell has more moves and
// less noise.
type displacements struct {
	n int
	p []float64
}

func newDisplacements(cell []float64, n int) displacements {
	d := displacements{n, make([]float64, 2*n-1)}
	for at, v := range cell {
		d.p[at%n-at/n+n-1] += v
	}
	return d
}

func (d displacements) logEValue(counts []int) (float64, func() string) {
	pooled := make([]int, len(d.p))
	for at, c := range counts {
		pooled[at%d.n-at/d.n+d.n-1] += c
	}
	return countsValue(pooled, d.p, func(i int) string { return fmt.Sprintf("from a state x to x%+d", i-d.n+1) })()
}
