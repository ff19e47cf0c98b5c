package subject_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/subject"
)

// TestWorkersEach: workers that would have no job of their own help with others.
func TestWorkersEach(t *testing.T) {
	for _, c := range []struct{ jobs, workers, want int }{
		{1, 4, 4}, {2, 4, 2}, {3, 4, 1}, {9, 4, 1}, {1, 0, runtime.GOMAXPROCS(0)}, {0, 3, 3},
	} {
		if got := subject.WorkersEach(c.jobs, c.workers); got != c.want {
			t.Errorf("%d jobs, %d workers: %d each, want %d", c.jobs, c.workers, got, c.want)
		}
	}
}

// TestPanicsOfJobs: a job that panics can be recovered from, with any number of workers, and what
// it said and where is not lost.
func TestPanicsOfJobs(t *testing.T) {
	for _, workers := range []int{1, 3} {
		message := ""
		func() {
			defer func() { message = fmt.Sprint(recover()) }()
			err := subject.Parallel(t.Context(), 100, workers, func(_ context.Context, i int) error {
				if i%2 == 1 {
					panic("a broken job")
				}
				return nil
			})
			t.Errorf("%d workers: %v", workers, err)
		}()
		if !strings.HasPrefix(message, "a broken job") ||
			workers > 1 && !strings.Contains(message, "parallel_test.go") {
			t.Errorf("%d workers: %s", workers, message)
		}
	}
}

// TestRowsAfterTheEnd: if the context ends the rows of the jobs that are done are returned in their
// order, with its error; where a job fails the rows of all others are; and a fault loses them.
func TestRowsAfterTheEnd(t *testing.T) {
	bad := errors.New("bad")
	for _, workers := range []int{1, 3} {
		for name, c := range map[string]struct {
			order []int
			stop  int // the job that ends the context, or fails
			fails error
			want  []int
		}{
			"all":       {[]int{0, 1, 2, 3, 4}, -1, nil, []int{0, 0, 10, 10, 20, 20, 30, 30, 40, 40}},
			"the order": {[]int{4, 2, 0, 1, 3}, -1, nil, []int{0, 0, 10, 10, 20, 20, 30, 30, 40, 40}},
			"ended":     {[]int{4, 2, 0, 1, 3}, 1, nil, []int{0, 0, 20, 20, 40, 40}},
			"at once":   {[]int{4, 2, 0, 1, 3}, 4, nil, nil},
			"failed":    {[]int{4, 2, 0, 1, 3}, 1, bad, []int{0, 0, 20, 20, 30, 30, 40, 40}},
			"fault":     {[]int{4, 2, 0, 1, 3}, 1, chains.NewFault(bad), nil},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			// each job waits for those before it, so that several workers do what one does
			var before []chan struct{}
			for range c.order {
				before = append(before, make(chan struct{}))
			}
			rows, err := subject.RowsInOrder(ctx, c.order, workers, func(ctx context.Context, i int) ([]int, error) {
				place := slices.Index(c.order, i)
				if place > 0 {
					<-before[place-1]
				}
				defer close(before[place])
				switch {
				case i == c.stop && c.fails != nil:
					return nil, c.fails
				case i == c.stop:
					cancel()
				}
				if ctx.Err() != nil {
					return []int{-1}, fmt.Errorf("job %d: %w", i, ctx.Err())
				}
				return []int{10 * i, 10 * i}, nil
			})
			unexpected := err != nil
			switch {
			case c.fails != nil:
				unexpected = !errors.Is(err, bad) || subject.Usable(err) == chains.IsFault(c.fails)
			case c.stop >= 0:
				unexpected = !chains.Ended(ctx, err)
			}
			if unexpected || !slices.Equal(rows, c.want) {
				t.Errorf("%s, %d workers: %v, %v, want %v", name, workers, rows, err, c.want)
			}
			cancel()
		}
	}
	if rows, err := subject.Rows(t.Context(), 2,
		1, func(_ context.Context, i int) ([]int, error) { return []int{i}, nil }); err != nil ||
		!slices.Equal(rows, []int{0, 1}) {
		t.Errorf("%v, %v", rows, err)
	}
}
