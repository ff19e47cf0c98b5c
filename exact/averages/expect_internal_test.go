package averages

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestPairsOneByOne compares the sums over pairs, whose time is linear, with a sum of every D(i,
// i+k) by its definition: on a kernel of one matrix and on a sequence, with a state of
// probability zero.
func TestPairsOneByOne(t *testing.T) {
	logf, n := []float64{0, 1, -2, 0.5, math.Inf(-1), -1, 0.3, 2, -0.4}, 157
	space := grid.MustNew(3, 3)
	for _, kernel := range []string{"metropolis", "heatbath-scan", "heatbath"} {
		k := longtest.Must(kernels.Parse(kernel, space))(t)
		c := longtest.Must(New(t.Context(), k, logf))(t)
		f := longtest.Must(c.Standardise([]float64{0, 1, 4, 9, 2, 25, 36, 49, 64}))(t)
		start := []float64{0.5, 0, 0, 0, 0, 0, 0, 0.5, 0}
		w := newPairs(n)
		if err := w.look(t.Context(), c, f, start, nil); err != nil {
			t.Fatal(err)
		}
		want := newPairs(n)
		u := make([][]float64, n)
		d := newDifferences(c, f)
		for k := range n {
			u[k] = append([]float64(nil), d.u...)
			d.next()
		}
		for i, law := 0, start; i < n; i++ {
			row := make([]float64, n-i)
			for k := range row {
				row[k] = floats.Dot(law, u[k])
			}
			want.row(i, row)
			law = longtest.Must(c.After(t.Context(), law, 1))(t)
		}
		got, all := w.numbers(), want.numbers()
		for i, v := range all {
			if !(math.Abs(got[i]-v) <= 1e-12*v) {
				t.Fatalf("%s: sum %d is %v, one by one %v", kernel, i, got[i], v)
			}
		}
	}
}

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
