package chain

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/conform/draws"
)

// other is the distribution of moves in which a known mistake was made.
type other func(x int) []chains.Entry

// mostOthers is the most entries of all rows of a kernel for which those of other inverse
// temperatures are kept too.
const mostOthers = 1 << 20

// othersOf returns the known mistakes. A kernel that cannot be asked under another target than its
// own has none of other temperatures.
func othersOf(ctx context.Context, k chains.Kernel, c *averages.Chain) (list []other, err error) {
	if len(c.Rows.Entries) > mostOthers {
		return nil, nil
	}
	rows := entries(c.Rows)
	list = []other{written(rows, 0)}
	reversible, err := kernel.Reversible(ctx, c.Rows, c.LogF)
	if err != nil {
		return nil, err
	}
	if !reversible {
		list = append(list, backward(c))
	}
	for _, beta := range []float64{0, 0.5, 0.8, 0.9, 1.1, 1.25, 2} {
		rows := heated(ctx, k, c, beta)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if rows != nil && !slices.Equal(rows.Entries, c.Rows.Entries) {
			list = append(list, rows.Row)
		}
	}
	return list, nil
}

// heated returns the rows of the kernel at another inverse temperature; nil if it cannot be asked
// for them.
func heated(ctx context.Context, k chains.Kernel, c *averages.Chain, beta float64) *kernel.Rows {
	logf := slices.Clone(c.LogF)
	for x, f := range logf {
		if !math.IsInf(f, -1) {
			logf[x] = beta * f
		}
	}
	rows, err := kernel.NewRows(ctx, k, logf)
	if err != nil {
		return nil
	}
	return rows
}

// entries returns the rows of a kernel, with what enumeration leaves out as an entry to lost.
func entries(r *kernel.Rows) other {
	return func(x int) []chains.Entry {
		row := r.Row(x)
		if p := r.Remainder(x); p > 0 {
			row = append(slices.Clip(row), chains.Entry{To: lost, P: p})
		}
		return row
	}
}

// written returns the moves of which only a share of those that stay is written.
func written(rows other, share float64) other {
	return func(x int) (row []chains.Entry) {
		total := 0.0
		for _, e := range rows(x) {
			if e.To == x {
				e.P *= share
			}
			if e.P > 0 {
				row = append(row, e)
				total += e.P
			}
		}
		for i := range row {
			row[i].P /= total
		}
		return row
	}
}

// repeated returns the moves of chains in which a share of the rows repeats the row before.
func repeated(rows other, share float64) other {
	return func(x int) []chains.Entry {
		row := slices.Clone(rows(x))
		for i := range row {
			row[i].P *= 1 - share
		}
		return append(row, chains.Entry{To: x, P: share})
	}
}

// backward returns the rows of the chain that is run backward in time.
func backward(c *averages.Chain) other {
	back := make([][]chains.Entry, len(c.Target))
	for x, p := range c.Target {
		for _, e := range c.Rows.Row(x) {
			if q := c.Target[e.To]; q > 0 && e.P > 0 {
				back[e.To] = append(back[e.To], chains.Entry{To: x, P: p / q * e.P})
			}
		}
	}
	return func(x int) []chains.Entry { return back[x] }
}

// ratios returns the logarithm of the probability of each move from a state under another
// distribution over that under the kernel.
func (f *from) ratios(row []chains.Entry) []float64 {
	q := make([]float64, len(f.p))
	for _, e := range row {
		if at, is := f.place[e.To]; is {
			q[at] += e.P
		}
	}
	for i := range q {
		q[i] = number.LogRatio(q[i], f.p[i])
	}
	return q
}

// listed is the name of the test of the known mistakes.
const listed = "known mistakes"

// known is the test of the known mistakes, which are all as likely beforehand. Which of them
// explains the moves named says.
func (m *moves) known() draws.Value {
	v := draws.Value{Name: listed}
	if len(m.others) == 0 {
		return v
	}
	logs := make([]float64, len(m.others))
	m.visited(func(_ int, f *from) {
		for i, n := range f.counts {
			for k := range logs {
				if n > 0 {
					logs[k] += float64(n) * f.known[k][i]
				}
			}
		}
	})
	v.LogE = number.LogMean(logs)
	return v
}
