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
	for _, beta := range []float64{0.5, 0.8, 0.9, 1.1, 1.25, 2} {
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
	most := math.Inf(-1)
	for k, l := range logs {
		if l > most {
			most, v.Says = l, "it is as if "+m.others[k].says
		}
	}
	v.LogE = number.LogMean(logs)
	return v
}
