package subject

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/work"
)

// Parallel runs jobs 0..n-1, begun in that order, on a number of workers; 0 is one for each
// processor. After an error no further job begins. It returns the first error, or the context's
// error if that has ended. If a job panics, Parallel panics in the caller's own goroutine, where
// the caller can recover; of several such jobs the first one counts.
func Parallel(ctx context.Context, n, workers int, job func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers = all(workers)
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := job(ctx, i); err != nil {
				cancel(err)
			}
		}
	}
	workers = min(workers, n)
	if workers == 1 {
		work()
	} else {
		var group sync.WaitGroup
		var panicked atomic.Pointer[panicOfJob]
		for range workers {
			group.Go(func() {
				defer func() {
					if value := recover(); value != nil {
						panicked.CompareAndSwap(nil, &panicOfJob{value, debug.Stack()})
						cancel(nil)
					}
				}()
				work()
			})
		}
		group.Wait()
		if p := panicked.Load(); p != nil {
			panic(p)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// panicOfJob is what Parallel panics with for a job that has panicked in another goroutine.
type panicOfJob struct {
	value any
	stack []byte // of that goroutine
}

func (p *panicOfJob) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// Rows runs jobs 0..n-1 like Parallel, and returns the rows of all in the order of the jobs. If the
// context ends first it returns the rows of the finished jobs, with the error of the context. It
// then waits for no job: a job may continue for a while, and must write nothing but its rows. If
// jobs fail it returns the rows of the others, with the error Failures; a chains.Fault loses all
// rows.
func Rows[R any](ctx context.Context, n, workers int,
	job func(ctx context.Context, i int) ([]R, error)) ([]R, error) {
	return RowsInOrder(ctx, Order(n, func(int, int) int { return 0 }), workers, job)
}

// Order returns the numbers 0..n-1 sorted by compare, which is as for slices.SortFunc; equal ones
// stay in order.
func Order(n int, compare func(a, b int) int) []int {
	order := number.Range(n)
	slices.SortStableFunc(order, compare)
	return order
}

// RowsInOrder is Rows with jobs begun in the given order. The rows still have the order of the
// numbers of the jobs.
func RowsInOrder[R any](ctx context.Context, order []int, workers int,
	job func(ctx context.Context, i int) ([]R, error)) ([]R, error) {
	done := make([][]R, len(order))
	whole, err := inOrder(ctx, order, workers, func(ctx context.Context, i int) error {
		rows, err := Unless(ctx, func() ([]R, error) { return job(ctx, i) })
		if err == nil {
			done[i] = rows
		}
		return err
	})
	if !whole {
		return nil, err
	}
	return slices.Concat(done...), err
}

// inOrder is RowsInOrder without rows. It reports whether those are whole that jobs have come to.
func inOrder(ctx context.Context, order []int, workers int,
	job func(ctx context.Context, i int) error) (whole bool, err error) {
	failures := make([]Failures, len(order))
	var finished atomic.Int64
	err = Parallel(ctx, len(order), workers, func(ctx context.Context, i int) error {
		err := job(ctx, order[i])
		if err == nil {
			finished.Add(1)
		}
		return failures[order[i]].Keep(ctx, err)
	})
	if err != nil && !chains.Ended(ctx, err) {
		return false, err
	}
	if err != nil {
		return true, NewUnfinished(int(finished.Load()), len(order), err)
	}
	return true, slices.Concat(failures...).OrNil()
}

// Unfinished is the error of a context that has ended before all jobs were done.
type Unfinished struct {
	Finished, Jobs int // how many jobs are done, and how many there are
	error
}

// NewUnfinished returns the error of a context that has ended when finished of the jobs were done.
func NewUnfinished(finished, jobs int, ended error) error { return Unfinished{finished, jobs, ended} }

// Unwrap returns the error of the context.
func (u Unfinished) Unwrap() error { return u.error }

// Unless returns the result of a function that does not check the context. If the context ends
// first it returns the context's error at once, and the result is lost.
func Unless[T any](ctx context.Context, job func() (T, error)) (T, error) {
	// not a result of Unless, because abandoned work may still write to it after Unless has
	// returned
	var found, none T
	var failed error
	if ended := work.Unless(ctx, func() { found, failed = job() }); ended != nil {
		return none, ended
	}
	return found, failed
}

// WorkersEach returns how many workers each of n jobs may have: one if there are at least as many
// jobs as workers, and more if there are fewer.
func WorkersEach(n, workers int) int { return max(1, all(workers)/max(1, n)) }

// all returns the number of workers, where 0 is one for each processor.
func all(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}
