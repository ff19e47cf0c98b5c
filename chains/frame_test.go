package chains_test

import (
	"errors"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
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

// TestNewFrameIsWatched: a frame of many entries is given up where its watch fails.
func TestNewFrameIsWatched(t *testing.T) {
	jump := kernels.Jump{Space: grid.MustNew(30, 30), Eps: 0.1}
	for _, k := range []chains.Kernel{jump, kernels.Lazy(0.5, jump)} {
		looked := 0
		if _, err := chains.NewFrame(k, 900, func() error {
			if looked++; looked == 3 {
				return errStop
			}
			return nil
		}); !errors.Is(err, errStop) || looked != 3 {
			t.Errorf("%v: %v after %d looks", k, err, looked)
		}
	}
}
