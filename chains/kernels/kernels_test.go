package kernels_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestPublishedRows checks a case done by hand: the corner of a 2x2 grid with f = 1, 2, 4, 8.
func TestPublishedRows(t *testing.T) {
	logf := []float64{0, math.Log(2), math.Log(4), math.Log(8)}
	l := grid.MustNew(2, 2)
	for _, c := range []struct {
		kernel chains.Rower
		x      int
		want   map[int]float64
	}{
		{kernels.Metropolis{Space: l}, 0, map[int]float64{0: 0.5, 1: 0.25, 2: 0.25}},
		{kernels.Metropolis{Space: l}, 3, map[int]float64{1: 0.0625, 2: 0.125, 3: 0.8125}},
		{kernels.Barker{Space: l}, 3, map[int]float64{1: 0.05, 2: 0.25 / 3, 3: 1 - 0.05 - 0.25/3}},
	} {
		got := chainstest.Row(c.kernel, logf, c.x)
		for y, p := range c.want {
			if math.Abs(got[y]-p) > 1e-15 {
				t.Errorf("%v: T(%d,%d) = %v, want %v", c.kernel, c.x, y, got[y], p)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%v: row %d is %v, want %v", c.kernel, c.x, got, c.want)
		}
	}
}

// TestFlipRows checks rows that were worked out by hand. On 2x3 there are two axes: the other state
// of the column is proposed with probability 1/2, and each of the two other states of the row with
// 1/4. On 1x3 the axis of side one has no other value, so that half of all proposals are refused.
func TestFlipRows(t *testing.T) {
	ln := math.Log
	for _, c := range []struct {
		space *grid.Lattice
		logf  []float64
		x     int
		want  map[int]float64
	}{
		// f is 1 2 4 / 8 16 32. State 5 goes up with 1/2 * 4/32, and along its row with 1/4 * 8/32
		// and 1/4 * 16/32.
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
	l := longtest.Sure(grid.NewWrapped([]int{4}, []bool{true}))
	return l
}

// TestFlipKeepsSmallProbabilities: the probability of staying is a sum of refusals, which has all
// of its digits where it is small: with f(y) = f(x) (1 - 1e-12) for the three proposals y from a
// corner it is 1e-12, to twelve digits.
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

// TestSuwaTodoFlows compares the flows on a line, to a few units in the last place, with the closed
// formula in rational numbers: also those of weights that are far smaller than others which are
// alike.
func TestSuwaTodoFlows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weight := rapid.OneOf(rapid.SampledFrom([]float64{1, 1, 1, 0.5, 1e-9, 1e-40, 1e-300, 0}), rapid.Float64Range(0, 1))
		w := append([]float64{1}, rapid.SliceOfN(weight, 0, 6).Draw(t, "weights")...)
		got := make([][]float64, len(w))
		for i := range got {
			got[i] = make([]float64, len(w))
		}
		kernels.SuwaTodoAxis{}.Flows(w, 0, func(from, to int, amount float64) { got[from][to] += amount })
		for i := range w {
			for j := range w {
				if want := suwaTodoFlow(w, i, j); !(math.Abs(got[i][j]-want) <= 4*0x1p-52*want) {
					t.Fatalf("weights %v: from %d to %d flows %v, want %v", w, i, j, got[i][j], want)
				}
			}
		}
	})
}

// suwaTodoFlow returns max(0, min(D, w_i + w_j - D, w_i, w_j)) with D = S_i - S_{j-1} + w_1, S_i =
// w_1 + ... + w_i and S_0 = S_n, for weights of which the first is the largest.
//
// Source: Suwa and Todo 2010.
func suwaTodoFlow(w []float64, i, j int) float64 {
	rational := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	upTo := func(last int) *big.Rat { // the sum of the weights before, and with, the one at last
		if last < 0 {
			last = len(w) - 1
		}
		sum := new(big.Rat)
		for _, v := range w[:last+1] {
			sum.Add(sum, rational(v))
		}
		return sum
	}
	d := new(big.Rat).Sub(upTo(i), upTo(j-1))
	d.Add(d, rational(w[0]))
	least := new(big.Rat).Add(rational(w[i]), rational(w[j]))
	least.Sub(least, d)
	for _, v := range []*big.Rat{d, rational(w[i]), rational(w[j])} {
		if v.Cmp(least) < 0 {
			least = v
		}
	}
	flow, _ := least.Float64()
	return max(0, flow)
}
