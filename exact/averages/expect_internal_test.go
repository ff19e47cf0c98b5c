package averages

import (
	"context"
	"errors"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestPairsInterrupted: both passes over pairs end with the context.
func TestPairsInterrupted(t *testing.T) {
	space := grid.MustNew(3, 3)
	c := longtest.Must(New(t.Context(), kernels.Metropolis{Space: space}, make([]float64, 9)))(t)
	f := longtest.Must(c.Standardise([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8}))(t)
	start := []float64{1, 0, 0, 0, 0, 0, 0, 0, 0}
	for _, after := range []int{0, 400} { // each pass reports a multiple of 100 samples, the first four times
		ctx, cancel := context.WithCancel(t.Context())
		done := 0
		err := newPairs(100).sumPairs(ctx, c, f, start, func(steps int) {
			done += steps
			if done > after {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted after %d steps: %v", after, err)
		}
	}
}
