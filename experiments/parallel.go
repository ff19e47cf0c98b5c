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
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
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
		var all sync.WaitGroup
		for range workers {
			all.Go(work)
		}
		all.Wait()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
