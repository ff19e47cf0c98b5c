package files

import (
	"context"
	"errors"
	"io"
	"testing"

	"breadboard/experiments/samples"
)

// checkFuzzed reads what a fuzzed source yields: every fault is an *Error with what to write, and every value is legal.
func checkFuzzed(t *testing.T, rows decoder, l *layout, err error, o Options) {
	t.Helper()
	if err == nil {
		r := newReader("a", rows, l, o)
		var b *samples.Batch
		for err == nil {
			if b, err = r.Next(context.Background(), 3); err == nil {
				checkBatch(t, b, o.Space)
			}
		}
		if err == io.EOF {
			return
		}
	}
	var typed *Error
	if !errors.As(err, &typed) || typed.Found == "" || typed.Want == "" {
		t.Fatalf("%v, which is no *Error", err)
	}
}

// checkBatch looks whether all values of a batch are legal.
func checkBatch(t *testing.T, b *samples.Batch, s samples.Space) {
	t.Helper()
	columns := [][]int32{b.XFirst, b.XLast, b.From, b.To}
	for _, states := range append(columns, b.Path...) {
		for _, x := range states {
			if x < 0 || int(x) >= s.States {
				t.Fatalf("the state %d", x)
			}
		}
		if states != nil && len(states) != b.Rows {
			t.Fatalf("%d states in %d rows", len(states), b.Rows)
		}
	}
	numbers := [][]float64{b.LogW, b.LogZ, b.Beta}
	for _, values := range append(numbers, b.Increments...) {
		for _, v := range values {
			if v != v {
				t.Fatal("a value that is NaN")
			}
		}
		if values != nil && len(values) != b.Rows {
			t.Fatalf("%d values in %d rows", len(values), b.Rows)
		}
	}
}
