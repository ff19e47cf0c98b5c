package averages_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestLanczosReference compares the rows that start from the target, and tau on the Ising model.
func TestLanczosReference(t *testing.T) {
	for _, group := range errorsGroups(t) {
		row := group.rows[0]
		tau, large := row.want["tau"]
		if row.start != "target" || large && (longtest.Short() || row.function != "sum" && !longtest.Enabled()) {
			continue // on 65,536 states one function will do
		}
		c, y := chainOn(t, row.toy, row.kernel)
		f := functionOn(t, c, y, row.function)
		q := averages.Question{Function: f, Starts: [][]float64{c.Target}, N: group.n}
		got := longtest.Must(c.Errors(context.Background(), q, averages.Lanczos))(t)
		for k, e := range got[0] {
			if want := group.rows[k].want["mse_mean"]; !(math.Abs(e.MSE/want-1) <= 1e-11) || e.Bias != 0 {
				t.Errorf("%s %s %s N=%d: mean squared error %v, and %v by the reference", row.toy, row.kernel, row.function, e.N, e.MSE, want)
			}
			if !(e.Rounding > 0 && e.Rounding < 1e-11) {
				t.Errorf("%s %s %s N=%d: rounding %v", row.toy, row.kernel, row.function, e.N, e.Rounding)
			}
		}
		if !large {
			continue
		}
		s := longtest.Must(c.Stationary(context.Background(), f))(t)
		if !(math.Abs(s.Tau()/tau-1) <= 1e-11) || s.Steps > 200 {
			t.Errorf("%s %s %s: tau %v after %d steps, and %v by the reference", row.toy, row.kernel, row.function, s.Tau(), s.Steps, tau)
		}
	}
}

// TestLanczosGivesUpEarlyOnSmallSpaces has chains on four states that are nearly periodic, and functions with parts that are mere rounding,
// on which the sums may never settle.
func TestLanczosGivesUpEarlyOnSmallSpaces(t *testing.T) {
	longtest.NotShort(t)
	for _, row := range []struct{ logf, g []float64 }{
		{[]float64{0, 0, 1.4259804618561133e-13, 8.665527697776922e-15}, []float64{1, -2, 1, 2}},
	} {
		k := longtest.Must(kernels.Parse("suwa-todo", grid.MustNew(2, 2)))(t)
		c := longtest.Must(averages.New(context.Background(), k, row.logf))(t)
		f := longtest.Must(c.Standardise(row.g))(t)
		steps := 0
		q := averages.Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{1, 10, 101}, Progress: func(n int) { steps += n }}
		_, err := c.Errors(context.Background(), q, averages.Lanczos)
		if steps > 1500 {
			t.Errorf("Lanczos made %d steps on four states (%v)", steps, err)
		}
	}
}
