package planted

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// Informed is kernels.Informed with a bug: it accepts with min(1, (f(y)/f(x))^Ratio
// (Z(x)/Z(y))^Constants). From a state where f is zero it always accepts.
type Informed struct {
	Of kernels.Informed
	// weights are of f^2 instead of f: by sqrt they are f(y)/f(x), for g(t) = t, which is no
	// balancing function
	Squared          bool
	Ratio, Constants float64
}

// Move draws from the row.
func (k Informed) Move(c chains.Chooser, logf []float64, x int) int {
	row := k.AppendRow(nil, logf, x)
	p := make([]float64, len(row))
	for i, e := range row {
		p[i] = e.P
	}
	return row[c.Choose(p)].To
}

// AppendRow appends an entry for every proposal, and one for staying.
func (k Informed) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.RowsUnder(logf)(dst, x)
}

// RowsUnder returns AppendRow for a logf that does not change. It finds the constant of every state
// once.
func (k Informed) RowsUnder(logf []float64) func(dst []chains.Entry, x int) []chains.Entry {
	weighed := slices.Clone(logf)
	constants := map[int]float64{}
	if k.Squared {
		for x := range weighed {
			weighed[x] *= 2
		}
	}
	return func(dst []chains.Entry, x int) []chains.Entry {
		to, p, here := k.Of.Proposals(weighed, x)
		stay := 1 - min(1, float64(len(to)))
		for i, y := range to {
			there, is := constants[y]
			if !is {
				_, _, there = k.Of.Proposals(weighed, y)
				constants[y] = there
			}
			accept := 1.0
			if !math.IsInf(logf[x], -1) {
				accept = math.Exp(min(0, k.Ratio*(logf[y]-logf[x])+k.Constants*(here-there)))
			}
			dst = append(dst, chains.Entry{To: y, P: p[i] * accept})
			stay += p[i] * (1 - accept)
		}
		return append(dst, chains.Entry{To: x, P: stay})
	}
}

// ShortDelayed is delayed rejection with a bug: its second stage is accepted like the first, as if
// nothing had been rejected before.
type ShortDelayed struct{ Space grid.Graph }

// Move makes one proposal, and a second one if the first is rejected.
func (k ShortDelayed) Move(c chains.Chooser, logf []float64, x int) int {
	over, inside := propose(k.Space, c, x)
	if !inside {
		return x
	}
	if c.Flip(acceptance(logf, x, over)) {
		return over
	}
	y, inside := propose(k.Space, c, over)
	return accepted(c, x, y, inside, func() float64 { return acceptance(logf, x, y) })
}
