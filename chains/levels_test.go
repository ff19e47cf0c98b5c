package chains_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
)

// TestLevels: values a few roundings apart are one, also infinite ones, and a row of values each of
// which is near to the next one does not creep.
func TestLevels(t *testing.T) {
	const ulp = 0x1p-52 // of numbers from 1 to 2, and half of that of 2
	inf := math.Inf(1)
	for _, test := range []struct{ values, want []float64 }{
		{nil, nil},
		{[]float64{3, 1, 3, 1}, []float64{1, 3}},
		{[]float64{0.3, 0.1 + 0.2, 1}, []float64{0.1 + 0.2, 1}},
		{[]float64{1.5, 1.5 + 4*ulp, 1.5 + 5*ulp}, []float64{1.5 + 4*ulp, 1.5 + 5*ulp}},
		{[]float64{1.5 + 9*ulp, 1.5 + 6*ulp, 1.5 + 3*ulp, 1.5}, []float64{1.5 + 3*ulp, 1.5 + 9*ulp}},
		{[]float64{-inf, -inf, 0, inf, 1, inf}, []float64{-inf, 0, 1, inf}},
		{[]float64{-1000, -1e-13, 0, 1e-9}, []float64{-1000, 0, 1e-9}},
		{[]float64{0, 5e-324}, []float64{5e-324}},
		{[]float64{1<<50 - 2, 1<<50 - 1}, []float64{1<<50 - 2, 1<<50 - 1}},
	} {
		if got := number.LevelsOf(test.values).Values; !slices.Equal(got, test.want) {
			t.Errorf("%v has the levels %v; want %v", test.values, got, test.want)
		}
	}
}

// TestLevelsFind: values that are off by a rounding have the levels that they had before, in any
// order, and what lies between two levels has neither.
func TestLevelsFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOfN(rapid.IntRange(-5, 5), 1, 20).Draw(t, "values")
		scale := rapid.SampledFrom([]float64{1, 0.1, 1e-300, 700.0 / 3, 1e300}).Draw(t, "scale")
		values := make([]float64, len(whole))
		for i, k := range whole {
			values[i] = float64(k) * scale
			for range rapid.IntRange(0, 3).Draw(t, "roundings") {
				values[i] = math.Nextafter(values[i], 6*scale)
			}
		}
		l, different := number.LevelsOf(values), slices.Compact(slices.Sorted(slices.Values(whole)))
		if len(l.Values) != len(different) {
			t.Fatalf("%d levels, and there are %d values", len(l.Values), len(different))
		}
		if l.Within == 0 {
			return // all are zero, which has no roundings
		}
		for i, k := range whole {
			want := slices.Index(different, k)
			for _, v := range []float64{values[i], math.Nextafter(values[i], math.Inf(1)), math.Nextafter(values[i], math.Inf(-1))} {
				if at, of := l.Find(v); at != want || !of {
					t.Fatalf("%v has level %d (%t); want %d of %v", v, at, of, want, l.Values)
				}
			}
			if at, of := l.Find(values[i] - scale/2); at != want || of {
				t.Fatalf("half a step below %v is level %d (%t)", values[i], at, of)
			}
			if !l.AtMost(math.Nextafter(values[i], 6*scale), values[i]) || l.AtMost(values[i]+scale/2, values[i]) {
				t.Fatalf("%v is compared with %v", values[i], values[i])
			}
		}
	})
}
