package exact_test

import "breadboard/chains"

// moveOnly hides the closed form of a kernel, so that its rows are enumerated.
type moveOnly struct{ chains.Kernel }
