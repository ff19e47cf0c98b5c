package kerneltest_test

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/experiments/checks/kerneltest"
	"breadboard/grid"
)

// Hop is a user's kernel. It should propose all states alike, and accept as Metropolis does.
type Hop struct{ forgetful bool }

// Move makes one proposal.
func (k Hop) Move(c chains.Chooser, logf []float64, x int) int {
	y := c.Uniform(len(logf))
	if k.forgetful && logf[y] < logf[x] { // it never goes down
		return x
	}
	if math.IsInf(logf[x], -1) || c.Flip(math.Exp(min(0, logf[y]-logf[x]))) {
		return y
	}
	return x
}

// In a test of your own a line is enough: kerneltest.Run(t, Hop{}, space). Check is what Run
// reports.
func Example_check() {
	space := grid.MustNew(2, 2)
	fmt.Println("right:", kerneltest.Check(Hop{}, space))
	fmt.Println("wrong:", kerneltest.Check(Hop{forgetful: true}, space)[0])
	// Output:
	// right: []
	// wrong: kernel kerneltest_test.Hop, target wave: the enumerated rows do not leave it invariant: a move changes the probability 0.223461 of state 0 by -0.0638
}
