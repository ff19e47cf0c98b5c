package sorts_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/sorts"
	"breadboard/grid/longtest"
)

// TestAsSlices: everything is sorted as package slices does it, ties in their order and NaN first.
func TestAsSlices(t *testing.T) {
	longtest.NotShort(t)
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.SampledFrom([]float64{math.NaN(), math.Inf(-1), -1, 0, 1, 2})).Draw(t, "numbers")
		order := make([]int, len(numbers))
		for i := range order {
			order[i] = i
		}
		same, compare := slices.Clone(order), func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) }
		sorts.Stable(order, compare)
		slices.SortStableFunc(same, compare)
		if !slices.Equal(order, same) {
			t.Fatalf("%v, not %v", order, same)
		}
		if got, want := sorts.Floats(slices.Values(numbers)), slices.Sorted(slices.Values(numbers)); slices.CompareFunc(got, want, cmp.Compare[float64]) != 0 {
			t.Fatalf("%v, not %v", got, want)
		}
	})
}
