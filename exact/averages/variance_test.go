package averages_test

import (
	"context"
	"math"
	"testing"

	"breadboard/exact/averages"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// TestSlowVariance: a line of three states, of which the middle one is hardly ever visited. A function that is odd is an eigenfunction, and
// its tau follows from the probability to leave an end. A linear system loses digits as this probability gets small.
func TestSlowVariance(t *testing.T) {
	for _, e := range []float64{0.25, 1e-3, 1e-6, 1e-9, 1e-12} {
		log := math.Log(e) // of the state between the pairs, where the chain does not stay
		c := line(t, 0, log, 0)
		leave := c.Rows.At(0, 1) // half of those who are there go on
		f := longtest.Must(c.Standardise([]float64{-1, 0, 1}))(t)
		v := longtest.Must(c.Variance(context.Background(), f))(t)
		// The function is an eigenfunction: T f = (1 - leave) f, because f is zero in the middle and odd.
		want := (2 - leave) / leave
		if math.Abs(v.Autocorrelation-want) > 1e-12*want || v.Error > 1e-11 {
			t.Errorf("e = %v: tau %v, want %v; said to be off by %v", e, v.Autocorrelation, want, v.Error)
		}
	}
}

// TestHardVariance: tau of HARD by powers is that of the linear system as far as that has digits, and has more.
func TestHardVariance(t *testing.T) {
	c, y := chainOn(t, "hard", "metropolis")
	f := functionOn(t, c, y, "x0")
	solved := longtest.Must(kernel.VarianceOf(context.Background(), c.Rows, c.LogF, f.Values))(t)
	v := longtest.Must(c.Variance(context.Background(), f))(t)
	if v.Error > 1e-11 || solved.Error < 1e-8 || math.Abs(v.Autocorrelation/solved.Autocorrelation-1) > solved.Error {
		t.Errorf("tau %v to %v by powers, %v to %v by a linear system", v.Autocorrelation, v.Error, solved.Autocorrelation, solved.Error)
	}
	all := longtest.Must(c.Errors(context.Background(), averages.Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{1e12}}, averages.Squaring))(t)
	if product := 1e12 * all[0][0].MSE; math.Abs(product/v.Autocorrelation-1) > 0.02 {
		t.Errorf("N times the mean squared error is %v at N = 1e12, and its limit %v", product, v.Autocorrelation)
	}
}
