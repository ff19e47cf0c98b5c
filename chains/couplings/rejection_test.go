package couplings_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// rowOf returns the row of a state as probabilities by state.
func rowOf(k chains.Kernel, logf []float64, x int) []float64 {
	p := make([]float64, len(logf))
	for _, e := range k.(chains.Rower).AppendRow(nil, logf, x) {
		p[e.To] += e.P
	}
	return p
}

// TestRejection holds the law of the draws to values of programs independent of this one, and to the enumerated program: as far as this is
// followed, so many draws have the probability that RejectionCost says, one draw meets with the law of what the rows share, and two draws have
// the law of what remains, so that the states have the law of the coupling rows.
func TestRejection(t *testing.T) {
	for _, c := range []struct {
		toy                        string
		x, y                       int
		meet, variance, hundredths float64
	}{{"random:2:7:3x3", 0, 1, 0.5, 2, 7.888609052210118e-31}, {"barrier:3x3", 0, 8, 0.7262803630424343, 5.30674650248077, 4.859950574404736e-15}} {
		toy := longtest.Must(toys.Parse(c.toy))(t)
		k := longtest.Must(kernels.Parse("heatbath", toy.Space))(t)
		p, q := rowOf(k, toy.G, c.x), rowOf(k, toy.G, c.y)
		meet := 0.0
		for at := range p {
			meet += min(p[at], q[at])
		}
		cost := couplings.RejectionCost{TV: 1 - meet}
		for what, v := range map[string][2]float64{"meet": {meet, c.meet}, "mean": {cost.Mean(), 2}, "variance": {cost.Variance(), c.variance}, "over 100": {cost.Over(100), c.hundredths}} {
			if math.Abs(v[0]-v[1]) > 1e-12*v[1] {
				t.Errorf("%s: %s is %.16g, for %.16g", c.toy, what, v[0], v[1])
			}
		}
		type end struct{ x, y, draws int }
		law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) end {
			x, y, draws := couplings.Rejection(c, func() int { return c.Choose(p) }, func(x int) float64 { return p[x] }, func() int { return c.Choose(q) }, func(y int) float64 { return q[y] })
			return end{x, y, draws}
		}, program.Options{Cut: 1e-4}))(t)
		draws, first, second := map[int]float64{}, map[[2]int]float64{}, map[[2]int]float64{}
		for _, o := range law.Outcomes() {
			draws[o.Value.draws] += o.P
			switch pair := [2]int{o.Value.x, o.Value.y}; o.Value.draws {
			case 1:
				first[pair] += o.P
			case 2:
				second[pair] += o.P
			}
		}
		over := 1.0
		for m := 1; m <= 2; m++ {
			if over -= draws[m]; math.Abs(over-cost.Over(m)) > 1e-14 {
				t.Errorf("%s: more than %d draws have probability %v, for %v", c.toy, m, over, cost.Over(m))
			}
		}
		for pair, want := range ends(t, longtest.Must(couplings.New("rows", k))(t), toy.G, c.x, c.y) {
			if got := first[pair] + second[pair]/cost.TV; math.Abs(got-want) > 1e-14 {
				t.Errorf("%s: %v has probability %v, for %v", c.toy, pair, got, want)
			}
		}
	}
}

// TestNewRejection: it is faithful, meets as often as the rows allow, and is refused where a kernel has no rows.
func TestNewRejection(t *testing.T) {
	if _, err := couplings.NewRejection(coin{}); err == nil {
		t.Error("a kernel without rows is coupled by its rows")
	}
	toy := longtest.Must(toys.Parse("random:2:7:3x3"))(t)
	c := longtest.Must(couplings.NewRejection(longtest.Must(kernels.Parse("heatbath", toy.Space))(t)))(t)
	chooser := chains.NewSampler(rand.NewPCG(1, 2))
	const moves = 4000
	met := 0
	for range moves {
		if x, y := c.Couple(chooser, toy.G, 0, 1); x == y {
			met++
		}
		if x, y := c.Couple(chooser, toy.G, 4, 4); x != y {
			t.Fatalf("chains that have met go to %d and %d", x, y)
		}
	}
	if sd := math.Sqrt(moves) / 2; math.Abs(float64(met)-moves/2) > 6*sd { // a false alarm has a probability of 2e-9
		t.Errorf("%d of %d moves meet, for a half", met, moves)
	}
}

func ExampleRejection() {
	p, q := []float64{0.5, 0.5, 0}, []float64{0, 0.5, 0.5}
	c := chains.NewSampler(rand.NewPCG(1, 1))
	total := 0
	for range 100_000 {
		_, _, draws := couplings.Rejection(c, func() int { return c.Choose(p) }, func(x int) float64 { return p[x] }, func() int { return c.Choose(q) }, func(y int) float64 { return q[y] })
		total += draws
	}
	cost := couplings.RejectionCost{TV: 0.5}
	fmt.Printf("about %.1f draws on average; exactly %v, and more than 10 with probability %.3g\n", float64(total)/100_000, cost.Mean(), cost.Over(10))
	// Output: about 2.0 draws on average; exactly 2, and more than 10 with probability 0.000977
}
