package planted_test

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// proposing makes one proposal of an informed kernel and accepts or refuses it.
type proposing struct{ k planted.Informed }

func (p proposing) Move(c chains.Chooser, logf []float64, x int) int {
	k := p.k
	weighed := slices.Clone(logf)
	for x := range weighed {
		if k.Squared {
			weighed[x] *= 2
		}
	}
	to, q, here := k.Of.Proposals(weighed, x)
	if len(to) == 0 {
		return x
	}
	y := to[c.Choose(q)]
	_, _, there := k.Of.Proposals(weighed, y)
	if math.IsInf(logf[x], -1) ||
		c.Flip(math.Exp(min(0, k.Ratio*(logf[y]-logf[x])+k.Constants*(here-there)))) {
		return y
	}
	return x
}

// countedGrid counts how often its neighbours are asked for.
type countedGrid struct {
	grid.Graph
	n *int
}

func (g countedGrid) Neighbour(x, d int) (int, bool) {
	*g.n++
	return g.Graph.Neighbour(x, d)
}

// TestInformedRows: rows in closed form are those of the moves, and all rows together look around
// each state twice at most.
func TestInformedRows(t *testing.T) {
	asked := 0
	space := countedGrid{longtest.Must(grid.New(3, 3))(t), &asked}
	logf := []float64{0, 1, -2, math.Inf(-1), 0.5, 3, math.Inf(-1), math.Inf(-1), 1}
	for _, rule := range kernels.Rules() {
		for _, k := range []planted.Informed{{}, {Ratio: 1}, {Constants: -1}, {Squared: true, Constants: 1}} {
			k.Of = kernels.Informed{Space: space, Rule: rule}
			asked = 0
			rows := kernel.RowsOf(t.Context(), k, logf)
			off := map[[2]int]float64{}
			for x := range logf {
				for _, e := range longtest.Must(rows(x))(t) {
					off[[2]int{x, e.To}] += e.P
				}
			}
			if most := 2 * space.States() * space.Directions(); asked > most {
				t.Errorf("%+v: %d neighbours instead of %d", k, asked, most)
			}
			for x := range logf {
				for _, e := range longtest.Must(kernel.RowsOf(t.Context(), proposing{k}, logf)(x))(t) {
					off[[2]int{x, e.To}] -= e.P
				}
			}
			for at, p := range off {
				if math.Abs(p) > 1e-15 {
					t.Errorf("%+v: the move %v is off by %v", k, at, p)
				}
			}
		}
	}
}
