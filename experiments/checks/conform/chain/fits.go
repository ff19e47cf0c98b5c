package chain

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// fitting holds the counts of all moves, those that the kernel cannot make among them, to what
// known mistakes lead to.
type fitting struct {
	*run
	from    []int             // the states from which there were moves
	to      [][]int           // the states to which there were moves, by place in from
	counts  [][]int           // how many there were to each
	scratch []float64         // by state, behind lost: the probability of a move to it, zero between uses
	list    []draws.Candidate // of which the kernel is the first
	unknown float64           // the log likelihood under an unknown distribution
}

func newFitting(r *run) *fitting {
	n := len(r.moves.chain.Target)
	f := &fitting{run: r, scratch: make([]float64, n+1)}
	all := make([]map[int]int, n)
	for _, t := range r.tracks {
		for i := 1; i < len(t.states); i++ {
			x, y := t.states[i-1], int(t.states[i])
			if all[x] == nil {
				all[x] = map[int]int{}
			}
			all[x][y]++
		}
	}
	for x, counted := range all {
		if counted == nil {
			continue
		}
		var counts []int
		to := slices.Sorted(maps.Keys(counted))
		for _, y := range to {
			counts = append(counts, counted[y])
		}
		f.from, f.to, f.counts = append(f.from, x), append(f.to, to), append(f.counts, counts)
		f.unknown += draws.LogUnknown(counts, max(len(counts), len(r.moves.row(x))))
	}
	f.list = []draws.Candidate{{Log: f.log(r.moves.row)}}
	return f
}

// log returns the log likelihood of all moves.
func (f *fitting) log(rows other) (log float64) {
	for i, x := range f.from {
		row := rows(x)
		for _, e := range row {
			f.scratch[e.To-lost] += e.P
		}
		for k, y := range f.to[i] {
			p := f.scratch[y-lost]
			if p == 0 {
				p = f.scratch[0]
			}
			log += float64(f.counts[i][k]) * number.Log(p)
		}
		for _, e := range row {
			f.scratch[e.To-lost] = 0
		}
	}
	return log
}

// addMistake adds a mistake that leads to given rows.
func (f *fitting) addMistake(says string, rows other) {
	f.fitted(says, f.log(rows), 0, func() other { return rows })
}

// fitted adds a mistake with fitted parameters. Of those that lead to the same rows the first
// counts, and none that leads to those of the kernel.
func (f *fitting) fitted(says string, log float64, parameters int, rows func() other) {
	same := func(c draws.Candidate) bool { return math.Abs(c.Log-log) <= 1e-9*max(1, math.Abs(log)) }
	if !slices.ContainsFunc(f.list, same) {
		f.list = append(f.list, draws.Candidate{
			Says:       says,
			Log:        log,
			Parameters: parameters,
			Fits:       func() bool { return f.fitsMoves(rows(), parameters) },
		})
	}
}

// fit adds a mistake with a parameter, which says has a verb for.
func (f *fitting) fit(says string, grid []float64, rows func(at float64) other) {
	p := draws.Fit(grid, func(at float64) float64 {
		if of := rows(at); of != nil {
			return f.log(of)
		}
		return math.Inf(-1)
	})
	f.fitted(fmt.Sprintf(says, draws.Interval(p)), p.Log, 1, func() other { return rows(p.At) })
}

// fitsMoves reports whether rows leave nothing of the moves unexplained: neither their counts, by a
// chi-squared test, nor what any of the tests says of moves of the right kernel.
func (f *fitting) fitsMoves(rows other, parameters int) bool {
	m := newMoves(f.moves.toy, f.moves.chain, nil)
	m.row = rows
	for _, t := range f.tracks {
		for i := range t.states {
			if m.n < draws.Remembered {
				m.addMove(t.states[:i+1], func() string { return "" })
			}
		}
	}
	var counts draws.Pearson
	m.visited(func(_ int, of *from) { counts.Add(of.counts, of.p) })
	return m.impossible == "" && counts.P(parameters) >= draws.Unexplained && m.farMove() == "" &&
		draws.Strongest(m.testValues()).LogE < number.Log(verdicts.EnoughLead)
}

// mistake says which known mistakes explain the moves, as draws.Named does.
func (r *run) mistake(ctx context.Context) (named, reason string) {
	f := newFitting(r)
	rows := r.moves.row
	f.fit("only a share of %s of the rejected proposals, after which the chain stays at its state, was written as rows",
		[]float64{0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1},
		func(at float64) other { return written(rows, at) })
	f.fit("a share of %s of the rows repeats the row before without a move",
		[]float64{0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99},
		func(at float64) other { return repeated(rows, at) })
	if len(r.moves.chain.Rows.Entries) <= mostOthers {
		f.fit("the moves were made at the inverse temperature %s",
			[]float64{-2, -1, -0.5, 0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 8},
			func(at float64) other {
				if of := heated(ctx, r.Kernel, r.moves.chain, at); of != nil {
					return entries(of)
				}
				return nil
			})
	}
	if reversible, failed := kernel.Reversible(ctx, r.moves.chain.Rows, r.moves.chain.LogF); failed == nil &&
		!reversible {
		back := backward(r.moves.chain)
		f.addMistake("the draws were in reverse order, or the parts of a sweep were made in the opposite order", back)
	}
	f.thinned(ctx)
	f.others(ctx)
	return draws.Named(f.list[1:], f.unknown)
}

// likelier says which mistake without a parameter, such as another kernel, or up to twice as many
// moves between two draws, explains moves without a fault better than their kernel, if a likelihood
// ratio is as large as one of five standard errors.
func (r *run) likelier(ctx context.Context) string {
	f := newFitting(r)
	f.others(ctx)
	f.eachRepeat(ctx, 2*max(1, f.Thin), func(k int, rows other) {
		f.addMistake(betweenDraws(selector.Count(k, "move")), rows)
	})
	var independent []chains.Entry
	for y, p := range r.moves.chain.Target {
		independent = append(independent, chains.Entry{To: y, P: p})
	}
	f.addMistake("the draws were independent", func(int) []chains.Entry { return independent })
	best := slices.MaxFunc(f.list, func(a, b draws.Candidate) int { return cmp.Compare(a.Log, b.Log) })
	by := best.Log - f.list[0].Log
	if check.Near(by) == "" {
		return ""
	}
	return fmt.Sprintf("it is %.2g times likelier that %s, and no fault yet; more moves decide",
		math.Exp(by), best.Says)
}

const (
	mostMoves    = 64      // between two draws that are tried
	mostPowers   = 1 << 24 // probabilities of several moves that are kept
	mostProducts = 1 << 30 // and what it takes to find them
)

// eachRepeat calls see with the rows of one move of the kernel, of two, and so on up to a number of
// moves, as far as these take little to compute.
func (f *fitting) eachRepeat(ctx context.Context, most int, see func(k int, rows other)) {
	n := len(f.moves.chain.Target)
	one := f.moves.chain.Rows
	if f.plain != nil {
		rows, err := kernel.NewRows(ctx, f.plain, f.moves.chain.LogF)
		if err != nil {
			return
		}
		one = rows
	}
	if len(f.from) == 0 || len(f.from) > mostPowers/n {
		return
	}
	most = min(most, mostProducts/(len(f.from)*len(one.Entries)))
	laws := map[int][]float64{} // the probability of each state, by that where moves begin
	for _, x := range f.from {
		laws[x] = make([]float64, n)
		laws[x][x] = 1
	}
	for k := 1; k <= most && ctx.Err() == nil; k++ {
		next := map[int][]float64{}
		for x, law := range laws {
			next[x] = make([]float64, n)
			one.Push(next[x], law)
		}
		laws = next
		see(k, func(x int) (row []chains.Entry) {
			for y, p := range next[x] {
				if p > 0 {
					row = append(row, chains.Entry{To: y, P: p})
				}
			}
			return row
		})
	}
}

// betweenDraws says that moves of the kernel were between two draws.
func betweenDraws(moves string) string { return moves + " of the kernel were between two draws" }

// thinned adds that another number of moves were between two draws.
func (f *fitting) thinned(ctx context.Context) {
	logs := []float64{math.Inf(-1)}
	best := 0
	var rows other
	f.eachRepeat(ctx, max(mostMoves, 2*f.Thin), func(k int, of other) {
		logs = append(logs, f.log(of))
		if logs[k] > logs[best] {
			best = k
			rows = of
		}
	})
	low, high := best, best
	for low > 1 && logs[low-1] >= logs[best]-draws.HalfQuantile {
		low--
	}
	for high+1 < len(logs) && logs[high+1] >= logs[best]-draws.HalfQuantile {
		high++
	}
	interval := selector.Count(best, "move")
	switch {
	case best == 0 || best == max(1, f.Thin): // which is what was tested
		return
	case high == len(logs)-1:
		interval = selector.Count(low, "move") + " or more"
	case low < high:
		interval += fmt.Sprintf(" (from %d to %d)", low, high)
	}
	f.fitted(betweenDraws(interval), logs[best], 1, func() other { return rows })
}
