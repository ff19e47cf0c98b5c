package diagnostics

import (
	"math"
	"slices"
	"testing"
)

// TestMedian by hand.
func TestMedian(t *testing.T) {
	for want, v := range map[float64][]float64{3: {3}, 2.5: {1, 4}, 4: {9, 1, 4}, 6.5: {11, 4, 9, 1}, math.Inf(1): {1, math.Inf(1)}} {
		given := slices.Clone(v)
		if got := Median(v); got != want || !slices.Equal(v, given) {
			t.Errorf("the median of %v is %v, and it leaves %v", given, got, v)
		}
	}
	if !math.IsNaN(Median(nil)) {
		t.Error("no numbers have a median")
	}
}
