package crew

import (
	"sync/atomic"
	"testing"
	"time"
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

// TestSleepers: workers that have fallen asleep between two loops, and a caller who has while a part takes long, are woken; nobody sleeps on
// when the crew is dismissed.
func TestSleepers(t *testing.T) {
	c := New(3)
	asleep := func() (n int) {
		for i := range c.beds {
			if c.beds[i].asleep.Load() {
				n++
			}
		}
		return n
	}
	until := func(what string, holds func() bool) {
		for tries := 0; !holds(); tries++ {
			if time.Sleep(time.Millisecond); tries > 60_000 {
				t.Fatal(what)
			}
		}
	}
	for round := range 5 {
		until("the workers stay awake", func() bool { return asleep() == 2 })
		var done atomic.Int64
		c.Run(2, func(int) {
			if done.Add(1) == 1 {
				until("nobody else does the other part", func() bool { return done.Load() == 2 })
				until("who has nothing to do stays awake", func() bool { return asleep() == 2 })
			}
		})
		if done.Load() != 2 {
			t.Fatalf("round %d: %d parts of 2 are done", round, done.Load())
		}
	}
	c.Dismiss()
	until("a worker sleeps on", func() bool { return asleep() == 0 })
}

// TestShare: no worker of a crew has less than is worth one, however many there may be, and there is always one.
func TestShare(t *testing.T) {
	for _, c := range []struct{ states, workers, want int }{
		{1, 0, 1}, {1, 5, 1}, {largeSpace, 2, 1}, {2 * largeSpace, 2, 2}, {1 << 16, 8, 8}, {1 << 16, 1e9, 16}, {1<<16 + 1, 1e9, 16}, {1e9, 3, 3},
	} {
		if got := Share(c.states, c.workers); got != c.want {
			t.Errorf("%d states: %d workers of %d, want %d", c.states, got, c.workers, c.want)
		}
	}
}
