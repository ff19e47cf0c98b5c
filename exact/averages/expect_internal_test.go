package averages

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/floats"

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
		err := newPairs(100).look(ctx, c, f, start, func(steps int) {
			if done += steps; done > after {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted after %d steps: %v", after, err)
		}
	}
}

// row adds D(i, i+k) of a sample i for all k.
func (w *pairs) row(i int, d []float64) {
	floats.Add(w.lag[:len(d)], d)
	floats.Add(w.with[i:], d) // D(i, i) is zero
	w.with[i] += floats.Sum(d)
	if i < w.batched {
		w.within.Add(2 * floats.Sum(d[:w.size-i%w.size]))
		w.between.Add(2 * floats.Sum(d[:w.batched-i]))
	}
	if i < w.a {
		w.aa.Add(2 * floats.Sum(d[:w.a-i]))
		w.ab.Add(floats.Sum(d[w.n-w.b-i:]))
	}
	if i >= w.n-w.b {
		w.bb.Add(2 * floats.Sum(d))
	}
}

func (w *pairs) numbers() []float64 {
	return append(append([]float64{w.within.Value(), w.between.Value(), w.aa.Value(), w.ab.Value(), w.bb.Value()}, w.lag...), w.with...)
}
