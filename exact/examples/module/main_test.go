package main

import (
	"context"
	"testing"

	"breadboard/experiments/checks/kerneltest"
	"breadboard/grid"
)

// TestTwoSteps holds the kernel to all that is asked of one.
func TestTwoSteps(t *testing.T) { kerneltest.Run(t, twoSteps{}, grid.MustNew(8)) }

func Example() {
	_ = run(context.Background())
	// Output:
	// T =   10: J = 0.090922, B = 0.539693 nats
	// T =  100: J = 0.002262, B = 0.068345 nats
	// T = 1000: J = 0.000028, B = 0.007080 nats
}
