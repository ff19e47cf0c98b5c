// Package crew shares work among a few goroutines: loops that are run many times for some
// microseconds each (Crew), or jobs that take long (Jobs). Results must not depend on which
// goroutine does which part.
package crew

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Crew is a number of workers that share loops. One goroutine at a time may use it.
type Crew struct {
	workers int
	now     atomic.Pointer[loop] // nil if the crew has been dismissed
	beds    []bed                // of each worker; the caller is number 0
}

// loop is a loop that is shared. A worker that comes too late finds no parts left.
type loop struct {
	do     func(i int)
	shares []share // of each worker
	parts  int64
	done   atomic.Int64 // the parts that are done
	caller *bed
}

// share is a range of parts. Each worker begins with its own, which is the same in every loop with
// the same number of parts, so that its data are still in its cache. Then it helps the others.
type share struct {
	next atomic.Int64 // the next part
	end  int64
	_    [48]byte // padding, so that no two shares are on one cache line
}

// newLoop returns a loop for the given number of workers.
func newLoop(do func(i int), parts, workers int, caller *bed) *loop {
	l := &loop{do: do, parts: int64(parts), shares: make([]share, workers), caller: caller}
	for i := range l.shares {
		l.shares[i].next.Store(int64(i * parts / workers))
		l.shares[i].end = int64((i + 1) * parts / workers)
	}
	return l
}

// New returns a crew of the given number of workers, the caller among them. It must be dismissed at
// the end.
func New(workers int) *Crew {
	c := &Crew{workers: max(1, workers)}
	first := &loop{}
	c.now.Store(first)
	for range c.workers {
		c.beds = append(c.beds, newBed())
	}
	for worker := 1; worker < c.workers; worker++ {
		go c.serveLoops(worker, first)
	}
	return c
}

// Run calls do for every part i from 0 to parts - 1, each once, and returns when all calls have
// returned. The calls are made by the caller and by those workers that are free, in any order.
func (c *Crew) Run(parts int, do func(i int)) {
	if c.workers == 1 || parts == 1 {
		for i := range parts {
			do(i)
		}
		return
	}
	l := newLoop(do, parts, c.workers, &c.beds[0])
	c.startLoop(l)
	l.doParts(0)
	l.caller.waitFor(func() bool { return l.done.Load() == l.parts })
}

// startLoop starts a loop on all workers, and wakes those that sleep.
func (c *Crew) startLoop(l *loop) {
	c.now.Store(l)
	for i := range c.beds[1:] {
		c.beds[1+i].wake()
	}
}

// doParts does parts until there are no more, those of a worker first. The worker that does the
// last part wakes the caller.
func (l *loop) doParts(worker int) {
	for k := range l.shares {
		s := &l.shares[(worker+k)%len(l.shares)]
		for i := s.next.Add(1) - 1; i < s.end; i = s.next.Add(1) - 1 {
			l.do(int(i))
			if l.done.Add(1) == l.parts {
				l.caller.wake()
			}
		}
	}
}

// serveLoops takes part in every loop after the last until the crew is dismissed.
func (c *Crew) serveLoops(worker int, last *loop) {
	for {
		c.beds[worker].waitFor(func() bool { return c.now.Load() != last })
		last = c.now.Load()
		if last == nil {
			return
		}
		last.doParts(worker)
	}
}

// Dismiss ends the workers. The crew cannot be used after that.
func (c *Crew) Dismiss() { c.startLoop(nil) }

// largeSpace is the number of states from which two directions are faster on two workers, and the
// number of states that each worker should have if all passes are shared: sharing the work of a
// step costs some microseconds.
const largeSpace = 1 << 12

// Pair returns the number of workers, at most the given one, that share the two directions of an
// annealing on a space: two if it is large.
func Pair(states, workers int) int {
	if states < largeSpace {
		return 1
	}
	return max(1, min(2, workers))
}

// Share returns the number of workers, at most the given one, that share every pass over a large
// space. Each has at least largeSpace states; more workers would only cost time.
func Share(states, workers int) int { return max(1, min(states/largeSpace, workers)) }

// bed is where a goroutine waits. It first spins, since the next loop mostly begins within
// microseconds, and then sleeps. If there are fewer cores than busy goroutines, including those of
// other programs, a spinning goroutine would keep a core from the one that it waits for.
type bed struct {
	asleep *atomic.Bool
	bell   chan struct{} // buffered, so that a wake-up does not block
}

func newBed() bed { return bed{new(atomic.Bool), make(chan struct{}, 1)} }

const (
	spins  = 2000 // how often a goroutine checks before it yields: some microseconds
	yields = 100  // how often it yields before it sleeps
)

// waitFor returns when its condition holds. The goroutine that makes it hold calls wake afterwards.
func (b *bed) waitFor(come func() bool) {
	for tries := 0; !come(); tries++ {
		switch {
		case tries < spins:
		case tries < spins+yields:
			runtime.Gosched()
		default:
			b.asleep.Store(true)
			if come() && b.asleep.CompareAndSwap(true, false) {
				return // there will be no wake-up
			}
			<-b.bell
		}
	}
}

// wake wakes the goroutine if it sleeps.
func (b *bed) wake() {
	if b.asleep.Load() && b.asleep.CompareAndSwap(true, false) {
		b.bell <- struct{}{}
	}
}

// Jobs runs jobs 0 to n-1 on the given number of workers, and begins them in that order. It is for
// jobs that take long; a Crew is for loops of microseconds. Zero workers stand for one for each
// processor. It returns the first error of a job, or the error of the context if that has ended.
func Jobs(ctx context.Context, n, workers int, job func(ctx context.Context, i int) error) error {
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
