// Package work answers: what does all long work on numbered states need?
//
//   - It ends early. Work that looks at its context itself spends products on a Meter, which asks
//     now and then. Work that cannot look is left to itself, in a goroutine of its own (Unless).
//   - Its slices are cheap to fill for the first time (Slice, Clone).
//   - Its errors carry the numbers of the states that their texts name (AtStates). The caller, who
//     knows the labels, adds them (NameStates).
package work

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"breadboard/chains/errs"
)

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

// leastBytes is from how many bytes on a slice stands in large pages, as in NumPy.
const leastBytes = 1 << 22

// Slice returns a slice of that many zeros. If it has megabytes, the system is asked for large
// pages: where it hands out pages of 4 KiB, each costs more at first touch than filling it, and
// reads by chance miss the processor's table of pages. NumPy asks for large pages too.
func Slice[E any](n int) []E {
	s := make([]E, n)
	if bytes := uintptr(n) * unsafe.Sizeof(*new(E)); bytes >= leastBytes {
		adviseLarge(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), bytes))
	}
	return s
}

// Clone returns a copy, like Slice.
func Clone[E any](s []E) []E {
	c := Slice[E](len(s))
	copy(c, s)
	return c
}

// stateError is an error about certain states. Its text names them by number, because kernels,
// paths and package exact know states by their numbers alone; a caller that knows the labels of the
// space adds them by NameStates.
type stateError struct {
	States []int // in the order in which the text names them
	err    error
}

// AtStates attaches to an error the states whose numbers its text names (see NameStates).
func AtStates(err error, states ...int) error { return &stateError{states, err} }

// Error returns the text of the error.
func (e *stateError) Error() string { return e.err.Error() }

// Unwrap returns the error without the states.
func (e *stateError) Unwrap() error { return e.err }

// NameStates adds to an error the labels of the states that it names (see AtStates): "...; state 3
// is bdca". It returns the error unchanged if it names no state, or label is nil.
func NameStates(err error, label func(x int) string) error {
	if err == nil || label == nil {
		return err
	}
	var states []int
	for inner := err; ; {
		at, found := errors.AsType[*stateError](inner)
		if !found {
			break
		}
		states = append(states, at.States...)
		inner = at.err
	}
	var names []string
	for i, x := range states {
		if !slices.Contains(states[:i], x) {
			names = append(names, fmt.Sprintf("state %d is %s", x, label(x)))
		}
	}
	if len(names) == 0 {
		return err
	}
	return errs.New("%w; %s", err, strings.Join(names, ", "))
}
