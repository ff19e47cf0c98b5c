package chains

// Fault is the error of a check that something has failed: a kernel is not what it must be, or a result does not agree
// with itself. Any other error of a computation says that its question cannot be answered as it was put.
type Fault struct{ error }

// NewFault returns the fault that an error describes.
func NewFault(err error) Fault { return Fault{err} }

// Unwrap returns the error within.
func (f Fault) Unwrap() error { return f.error }
