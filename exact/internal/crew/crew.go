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
	now     atomic.Pointer[loop] // nil where the crew has been dismissed
}

// loop is a loop that is shared. A worker that comes too late finds no parts left.
type loop struct {
	do    func(i int)
	parts int64
	next  atomic.Int64 // the next part
	done  atomic.Int64 // the parts that are done
}

// spins is how often a worker looks for work before it lets others run: some microseconds.
const spins = 2000

// New returns a crew of so many workers, the caller among them. It must be dismissed at the end.
func New(workers int) *Crew {
	c := &Crew{workers: max(1, workers)}
	first := &loop{}
	c.now.Store(first)
	for range c.workers - 1 {
		go c.work(first)
	}
	return c
}

// Run calls do for every part i from 0 to parts - 1, each once, and returns when all calls have returned. The calls are
// made by the caller and by those workers that are free, in any order.
func (c *Crew) Run(parts int, do func(i int)) {
	if c.workers == 1 || parts == 1 {
		for i := range parts {
			do(i)
		}
		return
	}
	l := &loop{do: do, parts: int64(parts)}
	c.now.Store(l)
	l.share()
	for tries := 0; l.done.Load() < l.parts; tries++ {
		wait(tries)
	}
}

// share does parts until there are no more.
func (l *loop) share() {
	for i := l.next.Add(1) - 1; i < l.parts; i = l.next.Add(1) - 1 {
		l.do(int(i))
		l.done.Add(1)
	}
}

// wait passes the time before the next look: a moment at first, then until other goroutines have run.
func wait(tries int) {
	if tries >= spins {
		runtime.Gosched()
	}
}

// work takes part in every loop after the last until the crew is dismissed.
func (c *Crew) work(last *loop) {
	for {
		l := c.now.Load()
		for tries := 0; l == last; tries++ {
			wait(tries)
			l = c.now.Load()
		}
		if l == nil {
			return
		}
		l.share()
		last = l
	}
}

// Dismiss ends the workers. The crew cannot be used after that.
func (c *Crew) Dismiss() { c.now.Store(nil) }

// largeSpace is the number of states from which two directions are worth two workers: sharing the work of a step costs some
// microseconds.
const largeSpace = 1 << 12

// Pair returns how many workers, of so many that may, share the two directions of an annealing on a space: two where it is
// large.
func Pair(states, workers int) int {
	if states < largeSpace {
		return 1
	}
	return max(1, min(2, workers))
}
