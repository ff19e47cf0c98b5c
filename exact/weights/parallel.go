package weights

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// inParallel runs jobs 0..n-1, begun in that order, on so many workers; 0 is one for each processor. It returns the
// first error, or why the context ended.
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

// portions returns a function that counts so many pieces of work, from any goroutine, and reports them as
// LawProgress steps.
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
