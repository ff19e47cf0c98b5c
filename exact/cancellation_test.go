package exact_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
)

// TestWhatCancels solves a path whose two ends are the same distribution, and which leads thousands of nats away from
// it and back. A chain that never moves then has B = 0 exactly. The B that is computed is only rounding and may be
// below zero; a note must say so, and Check must allow for it.
func TestWhatCancels(t *testing.T) {
	g, middle := make([]float64, 9), make([]float64, 9)
	for x := range g {
		g[x], middle[x] = math.Cos(float64(x)), 4000*math.Sin(float64(x))
	}
	path, err := paths.NewPiecewise("via", g, middle, g, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for _, T := range []int{3, 4, 5, 10} {
		a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Stay{}, T)
		if err != nil {
			t.Fatal(err)
		}
		s, err := exact.Solve(context.Background(), a, exact.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(s.Notes, "; "), "B is lost in rounding") || !(math.Abs(s.B) <= s.ErrorB) || !(s.ErrorB < 1e-6) {
			t.Errorf("T = %d: B = %v, error %v, notes %q", T, s.B, s.ErrorB, s.Notes)
		}
		if math.Abs(s.MeanLogWForward) > s.ErrorLogW || math.Abs(s.MeanLogWReverse) > s.ErrorLogW {
			t.Errorf("T = %d: expected log weights %v and %v, error %v", T, s.MeanLogWForward, s.MeanLogWReverse, s.ErrorLogW)
		}
		identities, err := exact.Check(context.Background(), a, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range identities {
			if !i.OK {
				t.Errorf("T = %d: %s: %v and %v", T, i.Name, i.Got, i.Want)
			}
		}
	}
}
