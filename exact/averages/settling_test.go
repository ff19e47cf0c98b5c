package averages_test

import (
	"context"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

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
