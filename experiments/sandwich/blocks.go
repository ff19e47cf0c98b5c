package sandwich

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Batch is the chains of one row, which are independent of each other.
type Batch[R any] struct {
	Chains int     // how many there are
	Cost   float64 // about how long each takes, in a unit that all batches of a run share
	Steps  int     // what each counts as progress
	// Chain makes chain i, from 0. Several goroutines call it at once.
	Chain func(ctx context.Context, i int) (Estimate, error)
	// Row returns the row of the estimates of all chains.
	Row func(estimates []Estimate) R
}

// RunBlocks makes the chains of batches, which stand in blocks, and returns the rows of every block. The longest chains are begun first, so
// that no worker is left with one at the end. Where the context ends before all are done, it returns the rows of the batches all of whose
// chains are, with an error that is experiments.Unfinished.
func RunBlocks[R any](ctx context.Context, h study.How, blocks [][]Batch[R]) ([][]R, error) {
	type chain struct {
		of     *Batch[R]
		number int // in its batch
		place  int // among all chains
	}
	var order []chain
	for _, block := range blocks {
		for i := range block {
			for number := range block[i].Chains {
				order = append(order, chain{&block[i], number, len(order)})
			}
		}
	}
	slices.SortStableFunc(order, func(a, b chain) int { return cmp.Compare(b.of.Cost, a.of.Cost) })
	estimates, done := make([]Estimate, len(order)), make([]bool, len(order))
	var finished atomic.Int64
	err := experiments.Parallel(ctx, len(order), h.Workers, func(ctx context.Context, i int) (err error) {
		c := order[i]
		if estimates[c.place], err = c.of.Chain(ctx, c.number); err == nil {
			done[c.place] = true
			finished.Add(1)
			h.Add(c.of.Steps)
		}
		return err
	})
	if err != nil {
		if !experiments.Ended(ctx, err) {
			return nil, err
		}
		err = experiments.NewUnfinished(int(finished.Load()), len(order), err)
	}
	return doneRows(blocks, estimates, done), err
}

// doneRows returns the rows of the batches all of whose chains are done.
func doneRows[R any](blocks [][]Batch[R], estimates []Estimate, done []bool) [][]R {
	rows := make([][]R, len(blocks))
	from := 0
	for i, block := range blocks {
		for _, b := range block {
			to := from + b.Chains
			if !slices.Contains(done[from:to], false) {
				rows[i] = append(rows[i], b.Row(estimates[from:to]))
			}
			from = to
		}
	}
	return rows
}

// WithAll returns the rows of all blocks, one after another. A block has the rows of single data sets, and where those of all its batches are
// there, and there are several, the row of all data sets together follows them.
func WithAll[R any](blocks [][]Batch[R], rows [][]R, together func(block []R) R) (all []R) {
	for i, block := range rows {
		all = append(all, block...)
		if len(block) > 1 && len(block) == len(blocks[i]) {
			all = append(all, together(block))
		}
	}
	return all
}
