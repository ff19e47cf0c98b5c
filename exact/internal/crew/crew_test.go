package crew

import (
	"sync/atomic"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestCrew: every part of every loop is done once, and the loop is over when Run returns, for any
// number of workers.
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

// TestSleepers: workers that have fallen asleep between two loops, and a caller who has while a
// part takes long, are woken; none sleeps on when the crew is dismissed.
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
		for end := time.Now().Add(longtest.Patience); !holds(); {
			if time.Sleep(time.Millisecond); time.Now().After(end) {
				t.Error(what)
				return
			}
		}
	}
	for round := range int64(6) {
		until("the workers stay awake", func() bool { return asleep() == 2 })
		var begun atomic.Int64
		var over atomic.Bool
		long := 1 + round%2 // who begins first is mostly the caller, since the others sleep: in every other round another one takes long
		go func() {
			c.Run(2, func(int) {
				mine := begun.Add(1)
				until("nobody else does the other part", func() bool { return begun.Load() == 2 })
				if mine == long {
					until("who has nothing to do stays awake", func() bool { return asleep() == 2 })
				}
			})
			over.Store(true)
		}()
		until("the caller sleeps on", over.Load)
		if t.Failed() || begun.Load() != 2 {
			t.Fatalf("round %d: %d parts of 2 are done", round, begun.Load())
		}
	}
	c.Dismiss()
	until("a worker sleeps on", func() bool { return asleep() == 0 })
}

// TestLateNews: a worker whose work has come just before it falls asleep, without a signal, does
// not sleep.
func TestLateNews(t *testing.T) {
	b := newBed()
	over := make(chan struct{})
	go func() {
		b.waitFor(b.asleep.Load)
		close(over)
	}()
	select {
	case <-over:
	case <-time.After(longtest.Patience):
		t.Error("it sleeps on")
	}
}

// TestShare: no worker of a crew has less than is worth one, however many there may be, and there
// is always one.
func TestShare(t *testing.T) {
	for _, c := range []struct{ states, workers, want int }{
		{1, 0, 1}, {1, 5, 1}, {largeSpace, 2, 1}, {2 * largeSpace, 2, 2}, {1 << 16, 8, 8}, {1 << 16, 1e9, 16}, {1<<16 + 1, 1e9, 16}, {1e9, 3, 3},
	} {
		if got := Share(c.states, c.workers); got != c.want {
			t.Errorf("%d states: %d workers of %d, want %d", c.states, got, c.workers, c.want)
		}
	}
}
