package chain

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/checks/eprocess"
)

// other is the law of moves in which a known mistake was made.
type other struct {
	says string
	row  func(x int) []chains.Entry
}

// mostOthers is the most entries of all rows of a kernel for which those of other inverse temperatures are kept too.
const mostOthers = 1 << 20

// othersOf returns the laws of known mistakes. A kernel that cannot be asked under another target than its own has none of other temperatures.
func othersOf(ctx context.Context, k chains.Kernel, c *averages.Chain) (list []other, err error) {
	if len(c.Rows.Entries) > mostOthers {
		return nil, nil
	}
	list = []other{{"rejected proposals were not written as rows", func(x int) []chains.Entry {
		leaves := 0.0
		row := slices.DeleteFunc(slices.Clone(c.Rows.Row(x)), func(e chains.Entry) bool { return e.To == x || e.P == 0 })
		for _, e := range row {
			leaves += e.P
		}
		for i := range row {
			row[i].P /= leaves
		}
		return row
	}}}
	reversible, err := kernel.Reversible(ctx, c.Rows, c.LogF)
	if err != nil {
		return nil, err
	}
	if !reversible {
		back := backward(c)
		list = append(list, other{"the draws were read from the last to the first, or the parts of a sweep were made in the opposite order", func(x int) []chains.Entry { return back[x] }})
	}
	for _, beta := range []float64{0, 0.5, 0.8, 0.9, 1.1, 1.25, 2} {
		logf := slices.Clone(c.LogF)
		for x := range logf {
			logf[x] *= beta
		}
		rows, failed := kernel.NewRows(ctx, k, logf)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failed == nil && !slices.Equal(rows.Entries, c.Rows.Entries) {
			list = append(list, other{fmt.Sprintf("the moves were made at the inverse temperature %v", beta), rows.Row})
		}
	}
	return list, nil
}

// backward returns the rows of the chain that is run backward in time.
func backward(c *averages.Chain) [][]chains.Entry {
	back := make([][]chains.Entry, len(c.Target))
	for x, p := range c.Target {
		for _, e := range c.Rows.Row(x) {
			if q := c.Target[e.To]; q > 0 && e.P > 0 {
				back[e.To] = append(back[e.To], chains.Entry{To: x, P: p / q * e.P})
			}
		}
	}
	return back
}

// ratios returns the logarithm of the probability of each move from a state under another law over that under the kernel.
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

// known is the test of the laws of known mistakes, which are all as likely beforehand.
func (m *moves) known() draws.Value {
	v := draws.Value{Name: "laws of known mistakes"}
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
	best := 0
	for k, l := range logs {
		if l > logs[best] {
			best = k
		}
	}
	if m.named = m.explains(best, logs[best]); m.named {
		v.Says = "it is as if " + m.others[best].says
	} else {
		v.Says = "none of them explains the moves; the nearest is that " + m.others[best].says
	}
	v.LogE = number.LogMean(logs)
	return v
}

// unusual is from how many standard deviations on a known mistake does not explain what was made.
const unusual = 5

// explains reports whether the law of a known mistake explains the moves: whether they are as much likelier under it as they would be, and no other law of
// the moves from each state is likelier still.
func (m *moves) explains(mistake int, log float64) bool {
	mean, variance, others := 0.0, 0.0, 0.0
	m.visited(func(_ int, f *from) {
		first, second, law := 0.0, 0.0, make([]float64, len(f.p))
		for i, p := range f.p {
			if r := f.known[mistake][i]; !math.IsInf(r, -1) {
				law[i] = p * math.Exp(r)
				first += law[i] * r
				second += law[i] * r * r
			}
		}
		mean += float64(f.n) * first
		variance += float64(f.n) * (second - first*first)
		others += eprocess.CountsLogE(f.counts, law)
	})
	return log >= mean-unusual*math.Sqrt(max(0, variance)) && others < number.Log(eprocess.EnoughLead)
}
