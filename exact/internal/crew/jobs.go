package crew

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Jobs runs jobs 0 to n-1 on the given number of workers, and begins them in that order. It is for jobs that take long, where a
// Crew is for loops of microseconds. Zero workers stand for one for each processor. It returns the first error of a job, or the
// error of the context where that has ended.
func Jobs(ctx context.Context, n, workers int, job func(ctx context.Context, i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i := range n {
		group.Go(func() error {
			if inner.Err() != nil {
				return inner.Err()
			}
			return job(inner, i)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}
