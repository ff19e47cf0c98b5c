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
