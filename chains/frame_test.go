package chains_test

import (
	"math"
	"testing"

	"breadboard/chains"
)

// TestValues: f keeps its digits far from the largest one, where log f - log f(largest) is rounded; and there are no ratios
// where log f spans too much, or f is zero.
func TestValues(t *testing.T) {
	var v chains.Values
	logf := []float64{250.123456789, 0.1, -249.7654321, 3.3, 1e-3, -77.7}
	v.Load(logf)
	if v.Top != 250.123456789 {
		t.Errorf("the largest log f is %v", v.Top)
	}
	for x, l := range logf {
		if want := math.Exp(l) / math.Exp(v.Top); !(math.Abs(v.F[x]/want-1) <= 1e-15) || !(math.Abs(v.F[x]*v.Inverse[x]-1) <= 3e-16) {
			t.Errorf("f of state %d is %v with the inverse %v, want %v", x, v.F[x], v.Inverse[x], want)
		}
	}
	for _, wide := range [][]float64{{0, 501}, {0, math.Inf(-1)}, {math.Inf(-1), math.Inf(-1)}, {0, math.Inf(1)}} {
		if v.Load(wide); v.F != nil || v.Inverse != nil {
			t.Errorf("log f %v: f %v", wide, v.F)
		}
	}
}
