package experiments

import (
	"runtime"
	"testing"
)

// TestWorkersEach: workers that would have no job of their own help with others.
func TestWorkersEach(t *testing.T) {
	for _, c := range []struct{ jobs, workers, want int }{
		{1, 4, 4}, {2, 4, 2}, {3, 4, 1}, {9, 4, 1}, {1, 0, runtime.GOMAXPROCS(0)}, {0, 3, 3},
	} {
		if got := WorkersEach(c.jobs, c.workers); got != c.want {
			t.Errorf("%d jobs, %d workers: %d each, want %d", c.jobs, c.workers, got, c.want)
		}
	}
}
