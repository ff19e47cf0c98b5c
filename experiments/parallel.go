package experiments

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel runs jobs 0..n-1, begun in that order, on a number of workers; 0 is one for each processor. After an
// error no further job is begun. It returns the first error, or the context's error where that has ended. A single worker
// runs in the caller's own goroutine, where the caller can recover from a panic.
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
	if workers = min(workers, n); workers == 1 {
		work()
	} else {
		var group sync.WaitGroup
		for range workers {
			group.Go(work)
		}
		group.Wait()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// WorkersEach returns how many workers each of n jobs may have when Parallel does them with so many: one where there are as
// many jobs as workers, and more where there are fewer.
func WorkersEach(n, workers int) int { return max(1, all(workers)/max(1, n)) }

// all returns the number of workers, where 0 is one for each processor.
func all(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}
