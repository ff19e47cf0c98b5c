package crew_test

import (
	"sync/atomic"
	"testing"
	"time"

	"breadboard/exact/internal/crew"
	_ "breadboard/grid/longtest"
)

// TestCrew: every part of every loop is done once, and the loop is over when Run returns, for any
// number of workers, which sleep before some of the loops.
func TestCrew(t *testing.T) {
	for workers := range 5 {
		c := crew.New(workers)
		var done [37]atomic.Int64
		for round := 1; round <= 100; round++ {
			parts := 1 + round%len(done)
			if round%25 == 0 {
				time.Sleep(time.Millisecond)
			}
			c.Run(parts, func(i int) { done[i].Add(1) })
			for i := range done {
				want := int64(0)
				if i < parts {
					want = 1
				}
				if got := done[i].Swap(0); got != want {
					t.Fatalf("%d workers, round %d: part %d of %d was done %d times", workers, round,
						i, parts, got)
				}
			}
		}
		c.Dismiss()
	}
}

// TestShareOfCrew: no worker of a crew has less than is worth one, however many there may be, and
// there is always one.
func TestShareOfCrew(t *testing.T) {
	for _, c := range []struct{ states, workers, want int }{
		{1, 0, 1}, {1, 5, 1}, {1 << 12, 2, 1}, {2 << 12, 2, 2}, {1 << 16, 8, 8}, {1 << 16, 1e9, 16},
		{1<<16 + 1, 1e9, 16}, {1e9, 3, 3},
	} {
		if got := crew.Share(c.states, c.workers); got != c.want {
			t.Errorf("%d states: %d workers of %d, want %d", c.states, got, c.workers, c.want)
		}
	}
}
