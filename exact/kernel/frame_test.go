package kernel

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestFrameSums: rows of a frame that do not sum to one are a fault of the kernel, and nothing is said of others.
func TestFrameSums(t *testing.T) {
	k := kernels.Metropolis{Space: grid.MustNew(3)}
	for off, wrong := range map[float64]bool{0: false, 5e-13: false, -5e-13: false, 3e-12: true, -3e-12: true} {
		f := longtest.Must(FrameOf(context.Background(), k, 3))(t)
		f.Fixed[f.Start[1]] += off
		var v chains.Values
		v.Load([]float64{0, 0, 0})
		var r Rows
		if err := r.FillFrame(context.Background(), k, f, &v); (err != nil) != wrong || wrong && !strings.Contains(err.Error(), "at state 1: the probabilities sum to") {
			t.Errorf("off by %v: %v", off, err)
		}
	}
}

// TestFrameIsInterrupted: a context that has ended ends the filling of a frame.
func TestFrameIsInterrupted(t *testing.T) {
	k := kernels.Metropolis{Space: grid.MustNew(3)}
	f := longtest.Must(FrameOf(context.Background(), k, 3))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var v chains.Values
	v.Load([]float64{0, 0, 0})
	if err := new(Rows).FillFrame(ctx, k, f, &v); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestGrowth: a quarter of the entries that are allowed is made before the rows to come are taken to be like those before.
func TestGrowth(t *testing.T) {
	k := kernels.Stay{}
	for _, c := range []struct {
		made, states, entries int
		refused               bool
	}{
		{1, 1 << 20, MaxEntries/4 - 1, false}, {1, 1 << 20, MaxEntries / 4, true}, {500, 1000, MaxEntries / 2, false}, {499, 1000, MaxEntries / 2, true},
	} {
		if err := checkGrowth(k, c.made, c.states, c.entries); (err != nil) != c.refused {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestLeast: the least positive entry, and all others, of rows with a frame and without.
func TestLeast(t *testing.T) {
	ctx, logf := context.Background(), []float64{0, -3, 0}
	k := kernels.Metropolis{Space: grid.MustNew(3)}
	f := longtest.Must(FrameOf(ctx, k, 3))(t)
	var v chains.Values
	v.Load(logf)
	var framed, plain Rows
	longtest.NoError(t, errors.Join(framed.FillFrame(ctx, k, f, &v), plain.Fill(ctx, k, logf)))
	if a, b := framed.Least(), plain.Least(); !(a > 0.0248 && a < 0.0249) || !(b > 0.0248 && b < 0.0249) {
		t.Errorf("%v with a frame, %v without; it is exp(-3)/2", a, b)
	}
	for x := range logf {
		for y := range logf {
			if a, b := framed.At(x, y), plain.At(x, y); math.Abs(a-b) > 1e-16 || (x-y == 2 || y-x == 2) && a != 0 {
				t.Errorf("T(%d,%d) is %v with a frame, %v without", x, y, a, b)
			}
		}
	}
	if err := framed.Fill(ctx, kernels.Stay{}, logf); err != nil || framed.Least() != 1 || len(f.Entries) != 7 {
		t.Errorf("%v: filled again without the frame the least entry is %v", err, framed.Least())
	}
}

// TestReturnsAreInterrupted: in each of its three passes over the entries Returns looks at the context, and does no more
// work once that has ended.
func TestReturnsAreInterrupted(t *testing.T) {
	k := kernels.Metropolis{Space: grid.MustNew(framePortion)}
	r := longtest.Must(NewRows(context.Background(), k, make([]float64, framePortion)))(t)
	const looks = 1 + 1 + 3 // of two portions of entries, and of four in the pass over the entries of both matrices
	for left := range looks {
		ctx := longtest.EndsAfter(left)
		if _, err := r.Returns(ctx, nil, r); !errors.Is(err, context.Canceled) || ctx.Looks() != 1 {
			t.Errorf("a context that ends at look %d: %v, looked at %d times then", left+1, err, ctx.Looks())
		}
	}
	ctx := longtest.EndsAfter(looks)
	if _, err := r.Returns(ctx, nil, r); err != nil || ctx.Err() == nil {
		t.Errorf("%v, or fewer looks than expected", err)
	}
}
