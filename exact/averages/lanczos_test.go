package averages_test

import (
	"context"
	"math"
	"testing"

	"breadboard/exact/averages"
)

// TestLanczosReference compares the rows on the Ising model, and tau there.
func TestLanczosReference(t *testing.T) {
	for _, row := range errorsRows(t) {
		if row.start != "target" {
			continue
		}
		c, y := chainOn(t, row.toy, row.kernel)
		f := functionOn(t, c, y, row.function)
		q := averages.Question{Function: f, Starts: [][]float64{c.Target}, N: []int64{row.n}}
		got, err := c.Errors(context.Background(), q, averages.Lanczos)
		if err != nil {
			t.Fatal(err)
		}
		e := got[0][0]
		if want := row.want["mse_mean"]; !(math.Abs(e.MSE/want-1) <= 1e-11) || e.Bias != 0 {
			t.Errorf("%s %s %s N=%d: mean squared error %v, and %v by the reference", row.toy, row.kernel, row.function, row.n, e.MSE, want)
		}
		s, err := c.Stationary(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		if want, known := row.want["tau"]; known && !(math.Abs(s.Tau()/want-1) <= 1e-11) {
			t.Errorf("%s %s %s: tau %v, and %v by the reference", row.toy, row.kernel, row.function, s.Tau(), want)
		}
		t.Log(row.toy, row.function, row.n, s.Steps, e.Rounding, e.MSE/row.want["mse_mean"]-1)
	}
}
