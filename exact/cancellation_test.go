package exact_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid/longtest"
)

// TestWhatCancels solves a path whose two ends are the same distribution, and which leads thousands of nats away from
// it and back. A chain that never moves then has B = 0 exactly. The B that is computed is only rounding and may be
// below zero; a note must say so, and Check must allow for it.
func TestWhatCancels(t *testing.T) {
	g, middle := make([]float64, 9), make([]float64, 9)
	for x := range g {
		g[x], middle[x] = math.Cos(float64(x)), 4000*math.Sin(float64(x))
	}
	path := longtest.Must(paths.NewPiecewise("via", g, middle, g, 0.5))(t)
	for _, T := range []int{3, 4, 5, 10} {
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Stay{}, T))(t)
		s := exacttest.Solve(t, a)
		if !strings.Contains(strings.Join(s.Notes, "; "), "B is lost in rounding") || !(math.Abs(s.B) <= s.ErrorB) || !(s.ErrorB < 1e-6) {
			t.Errorf("T = %d: B = %v, error %v, notes %q", T, s.B, s.ErrorB, s.Notes)
		}
		if math.Abs(s.MeanLogWForward) > s.ErrorLogW || math.Abs(s.MeanLogWReverse) > s.ErrorLogW {
			t.Errorf("T = %d: expected log weights %v and %v, error %v", T, s.MeanLogWForward, s.MeanLogWReverse, s.ErrorLogW)
		}
		if bad := exacttest.Failing(t, a, s); bad != nil {
			t.Errorf("T = %d: %v do not hold", T, bad)
		}
	}
}
