package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"breadboard/experiments/samples"
	"breadboard/experiments/samples/files"
)

// maxBatch is the largest number of records that are read at once.
const maxBatch = 1 << 12

// Read returns the records of a text with a row each, whose columns are those of the kind.
func (k *Kind) Read(cells *files.Cells) (*Source, error) {
	names := cells.Names()
	if _, err := k.grouped(names); err != nil {
		return nil, fmt.Errorf("%s, line 1: %w", cells.Name(), err)
	}
	r := &reader{cells: cells, kind: k}
	for _, c := range k.columns() {
		r.at = append(r.at, slices.Index(names, c.Name))
	}
	return &Source{Name: cells.Name(), Columns: names, Next: r.next}, nil
}

// reader reads records.
type reader struct {
	cells *files.Cells
	kind  *Kind
	at    []int // the place of every column in a row, those of real numbers first; -1 where there is none
}

func (r *reader) next(ctx context.Context, n int) ([]Record, error) {
	var records []Record
	for len(records) < min(n, maxBatch) {
		cells, err := r.cells.Next(ctx)
		if err == nil {
			var record Record
			if record, err = r.record(cells); err == nil {
				records = append(records, record)
				continue
			}
		}
		if errors.Is(err, io.EOF) && len(records) > 0 {
			return records, nil
		}
		return records, err
	}
	return records, nil
}

// record reads a row.
func (r *reader) record(cells [][]byte) (Record, error) {
	reals := len(r.kind.Reals)
	record := Record{Reals: make([]float64, reals), Rounding: make([]float64, reals), Whole: make([]int8, len(r.kind.Wholes))}
	for i, c := range r.kind.Reals {
		if r.at[i] < 0 {
			continue
		}
		cell := cells[r.at[i]]
		v, digits, ok := samples.ParseNumber(cell)
		if !ok || math.IsInf(v, 0) {
			return record, r.cells.Wrong(c.Name, files.Quoted(cell), "write "+c.Name+" as a finite number; it is never infinite in this task")
		}
		var written samples.Precision
		written.Add(digits)
		record.Reals[i], record.Rounding[i] = v, written.Rounding(v)
	}
	for i, c := range r.kind.Wholes {
		at := r.at[reals+i]
		if at < 0 {
			continue
		}
		v, _, ok := samples.ParseNumber(cells[at])
		if !ok || v != math.Trunc(v) || v < float64(c.Least) || v > float64(c.Most) {
			return record, r.cells.Wrong(c.Name, files.Quoted(cells[at]), fmt.Sprintf("write a whole number from %d to %d", c.Least, c.Most))
		}
		record.Whole[i] = int8(v)
	}
	return record, nil
}
