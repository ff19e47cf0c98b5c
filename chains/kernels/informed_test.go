package kernels_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// informedSelectors are the kernels that look at several values of f before they move.
func informedSelectors() []string {
	return []string{
		"balanced:sqrt", "balanced:barker", "balanced:min", "balanced:sqrt:flip", "balanced:barker:flip",
		"balanced:min:flip",
		"gradient", "tabu:1", "tabu:2:barker", "tabu:3:min", "delayed-rejection",
	}
}

// TestInformedRows: on targets of every size, with ties and zeros, the rows are those of the
// enumerated Move; they sum to one; and the flows between all pairs of states are even, in their
// logarithms, which are off by some roundings of 4e-13 where log f is 3000.
func TestInformedRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := rapid.SampledFrom([]*grid.Lattice{
			grid.MustNew(3, 3), grid.MustNew(1, 5), grid.MustNew(2, 2, 2),
			longtest.Sure(grid.NewWrapped([]int{3, 2}, []bool{true, false})), grid.MustNew(1),
		}).Draw(t, "space")
		k := longtest.Must(kernels.Parse(rapid.SampledFrom(informedSelectors()).Draw(t, "kernel"), space))(t)
		logf := drawLogF(t, space.States())
		rows := make([]map[int]float64, len(logf))
		for x := range logf {
			rows[x] = chainstest.Row(k.(chains.Rower), logf, x)
			total := 0.0
			walked := longtest.Must(walkOfKernels(k, logf, x))(t)
			for y, p := range walked {
				total += rows[x][y]
				if !(math.Abs(p-rows[x][y]) <= 1e-15) {
					t.Fatalf("%v, log f %v: T(%d,%d) = %v, enumerated %v", k, logf, x, y, rows[x][y], p)
				}
			}
			if !(math.Abs(total-1) <= 1e-14) {
				t.Fatalf("%v, log f %v: row %d sums to %v", k, logf, x, total)
			}
		}
		for x, from := range logf {
			for y, p := range rows[x] {
				if back := rows[y][x]; !math.IsInf(from, -1) && p > 1e-250 && back > 1e-250 {
					if there, again := from+math.Log(p),
						logf[y]+math.Log(back); math.Abs(there-again) > 3e-12 {
						t.Fatalf("%v, log f %v: flows from %d to %d are exp(%v) and exp(%v)", k, logf, x,
							y, there, again)
					}
				} else if math.IsInf(logf[y], -1) && !math.IsInf(from, -1) && p > 0 {
					t.Fatalf("%v, log f %v: from %d it goes to %d, where f is zero", k, logf, x, y)
				}
			}
		}
	})
}

// walkOfKernels returns a row by way of Move.
func walkOfKernels(k chains.Kernel, logf []float64, x int) ([]float64, error) {
	entries, _, err := kernel.Row(context.Background(), struct{ chains.Kernel }{k}, logf, x)
	p := make([]float64, len(logf))
	for _, e := range entries {
		p[e.To] += e.P
	}
	return p, err
}

// TestInformedRefusals: selectors that name no kernel, with the reason.
func TestInformedRefusals(t *testing.T) {
	complete := longtest.Must(grid.NewComplete(5))(t)
	for selector, want := range map[string]string{
		"balanced:root": "there are sqrt, barker and min", "balanced:sqrt:flop": "only flip",
		"gradient": "needs a grid", "tabu:65": "from 1 to 64",
		"tabu:1:root": "there are sqrt",
	} {
		longtest.Refuses(kernels.Parse(selector, complete))(t, want, selector)
	}
	longtest.Refuses(kernels.Parse("tabu:2", grid.MustNew(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)))(t, "so does one step")
}

// TestTabuProducts: the estimate of a row has the time of the sets of axes, which its entries do
// not show: one step looks at four sets in two ways each, the second at three times as many.
func TestTabuProducts(t *testing.T) {
	for selector, want := range map[string]float64{"tabu:1": 4 * 60, "tabu:2": (1 + 3) * 4 * 60,
		"lazy:0.5:tabu:2": (1 + 3) * 4 * 60, "mixture:1*repeat:2:metropolis+1*tabu:1": 4 * 60} {
		k := longtest.Must(kernels.Parse(selector, longtest.Must(grid.New(2, 2))(t)))(t).(chains.Rower)
		got := chains.RowWorkOf(k, make([]float64, 4), 0).Products
		if rest := got - want; rest < 0 || rest > 12 { // products of the repeat
			t.Errorf("%s: %v products, want %v", selector, got, want)
		}
	}
	k := longtest.Must(kernels.Parse("repeat:2:tabu:1", longtest.Must(grid.New(2, 2))(t)))(t).(chains.Rower)
	if got := chains.RowWorkOf(k, make([]float64, 4), 0).Shared; got < 2*4*60 { // of two states or more
		t.Errorf("a repeat shares %v products", got)
	}
}
