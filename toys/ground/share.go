package ground

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// share starts workers, each of which gets the numbers of the jobs that are left, one after the
// other, until there are none or the context ends; then it returns the error of the context. Zero
// workers are one for each processor. Progress, which may be nil, is called after each job.
func share(ctx context.Context, jobs, workers int, progress func(int),
	work func(numbers iter.Seq[int])) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var taken atomic.Int64
	numbers := func(yield func(int) bool) {
		for i := int(taken.Add(1)) - 1; i < jobs && ctx.Err() == nil && yield(i); i = int(taken.Add(1)) - 1 {
			if progress != nil {
				progress(1)
			}
		}
	}
	var group sync.WaitGroup
	for range min(workers, jobs) {
		group.Go(func() { work(numbers) })
	}
	group.Wait()
	return ctx.Err()
}
