package conform

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments/samples"
)

// reused is a source of consecutive numbers in batches of given sizes, which all use the same memory.
type reused struct {
	sizes []int
	at    int
	batch samples.Batch
	end   error
}

func (r *reused) Name() string { return "reused" }
func (r *reused) Columns() samples.Columns {
	return samples.Columns{LogW: true, XFirst: true, Path: true}
}
func (r *reused) Precision() samples.Precision          { return samples.Precision{} }
func (r *reused) IncrementPrecision() samples.Precision { return samples.Precision{} }

func (r *reused) Next(ctx context.Context, rows int) (*samples.Batch, error) {
	if len(r.sizes) == 0 {
		if r.end == nil { // a stream that is silent
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return nil, r.end
	}
	n := min(rows, r.sizes[0])
	r.sizes = r.sizes[1:]
	b := &r.batch
	b.First, b.Rows = r.at, n
	b.LogW, b.XFirst, b.Path = b.LogW[:0], b.XFirst[:0], [][]int32{b.XFirst[:0], nil}
	for range n {
		b.LogW, b.XFirst = append(b.LogW, float64(r.at)), append(b.XFirst, int32(r.at))
		r.at++
	}
	b.Path = [][]int32{b.XFirst, slices.Clone(b.XFirst)}
	return b, nil
}

// TestAhead: what is read ahead is what there is, whatever the batches and the requests are, and the end comes after it.
func TestAhead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 50), 0, 20).Draw(t, "sizes")
		total := 0
		for _, n := range sizes {
			total += n
		}
		end := errors.New("the end")
		a := newAhead(t.Context(), &reused{sizes: sizes, end: end})
		defer a.stop()
		at := 0
		for {
			rows := rapid.IntRange(1, 60).Draw(t, "rows")
			b, err := a.next(t.Context(), rows)
			if err != nil {
				if !errors.Is(err, end) || at != total {
					t.Fatalf("%v after %d rows of %d", err, at, total)
				}
				return
			}
			if b.Rows < 1 || b.Rows > rows || b.First != at || b.XLast != nil || b.Increments != nil {
				t.Fatalf("asked for %d rows at %d: %+v", rows, at, b)
			}
			for i := range b.Rows {
				if b.LogW[i] != float64(at) || b.XFirst[i] != int32(at) || b.Path[0][i] != int32(at) || b.Path[1][i] != int32(at) {
					t.Fatalf("row %d: %+v", at, b)
				}
				at++
			}
		}
	})
}

// TestAheadStops: a silent stream keeps neither a call whose context ends nor the end of reading waiting.
func TestAheadStops(t *testing.T) {
	a := newAhead(t.Context(), &reused{sizes: []int{3}})
	if b, err := a.next(t.Context(), 10); err != nil || b.Rows != 3 {
		t.Fatal(b, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.next(ctx, 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	a.stop()
	if _, err := a.next(t.Context(), 10); errors.Is(err, io.EOF) || err == nil {
		t.Error(err)
	}
}
