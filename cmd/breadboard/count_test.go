package main

import (
	"math"
	"testing"

	"breadboard/chains/selector"
)

// TestWholeNumbersFitAnInt: a number that an int of this machine cannot hold is refused, and never another number.
func TestWholeNumbersFitAnInt(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{{"1e15", 1e15}, {"3000000000", 3e9}, {"2147483647", math.MaxInt32}, {"1e6", 1e6}} {
		got, err := selector.ParseWhole(c.text, 0, maxCount)
		if fits := c.want <= math.MaxInt; fits != (err == nil) || fits && float64(got) != c.want {
			t.Errorf("%s: %d, %v", c.text, got, err)
		}
	}
}
