package smc

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

// maxBatch is the largest number of runs that are read at once.
const maxBatch = 1 << 12

// Read returns the records of a text with a row a run, whose columns are those of the task.
func (t *Task) Read(cells *files.Cells) (*Source, error) {
	names := cells.Names()
	if _, err := t.grouped(names); err != nil {
		return nil, fmt.Errorf("%s, line 1: %w", cells.Name(), err)
	}
	r := &reader{cells: cells, columns: t.columns(), logZ: slices.Index(names, string(LogZ))}
	for _, c := range r.columns {
		r.at = append(r.at, slices.Index(names, c.name))
	}
	return &Source{Name: cells.Name(), Columns: names, Next: r.next}, nil
}

// reader reads records.
type reader struct {
	cells   *files.Cells
	columns []column
	logZ    int   // the place of log Zhat in a row; -1 where there is none
	at      []int // the place of every column of whole numbers; -1 where there is none
}

func (r *reader) next(ctx context.Context, n int) ([]Run, error) {
	var runs []Run
	for len(runs) < min(n, maxBatch) {
		cells, err := r.cells.Next(ctx)
		if err == nil {
			var run Run
			if run, err = r.run(cells); err == nil {
				runs = append(runs, run)
				continue
			}
		}
		if errors.Is(err, io.EOF) && len(runs) > 0 {
			return runs, nil
		}
		return runs, err
	}
	return runs, nil
}

// run reads a row.
func (r *reader) run(cells [][]byte) (Run, error) {
	run := Run{Whole: make([]int8, len(r.columns))}
	if r.logZ >= 0 {
		v, digits, ok := samples.ParseNumber(cells[r.logZ])
		if !ok || math.IsInf(v, 0) {
			return run, r.cells.Wrong(string(LogZ), files.Quoted(cells[r.logZ]), "write log Zhat as a finite number; no weight of this task is zero")
		}
		var written samples.Precision
		written.Add(digits)
		run.LogZ, run.Rounding = v, written.Rounding(v)
	}
	for i, c := range r.columns {
		if r.at[i] < 0 {
			continue
		}
		cell := cells[r.at[i]]
		v, _, ok := samples.ParseNumber(cell)
		if !ok || v != math.Trunc(v) || v < float64(c.least) || v > float64(c.most) {
			return run, r.cells.Wrong(c.name, files.Quoted(cell), fmt.Sprintf("write a whole number from %d to %d", c.least, c.most))
		}
		run.Whole[i] = int8(v)
	}
	return run, nil
}
