package kernels_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestRowsByHand: rows that were worked out by hand from the formulas.
func TestRowsByHand(t *testing.T) {
	ln := math.Log
	square, line, pair := grid.MustNew(2, 2), grid.MustNew(3), grid.MustNew(2)
	up := []float64{0, ln(4), ln(16), ln(64)} // Z by sqrt is 6, 9/2, 9/4 and 3/4
	zero := []float64{math.Inf(-1), ln(4), ln(16), ln(64)}
	// On 2x3 there are two axes: the other state of the column is proposed with probability 1/2,
	// and each of the two other states of the row with 1/4. On 1x3 the axis of side one has no
	// other value, so that half of all proposals are refused.
	plane, doubling := grid.MustNew(2, 3), []float64{0, ln(2), ln(4), ln(8), ln(16), ln(32)}
	for _, c := range []struct {
		space    *grid.Lattice
		selector string
		logf     []float64
		x        int
		want     map[int]float64
	}{
		{square, "metropolis", doubling[:4], 3, map[int]float64{1: 0.0625, 2: 0.125, 3: 0.8125}},
		{square, "barker", doubling[:4], 3, map[int]float64{1: 0.05, 2: 0.25 / 3, 3: 1 - 0.05 - 0.25/3}},
		// State 5 goes up with 1/2 * 4/32, and along its row with 1/4 * 8/32 and 1/4 * 16/32.
		{plane, "flip", doubling, 5, map[int]float64{2: 1. / 16, 3: 1. / 16, 4: 1. / 8, 5: 3. / 4}},
		{plane, "flip", []float64{0, ln(2), ln(4), math.Inf(-1), ln(16), ln(32)}, 1, map[int]float64{0: 1. / 8, 1: 1. / 8, 2: 1. / 4, 4: 1. / 2}},
		{grid.MustNew(1, 3), "flip", []float64{ln(4), 0, ln(2)}, 2, map[int]float64{0: 1. / 4, 1: 1. / 8, 2: 5. / 8}},
		{square, "balanced:sqrt", up, 3, map[int]float64{1: 1. / 18, 2: 2. / 9, 3: 13. / 18}},
		{square, "balanced:min", up, 3, map[int]float64{1: 1. / 20, 2: 4. / 17, 3: 19./20 - 4./17}},
		{square, "balanced:barker", up, 3, map[int]float64{1: 5. / 97, 2: 17. / 73, 3: 92./97 - 17./73}},
		{square, "balanced:min", zero, 0, map[int]float64{1: 1. / 2, 2: 1. / 2}},
		{line, "balanced:sqrt:flip", up[:3], 2, map[int]float64{0: 1. / 24, 1: 1. / 5, 2: 91. / 120}},
		// The slope is 0, and at the neighbours log 4 and -log 4, towards the middle.
		{line, "gradient", []float64{0, ln(4), 0}, 1, map[int]float64{0: 1. / 4, 1: 1. / 2, 2: 1. / 4}},
		// Half of the sets are empty, and allow nothing for a step.
		{pair, "tabu:1", up[:2], 1, map[int]float64{0: 1. / 8, 1: 7. / 8}},
		// By set: none stays; {0} to 2; {1} to 1 with 2/(9/2); both to 2 with 4/6, to 1 with 2/6.
		{square, "tabu:1", up, 0, map[int]float64{0: 7. / 18, 1: 7. / 36, 2: 5. / 12}},
		{pair, "tabu:2", up[:2], 1, map[int]float64{0: 1. / 4, 1: 3. / 4}},
		// From 4 over 1 to 3: 1/2 up, 3/4 refused, 1/2 up again, (3-1)/(4-1) accepted.
		{line, "delayed-rejection", []float64{ln(4), 0, ln(3)}, 0, map[int]float64{0: 3. / 4, 1: 1. / 8, 2: 1. / 8}},
		{line, "delayed-rejection", []float64{ln(4), math.Inf(-1), ln(3)}, 0, map[int]float64{0: 13. / 16, 2: 3. / 16}},
		{line, "delayed-rejection", []float64{math.Inf(-1), math.Inf(-1), 0}, 0, map[int]float64{0: 3. / 4, 2: 1. / 4}},
	} {
		got := chainstest.Row(longtest.Must(kernels.Parse(c.selector, c.space))(t).(chains.Rower), c.logf, c.x)
		if len(got) != len(c.want) {
			t.Errorf("%s: row %d is %v, want %v", c.selector, c.x, got, c.want)
		}
		for y, p := range c.want {
			if math.Abs(got[y]-p) > 1e-15 {
				t.Errorf("%s: T(%d,%d) = %v, want %v", c.selector, c.x, y, got[y], p)
			}
		}
	}
}

// informedSelectors are the kernels that look at several values of f before they move.
func informedSelectors() []string {
	return []string{
		"balanced:sqrt", "balanced:barker", "balanced:min", "balanced:sqrt:flip", "balanced:barker:flip", "balanced:min:flip",
		"gradient", "tabu:1", "tabu:2:barker", "tabu:3:min", "delayed-rejection",
	}
}

// TestInformedRows: on targets of every size, with ties and zeros, the rows are those of the
// enumerated Move; they sum to one; and the flows between all pairs of states are even, in their
// logarithms, which are off by some roundings of 4e-13 where log f is 3000.
func TestInformedRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := rapid.SampledFrom([]*grid.Lattice{
			grid.MustNew(3, 3), grid.MustNew(1, 5), grid.MustNew(2, 2, 2), longtest.Sure(grid.NewWrapped([]int{3, 2}, []bool{true, false})), grid.MustNew(1),
		}).Draw(t, "space")
		k := longtest.Must(kernels.Parse(rapid.SampledFrom(informedSelectors()).Draw(t, "kernel"), space))(t)
		logf := drawLogF(t, space.States())
		rows := make([]map[int]float64, len(logf))
		for x := range logf {
			rows[x] = chainstest.Row(k.(chains.Rower), logf, x)
			total := 0.0
			walked := longtest.Must(walk(k, logf, x))(t)
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
					if there, again := from+math.Log(p), logf[y]+math.Log(back); math.Abs(there-again) > 3e-12 {
						t.Fatalf("%v, log f %v: flows from %d to %d are exp(%v) and exp(%v)", k, logf, x, y, there, again)
					}
				} else if math.IsInf(logf[y], -1) && !math.IsInf(from, -1) && p > 0 {
					t.Fatalf("%v, log f %v: from %d it goes to %d, where f is zero", k, logf, x, y)
				}
			}
		}
	})
}

// walk returns a row by way of Move.
func walk(k chains.Kernel, logf []float64, x int) ([]float64, error) {
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
		"balanced:root": "there are sqrt, barker and min", "balanced:sqrt:flop": "only flip", "gradient": "needs a grid", "tabu:65": "from 1 to 64",
		"tabu:1:root": "there are sqrt",
	} {
		longtest.Refuses(kernels.Parse(selector, complete))(t, want, selector)
	}
	longtest.Refuses(kernels.Parse("tabu:2", grid.MustNew(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)))(t, "so does one step")
}
