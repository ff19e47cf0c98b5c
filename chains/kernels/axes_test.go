package kernels_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// TestAxesOfLengthOneCostNothing: rows of a kernel of the catalogue have no more entries, and take
// no more allocations, if any number of axes of length one stand among the others instead of one.
// The blocks of block and the neighbours of moore are found by going through all axes.
func TestAxesOfLengthOneCostNothing(t *testing.T) {
	linear := map[string]float64{"block:1x2": 4, "moore": 2}
	rapid.Check(t, func(t *rapid.T) {
		core := rapid.SliceOfN(rapid.IntRange(2, 3), 1, 3).Draw(t, "sides")
		padded := slices.Clone(core)
		ones := rapid.IntRange(1, grid.MaxAxes-len(core)).Draw(t, "axes of length one")
		for range ones {
			padded = slices.Insert(padded, rapid.IntRange(0, len(padded)).Draw(t, "at"), 1)
		}
		logf := make([]float64, grid.MustNew(core...).States())
		r := rand.New(rand.NewPCG(uint64(ones), 1))
		for x := range logf {
			logf[x] = r.NormFloat64()
		}
		states := float64(len(logf))
		for _, form := range kernels.Forms().Listing.All() {
			wanted, allocated, known := rowCost(form.Example, append(slices.Clone(core), 1), logf)
			entries, allocations, both := rowCost(form.Example, padded, logf)
			if !known || !both {
				continue // a kernel says which shapes it does not take
			}
			more := states * linear[form.Example] * float64(ones)
			if entries > wanted+more || allocations > allocated+states+4*more {
				t.Errorf("%s: %v entries and %v allocations on %v, and %v and %v with one axis of length one",
					form.Example, entries, allocations, padded, wanted, allocated)
			}
		}
	})
}

// rowCost returns how many entries and allocations all rows of a kernel take; false if it has none.
func rowCost(selector string, sides []int, logf []float64) (entries, allocations float64, known bool) {
	k, err := kernels.Parse(selector, grid.MustNew(sides...))
	rows, is := k.(chains.Rower)
	if err != nil || !is {
		return 0, 0, false
	}
	all := func() {
		entries = 0
		for x := range logf {
			entries += float64(len(rows.AppendRow(nil, logf, x)))
		}
	}
	allocations = testing.AllocsPerRun(1, all)
	return entries, allocations, true
}
