package chains_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/schedules"
	"breadboard/grid/longtest"
)

func curve(tb interface{ Fatal(...any) }, betas ...float64) *schedules.Curve {
	c, err := schedules.NewCurve(betas)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// drawBetas draws the points of a curve, some of them equal or next to each other.
func drawBetas(t *rapid.T) []float64 {
	betas := []float64{0, 1}
	beta := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 5e-324, 1e-300, 0.1, math.Nextafter(0.1, 1), 1 - 0x1p-53, 1}))
	for range rapid.IntRange(0, 20).Draw(t, "inner") {
		betas = append(betas, beta.Draw(t, "beta"))
	}
	slices.Sort(betas)
	return betas
}

// TestCurveIsItsPoints: with as many distributions as points, b_t, 1 - b_t and the steps are those
// of the points, to the last bit.
func TestCurveIsItsPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		betas := drawBetas(t)
		c, n := curve(t, betas...), len(betas)
		p := longtest.Must(schedules.NewPoints("points", betas))(t)
		for i := 1; i <= n; i++ {
			if c.Beta(i, n) != p.Beta(i, n) || c.Rest(i, n) != p.Rest(i, n) || i > 1 && c.Step(i, n) != p.Step(i, n) {
				t.Fatalf("%s: b_%d is %v, and the point %v", c, i, c.Beta(i, n), p.Beta(i, n))
			}
		}
		again := longtest.Must(schedules.Parse(c.String()))(t).(*schedules.Curve)
		if again.String() != c.String() || again.Points() != n {
			t.Fatalf("%s: %v", c, again)
		}
		for k, b := range betas {
			if again.Point(k) != b {
				t.Fatalf("%s: point %d of %v", c, k, again)
			}
		}
	})
}

// near reports whether a number is within four roundings of a fraction, or below the smallest
// normal number by as much.
func near(got float64, want *big.Rat) bool {
	off := new(big.Rat).Sub(new(big.Rat).SetFloat64(got), want)
	bound := new(big.Rat).Mul(want, new(big.Rat).SetFloat64(4*0x1p-53))
	bound.Add(bound, new(big.Rat).SetFloat64(5e-324))
	return off.Abs(off).Cmp(bound) <= 0
}

func Example_curve() {
	c, err := schedules.NewCurve([]float64{0, 0.1, 0.4, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c)
	for t := 1; t <= 7; t++ {
		fmt.Printf("%.2f ", c.Beta(t, 7))
	}
	// Output:
	// curve:0:0.1:0.4:1
	// 0.00 0.05 0.10 0.25 0.40 0.70 1.00
}
