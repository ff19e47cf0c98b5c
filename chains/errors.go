package chains

import (
	"context"
	"errors"
	"fmt"
)

// Fault is the error of a failed check: a kernel violates a requirement, or a result contradicts
// itself. Any other error says that a computation cannot be made with the given arguments.
type Fault struct{ error }

// NewFault returns the fault that an error describes.
func NewFault(err error) Fault { return Fault{err} }

// Unwrap returns the error within.
func (f Fault) Unwrap() error { return f.error }

// MovePanic returns the error of a Move that has panicked: a panic with a Fault is that Fault, and
// any other panic becomes an error that says that Move panicked.
func MovePanic(panicked any) error {
	err, is := panicked.(error)
	if !is {
		return fmt.Errorf("Move panicked: %v", panicked)
	}
	if _, fault := errors.AsType[Fault](err); fault {
		return err
	}
	return fmt.Errorf("Move panicked: %w", err)
}

// IsFault reports whether an error is that of a check that has failed.
func IsFault(err error) bool {
	_, fault := errors.AsType[Fault](err)
	return fault
}

// Ended reports whether an error comes from a context that has ended. Results computed until then
// are right, but incomplete.
func Ended(ctx context.Context, err error) bool { return ctx.Err() != nil && errors.Is(err, ctx.Err()) }
