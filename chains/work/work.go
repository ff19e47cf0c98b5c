// Package work answers: what does all long work on numbered states need?
//
//   - It ends early. Work that looks at its context itself spends products on a Meter, which asks
//     now and then. Work that cannot look is left to itself, in a goroutine of its own (Unless).
//   - Its slices are cheap to fill for the first time (Slice, Clone).
//   - Its errors carry the numbers of the states that their texts name (AtStates). The caller, who
//     knows the labels, adds them (NameStates).
package work

import "context"

// Unless does the work and returns nil, or returns the context's error as soon as the context ends.
// In the latter case the work goes on in a goroutine of its own, and the caller must not use
// anything that the work writes to. A panic of the work becomes a panic of the caller.
func Unless(ctx context.Context, work func()) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ended := make(chan any, 1) // what the work panicked with, or nil
	go func() {
		defer func() { ended <- recover() }()
		work()
	}()
	select {
	case panicked := <-ended:
		if panicked != nil {
			panic(panicked)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// meterWork is the number of products between two calls of a watch, some ten microseconds.
const meterWork = 1 << 14

// Meter calls a watch each time that meterWork products have been made.
type Meter struct {
	Watch func() error
	spent int
}

// Spend counts work, and calls the watch each time meterWork products have been made.
func (m *Meter) Spend(work int) error {
	m.spent += work
	if m.spent < meterWork || m.Watch == nil {
		return nil
	}
	m.spent = 0
	return m.Watch()
}

// Look calls the watch at once.
func (m *Meter) Look() error { return m.Spend(meterWork) }
