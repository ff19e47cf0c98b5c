package toys_test

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/toys"
)

// TestSmoothByHand: three states in a row, filtered once by hand; at an end the state itself stands for the neighbour that is missing.
func TestSmoothByHand(t *testing.T) {
	z, toy := parsed(t, "random:2:5:3").G, parsed(t, "smooth:2:5:1:3")
	a, b, c := math.Exp(z[0]), math.Exp(z[1]), math.Exp(z[2])
	want := []float64{(3*a + b) / 4, (a + 2*b + c) / 4, (b + 3*c) / 4}
	for x := range want {
		if got := math.Exp(toy.G[x] - toy.G[0]); math.Abs(got-want[x]/want[0]) > 1e-14*got {
			t.Errorf("f_%d/f_0 is %v, want %v", x, got, want[x]/want[0])
		}
	}
}

// TestSmoothIsTheInitial: the target is where an annealing from smoothed:PASSES to the random target starts.
func TestSmoothIsTheInitial(t *testing.T) {
	for _, passes := range []string{"0", "1", "3"} {
		random, smooth := parsed(t, "random:10:3:4x5"), parsed(t, "smooth:10:3:"+passes+":4x5")
		initial := must(toys.ParseInitial(t.Context(), "smoothed:"+passes, random))
		path := must(toys.ParsePath("geometric", initial.Ends, random))
		start := make([]float64, len(smooth.G))
		path.LogF(start, chains.At(0))
		for x := range start {
			if d := start[x] - start[0] - (smooth.G[x] - smooth.G[0]); math.Abs(d) > 1e-13 {
				t.Errorf("%s passes: state %d differs by %v", passes, x, d)
			}
		}
	}
	random, none := parsed(t, "random:10:3"), parsed(t, "smooth:10:3:0")
	for x := range none.G {
		if none.G[x] != random.G[x] {
			t.Errorf("without a pass g_%d is %v and not %v", x, none.G[x], random.G[x])
		}
	}
}
