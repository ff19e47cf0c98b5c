package temper

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// golden is the obvious way to the minimum of a function with one valley.
func golden(f func(float64) float64, low, high float64) float64 {
	const ratio = 0.6180339887498949
	for high-low > ladderSettled/4 {
		if a, b := high-ratio*(high-low), low+ratio*(high-low); f(a) <= f(b) {
			high = b
		} else {
			low = a
		}
	}
	return (low + high) / 2
}

// TestMinimum compares with golden sections around the best of many places, where the valley is
// smooth, where it is sharp, flat or beside a wall, if there are two of them, and where rough
// values are off by as much as may be.
func TestMinimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		centre, other := rapid.Float64Range(0.1, 0.9).Draw(t, "centre"), rapid.Float64Range(0.1, 0.9).Draw(t, "other")
		power := rapid.SampledFrom([]float64{1, 1.5, 2, 3}).Draw(t, "power")
		off := rapid.Float64Range(-1e-4, 1e-4).Draw(t, "off")
		wall := rapid.Float64Range(0, 1).Draw(t, "wall")
		f := func(b float64) float64 {
			if b < wall/10 {
				return math.Inf(1)
			}
			return 1 + min(math.Pow(math.Abs(b-centre), power), 0.3+math.Pow(math.Abs(b-other), power))
		}
		calls := 0
		got, err := minimum(func(b, residual float64) (float64, error) {
			calls++
			if residual > fine {
				return f(b) * (1 + off*math.Sin(1e3*b)), nil
			}
			return f(b), nil
		}, 0, rapid.Float64Range(0.05, 0.95).Draw(t, "was"), 1)
		best := 0.0
		for i := range 1000 {
			if b := float64(i) / 1000; f(b) < f(best) {
				best = b
			}
		}
		want := golden(f, max(0, best-1e-3), min(1, best+1e-3))
		if err != nil || f(got) > f(want)+1e-12 && math.Abs(got-want) > 2*ladderSettled || calls > 70 {
			t.Fatalf("at %v: %v after %d values, want %v: %v, %v", got, f(got), calls, want, f(want), err)
		}
	})
}
