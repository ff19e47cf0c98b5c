package main

import (
	"testing"

	"breadboard/experiments/checks/kerneltest"
	"breadboard/grid"
)

// TestHop holds the kernel to all that is asked of one, where f has zeros too.
func TestHop(t *testing.T) { kerneltest.Run(t, hop{}, grid.MustNew(4)) }

func Example() {
	main()
	// Output:
	// J = 0.004006, B = 0.117428 nats, <nil>
	// J = 0.038466, B = 0.141813 nats, <nil>
	// P(6) = 0.166666031, given up: 4e-06, <nil>
}
