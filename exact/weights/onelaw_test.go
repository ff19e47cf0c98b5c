package weights_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// TestOneLawBruteForce compares the law of one direction with sums over every path.
func TestOneLawBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 4, 3)
		laws := pathLaws(t, a)
		o := weights.Options{Inversion: rapid.Bool().Draw(t, "inversion"), Frequencies: 500}
		for i, law := range laws {
			one := longtest.Must(weights.LawOf(context.Background(), a, chains.Direction(i), o))(t)
			for _, x := range between(law) {
				below := massBelow(law, x)
				holds(t, "below", one.Below(x), below)
				holds(t, "above", one.Above(x), 1-below)
			}
		}
	})
}

// TestOneLawIsNarrower: with as many frequencies the bracket of one law is half as wide as that of both.
func TestOneLawIsNarrower(t *testing.T) {
	a := exacttest.Annealing(t, "hard", "linear", "metropolis", 20)
	o := weights.Options{Inversion: true, Frequencies: 256}
	both := weightLaw(t, a, o)
	one := longtest.Must(weights.LawOf(context.Background(), a, chains.Forward, o))(t)
	low, high := one.Support()
	for _, share := range []float64{0.4, 0.6, 0.8} {
		x := low + share*(high-low)
		narrow, wide := one.Below(x), both.Forward.Below(x)
		if ratio := (narrow.High - narrow.Low) / (wide.High - wide.Low); !(ratio > 0.3 && ratio < 0.7) {
			t.Errorf("at %v: %v, of both %v", x, narrow, wide)
		}
		if !(narrow.Low <= wide.High && wide.Low <= narrow.High && math.Abs(narrow.Value-wide.Value) < wide.Error()) {
			t.Errorf("at %v: %v, of both %v", x, narrow, wide)
		}
	}
}
