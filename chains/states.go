package chains

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// StateError is an error about certain states. Its text names them by number, because kernels, paths and package exact know
// states by their numbers alone; a caller that knows the labels of the space adds them by NameStates.
type StateError struct {
	States []int // in the order in which the text names them
	err    error
}

// AtStates returns the error with the states that its text names by their numbers.
func AtStates(err error, states ...int) error { return &StateError{states, err} }

// Error returns the text of the error.
func (e *StateError) Error() string { return e.err.Error() }

// Unwrap returns the error without the states.
func (e *StateError) Unwrap() error { return e.err }

// NameStates returns an error whose text ends with the labels of the states that it is about: "...; state 3 is bdca". An
// error that is about no state is returned as it is, and so is every error where label is nil.
func NameStates(err error, label func(x int) string) error {
	if err == nil || label == nil {
		return err
	}
	var states []int
	for inner := err; ; {
		at, found := errors.AsType[*StateError](inner)
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
	return fmt.Errorf("%w; %s", err, strings.Join(names, ", "))
}
