package chains

import (
	"errors"
	"fmt"
)

// Fault is the error of a check that something has failed: a kernel is not what it must be, or a result does not agree
// with itself. Any other error of a computation says that its question cannot be answered as it was put.
type Fault struct{ error }

// NewFault returns the fault that an error describes.
func NewFault(err error) Fault { return Fault{err} }

// Unwrap returns the error within.
func (f Fault) Unwrap() error { return f.error }

// MovePanic returns the error of a Move that has panicked. A Move that finds a fault itself panics with that Fault, which
// says what is wrong and is returned as it is; any other panic becomes an error that says that Move panicked.
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
