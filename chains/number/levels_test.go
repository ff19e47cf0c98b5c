package number_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	_ "breadboard/grid/longtest"
)

// TestLevelsFind: values that are off by a rounding have the levels that they had before, in any
// order, and what lies between two levels has neither.
func TestLevelsFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOfN(rapid.IntRange(-5, 5), 1, 20).Draw(t, "values")
		scale := rapid.SampledFrom([]float64{1, 0.1, 1e-300, 700.0 / 3, 1e300}).Draw(t, "scale")
		values := make([]float64, len(whole))
		for i, k := range whole {
			values[i] = float64(k) * scale
			for range rapid.IntRange(0, 2).Draw(t, "roundings") { // one below a power of two counts twice
				values[i] = math.Nextafter(values[i], 6*scale)
			}
		}
		l := number.LevelsOf(values)
		different := slices.Compact(slices.Sorted(slices.Values(whole)))
		if len(l.Values) != len(different) {
			t.Fatalf("%d levels, and there are %d values", len(l.Values), len(different))
		}
		if l.Within == 0 {
			return // all are zero, which has no roundings
		}
		for i, k := range whole {
			want := slices.Index(different, k)
			for _, v := range []float64{
				values[i], math.Nextafter(values[i], math.Inf(1)), math.Nextafter(values[i], math.Inf(-1))} {
				if at, of := l.Find(v); at != want || !of {
					t.Fatalf("%v has level %d (%t); want %d of %v", v, at, of, want, l.Values)
				}
			}
			if at, of := l.Find(values[i] - scale/2); at != want || of {
				t.Fatalf("half a step below %v is level %d (%t)", values[i], at, of)
			}
			if !l.AtMost(math.Nextafter(values[i], 6*scale), values[i]) ||
				l.AtMost(values[i]+scale/2, values[i]) {
				t.Fatalf("%v is compared with %v", values[i], values[i])
			}
		}
	})
}
