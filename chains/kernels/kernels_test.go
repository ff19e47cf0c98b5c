package kernels_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// ExampleFlip shows that single spins are flipped, each with probability 1/2 here.
func Example_flip() {
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
		weight := rapid.OneOf(
			rapid.SampledFrom([]float64{1, 1, 1, 0.5, 1e-9, 1e-40, 1e-300, 0}),
			rapid.Float64Range(0, 1),
		)
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
