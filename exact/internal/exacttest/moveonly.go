package exacttest

import (
	"breadboard/chains"
)

// MoveOnly hides the closed form of a kernel, so that its rows are enumerated.
type MoveOnly struct{ chains.Kernel }
