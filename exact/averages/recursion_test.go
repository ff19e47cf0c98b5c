package averages_test

import (
	"context"
	"math"
	"testing"

	"breadboard/exact/averages"
	"breadboard/grid/longtest"
)

// TestReducibleByLanczos: between two states that no move connects, a chain keeps the error of its
// start.
func TestReducibleByLanczos(t *testing.T) {
	c := line(t, 0, math.Inf(-1), 0)
	f := longtest.Must(c.Standardise([]float64{-1, 5, 1}))(t)
	q := averages.Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{1, 1000, 100_000}}
	for _, e := range longtest.Must(c.Errors(t.Context(), q, averages.Lanczos))(t)[0] {
		if math.Abs(e.MSE.Value-1) > 1e-11 {
			t.Errorf("%+v", e)
		}
	}
	if s, err := c.Stationary(t.Context(), f); err != nil || !math.IsNaN(s.Tau()) ||
		math.Abs(s.MSE(1e12)-1) > 1e-3 {
		t.Errorf("%+v %v: tau %v", s, err, s.Tau())
	}
}

// TestNoDrift: over many steps of a slow chain the means of functions, which are zero, take up no
// rounding. What is left of it is within what is said, as squaring shows, which makes few steps;
// without centring it would be twice the limits here.
func TestNoDrift(t *testing.T) {
	c := line(t, 0.1, -6, 0.4, 0.2, -5, 1)
	f := longtest.Must(c.Standardise([]float64{0, 1, 5, 2, 3, -4}))(t)
	q := averages.Question{
		Function:     f,
		Starts:       [][]float64{{0, 0, 1, 0, 0, 0}, c.Target},
		N:            []int64{200_000},
		Variance:     true,
		Distribution: true,
	}
	switch {
	case !longtest.Enabled():
		q.N[0] = 50_000
	case longtest.More():
		q.N[0] = 1_000_000
	}
	got := longtest.Must(c.Errors(context.Background(), q, averages.Recursion))(t)
	want := longtest.Must(c.Errors(context.Background(), q, averages.Squaring))(t)
	for i := range got {
		e := got[i][0]
		w := want[i][0]
		for name, on := range map[string]struct{ got, want, limit float64 }{
			"mean":         {e.MSE.Value, w.MSE.Value, 6e-14},
			"variance":     {e.MSEVariance.Value, w.MSEVariance.Value, e.Rounding},
			"distribution": {e.CvM.Value, w.CvM.Value, 7e-14},
		} {
			if off := math.Abs(on.got/on.want - 1); !(off <= min(on.limit, e.Rounding)) {
				t.Errorf("start %d, %s: off by %.2g", i, name, off)
			}
		}
	}
}
