package work

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
)

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
