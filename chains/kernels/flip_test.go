package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// TestFlipRows checks rows that were worked out by hand. On 2x3 there are two axes: the other state of the column is proposed
// with probability 1/2, and each of the two other states of the row with 1/4. On 1x3 the axis of side one has no other value,
// so that half of all proposals are refused.
func TestFlipRows(t *testing.T) {
	ln := math.Log
	for _, c := range []struct {
		space *grid.Lattice
		logf  []float64
		x     int
		want  map[int]float64
	}{
		// f is 1 2 4 / 8 16 32. State 5 goes up with 1/2 * 4/32, and along its row with 1/4 * 8/32 and 1/4 * 16/32.
		{grid.MustNew(2, 3), []float64{0, ln(2), ln(4), ln(8), ln(16), ln(32)}, 5, map[int]float64{2: 1. / 16, 3: 1. / 16, 4: 1. / 8, 5: 3. / 4}},
		{grid.MustNew(2, 3), []float64{0, ln(2), ln(4), ln(8), ln(16), ln(32)}, 0, map[int]float64{1: 1. / 4, 2: 1. / 4, 3: 1. / 2}},
		{grid.MustNew(2, 3), []float64{0, ln(2), ln(4), math.Inf(-1), ln(16), ln(32)}, 1, map[int]float64{0: 1. / 8, 1: 1. / 8, 2: 1. / 4, 4: 1. / 2}},
		{grid.MustNew(1, 3), []float64{ln(4), 0, ln(2)}, 2, map[int]float64{0: 1. / 4, 1: 1. / 8, 2: 5. / 8}},
		{grid.MustNew(1), []float64{3}, 0, map[int]float64{0: 1}},
		{ring(t), []float64{0, ln(2), 0, 0}, 0, map[int]float64{1: 1. / 3, 2: 1. / 3, 3: 1. / 3}},
	} {
		got := chainstest.Row(kernels.Flip{Space: c.space}, c.logf, c.x)
		if len(got) != len(c.want) {
			t.Errorf("on %v row %d is %v, want %v", c.space, c.x, got, c.want)
		}
		for y, p := range c.want {
			if math.Abs(got[y]-p) > 1e-15 {
				t.Errorf("on %v T(%d,%d) = %v, want %v", c.space, c.x, y, got[y], p)
			}
		}
	}
}

// ring returns a ring of four states. Flip goes from any of them to any other, as on a line.
func ring(t *testing.T) *grid.Lattice {
	t.Helper()
	l := must(grid.NewWrapped([]int{4}, []bool{true}))
	return l
}

// TestFlipKeepsSmallProbabilities: the probability of staying is a sum of refusals, which has all of its digits where it is
// small: with f(y) = f(x) (1 - 1e-12) for the three proposals y from a corner it is 1e-12, to twelve digits.
func TestFlipKeepsSmallProbabilities(t *testing.T) {
	space := grid.MustNew(2, 2, 2)
	logf := make([]float64, 8)
	for x := 1; x < 8; x++ {
		logf[x] = -1e-12
	}
	if got := chainstest.Row(kernels.Flip{Space: space}, logf, 0)[0]; math.Abs(got-1e-12) > 1e-24 {
		t.Errorf("the kernel stays with probability %v, want 1e-12", got)
	}
}

// TestFlipAndMetropolisOnSpins: on axes of two values Metropolis proposes the same states half as often, since the other half
// of its directions lead into walls.
func TestFlipAndMetropolisOnSpins(t *testing.T) {
	space := grid.MustNew(2, 2, 2, 2)
	rng := rand.New(rand.NewPCG(3, 4))
	logf := make([]float64, space.States())
	for x := range logf {
		logf[x] = 3 * rng.NormFloat64()
	}
	for x := range logf {
		flip, metropolis := row(kernels.Flip{Space: space}, logf, x), row(kernels.Metropolis{Space: space}, logf, x)
		for y := range logf {
			if y != x && flip[y] != 2*metropolis[y] {
				t.Errorf("from %d to %d: flip %v, metropolis %v", x, y, flip[y], metropolis[y])
			}
		}
	}
}

// ExampleFlip shows that single spins are flipped, each with probability 1/2 here.
func ExampleFlip() {
	spins := grid.MustNew(2, 2)
	logf := []float64{1, -1, -1, 1} // two spins that like to be equal
	c := chains.NewSampler(rand.NewPCG(1, 2))
	k := kernels.Flip{Space: spins}
	fmt.Println(spins.Label(k.Move(c, logf, spins.Index(0, 1))))
	for _, e := range k.AppendRow(nil, logf, 0) {
		fmt.Printf("%s to %s with probability %.3f\n", spins.Label(0), spins.Label(e.To), e.P)
	}
	// Output:
	// 1,1
	// 0,0 to 1,0 with probability 0.068
	// 0,0 to 0,1 with probability 0.068
	// 0,0 to 0,0 with probability 0.865
}
