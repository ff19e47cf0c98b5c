package conform

import (
	"context"
	"errors"
	"io"

	"breadboard/experiments/samples"
)

// gathered returns so many rows of a source, or as many as there are, in memory of their own. A stream may give them one by
// one, of which the first does not say how the others are written. With an error it returns the rows before it.
func gathered(ctx context.Context, source samples.Source, rows int) (*samples.Batch, error) {
	out := &samples.Batch{}
	for out.Rows < rows {
		b, err := source.Next(ctx, rows-out.Rows)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, err
		}
		out.LogW = append(out.LogW, b.LogW...)
		out.XFirst, out.XLast = append(out.XFirst, b.XFirst...), append(out.XLast, b.XLast...)
		out.Path = appended(out.Path, b.Path)
		out.Increments = appended(out.Increments, b.Increments)
		out.Rows += b.Rows
	}
	return out, nil
}

// appended appends rows to columns.
func appended[V any](columns, rows [][]V) [][]V {
	if columns == nil && rows != nil {
		columns = make([][]V, len(rows))
	}
	for k, v := range rows {
		columns[k] = append(columns[k], v...)
	}
	return columns
}

// copied copies columns of rows into memory that there is already.
func copied[V any](to, from [][]V) [][]V {
	if to == nil && from != nil {
		to = make([][]V, len(from))
	}
	for k, v := range from {
		to[k] = append(to[k][:0], v...)
	}
	return to
}

// part returns some of the chains of a batch.
func part(b *samples.Batch, from, to int) *samples.Batch {
	out := &samples.Batch{First: b.First + from, Rows: to - from}
	numbers := func(v []float64) []float64 {
		if v == nil {
			return nil
		}
		return v[from:to]
	}
	states := func(v []int32) []int32 {
		if v == nil {
			return nil
		}
		return v[from:to]
	}
	out.LogW, out.XFirst, out.XLast = numbers(b.LogW), states(b.XFirst), states(b.XLast)
	for _, v := range b.Path {
		out.Path = append(out.Path, states(v))
	}
	for _, v := range b.Increments {
		out.Increments = append(out.Increments, numbers(v))
	}
	return out
}
