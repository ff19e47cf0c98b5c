package crew

import (
	"sync/atomic"
	"testing"
)

// TestCrew: every part of every loop is done once, and the loop is over when Run returns, for any number of workers.
func TestCrew(t *testing.T) {
	for workers := range 5 {
		c := New(workers)
		var done [37]atomic.Int64
		for round := 1; round <= 100; round++ {
			parts := 1 + round%len(done)
			c.Run(parts, func(i int) { done[i].Add(1) })
			for i := range done {
				want := int64(0)
				if i < parts {
					want = 1
				}
				if got := done[i].Swap(0); got != want {
					t.Fatalf("%d workers, round %d: part %d of %d was done %d times", workers, round, i, parts, got)
				}
			}
		}
		c.Dismiss()
	}
}
