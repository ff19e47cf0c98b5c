package kernel

import (
	"fmt"

	"breadboard/chains"
)

// Name returns the selector of a kernel, or its type.
func Name(k chains.Kernel) string {
	if s, ok := k.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", k)
}

// ErrStaged says why a kernel that differs from stage to stage has no derivative.
func ErrStaged(k chains.Kernel) error {
	return fmt.Errorf("kernel %s is made for the stages of one annealing; a derivative needs one for any distribution", Name(k))
}
