package weights

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// inParallel runs jobs 0 to n-1 on the given number of workers, and begins them in that order. Zero workers stand for
// one for each processor. It returns the first error of a job, or the error of the context where that has ended.
func inParallel(ctx context.Context, n, workers int, job func(ctx context.Context, i int) error) error {
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

// portions returns a function to call from any goroutine with the number of pieces of work that have been done. It
// reports all pieces together as LawProgress steps.
func (p *problem) portions(pieces int) func(int) {
	var done atomic.Int64
	return func(n int) {
		now := done.Add(int64(n))
		before := now - int64(n)
		if steps := LawProgress*now/int64(pieces) - LawProgress*before/int64(pieces); steps > 0 {
			p.Progress(int(steps))
		}
	}
}
