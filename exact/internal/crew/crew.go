// Package crew answers: how do a few goroutines share a loop that is run over and over, each time for some microseconds? It
// never says which of them does what part, and what it computes may not depend on that.
package crew

import (
	"runtime"
	"sync/atomic"
)

// Crew is a number of workers that share loops. One goroutine at a time may use it.
type Crew struct {
	workers int
	loop    func(i int) // what the workers do now
	parts   int64
	next    atomic.Int64 // the next part
	round   atomic.Int64 // counts the loops; negative where the crew has been dismissed
	busy    atomic.Int64 // workers that are not done with this round
}

// spins is how often a worker looks for work before it lets others run: some microseconds.
const spins = 2000

// New returns a crew of so many workers, the caller among them. It must be dismissed at the end.
func New(workers int) *Crew {
	c := &Crew{workers: max(1, workers)}
	for range c.workers - 1 {
		go c.work()
	}
	return c
}

// Run calls loop for every part i from 0 to parts - 1, each once, and returns when all calls have returned. The calls are
// made by all workers, in any order.
func (c *Crew) Run(parts int, loop func(i int)) {
	if c.workers == 1 || parts == 1 {
		for i := range parts {
			loop(i)
		}
		return
	}
	c.loop, c.parts = loop, int64(parts)
	c.next.Store(0)
	c.busy.Store(int64(c.workers - 1))
	c.round.Add(1)
	c.share()
	for tries := 0; c.busy.Load() > 0; tries++ {
		wait(tries)
	}
}

// share takes parts until there are no more.
func (c *Crew) share() {
	for i := c.next.Add(1) - 1; i < c.parts; i = c.next.Add(1) - 1 {
		c.loop(int(i))
	}
}

// wait passes the time before the next look: a moment at first, then until other goroutines have run.
func wait(tries int) {
	if tries >= spins {
		runtime.Gosched()
	}
}

// work takes part in every round until the crew is dismissed.
func (c *Crew) work() {
	for seen := int64(0); ; {
		round := c.round.Load()
		for tries := 0; round == seen; tries++ {
			wait(tries)
			round = c.round.Load()
		}
		if round < 0 {
			return
		}
		seen = round
		c.share()
		c.busy.Add(-1)
	}
}

// Dismiss ends the workers. The crew cannot be used after that.
func (c *Crew) Dismiss() { c.round.Store(-1) }
