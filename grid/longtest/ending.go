package longtest

import (
	"context"
	"sync/atomic"
)

// Ending is a context that ends when it has been looked at so many times, wherever the work is by then.
type Ending struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

// EndsAfter returns a context that ends at the look after so many. Whoever waits for its Done rather than look is woken then.
func EndsAfter(looks int) *Ending {
	e := &Ending{}
	e.Context, e.end = context.WithCancel(context.Background())
	e.left.Store(int64(looks))
	return e
}

// Err is a look.
func (e *Ending) Err() error {
	if e.left.Add(-1) < 0 {
		e.end()
	}
	return e.Context.Err()
}

// Looks returns how many times the context has been looked at since its end, which was seen by the first of them.
func (e *Ending) Looks() int { return max(0, int(-e.left.Load())) }
