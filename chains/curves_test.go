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

// TestCurveKeepsItsDigits compares with fractions, which are exact: b_t, 1 - b_t and steps, of
// which the last is some 1e-12 where T is 10^15. The betas never decrease.
func TestCurveKeepsItsDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		betas := drawBetas(t)
		c := curve(t, betas...)
		T := rapid.OneOf(rapid.IntRange(2, 60), rapid.IntRange(2, 1_000_000),
			rapid.SampledFrom([]int{math.MaxInt32, min(math.MaxInt, 1_000_000_000_000_000)})).Draw(t, "T")
		at := rapid.IntRange(2, T).Draw(t, "t")
		whole := new(big.Rat).SetInt64(1)
		now, before := fraction(betas, at, T), fraction(betas, at-1, T)
		for name, v := range map[string]struct {
			got  float64
			want *big.Rat
		}{
			"b": {c.Beta(at, T), now}, "1 - b": {c.Rest(at, T), new(big.Rat).Sub(whole, now)}, "step": {c.Step(at, T), new(big.Rat).Sub(now, before)},
		} {
			if !near(v.got, v.want) {
				t.Fatalf("%s, t = %d of %d: %s is %v, want %s", c, at, T, name, v.got, v.want.FloatString(30))
			}
		}
		if !(c.Beta(at-1, T) <= c.Beta(at, T) && c.Rest(at-1, T) >= c.Rest(at, T)) {
			t.Fatalf("%s, t = %d of %d: %v after %v", c, at, T, c.Beta(at, T), c.Beta(at-1, T))
		}
	})
}

// fraction returns b_t as a fraction, by the definition of a curve.
func fraction(betas []float64, t, T int) *big.Rat {
	place := new(big.Rat).Mul(big.NewRat(int64(t-1), int64(T-1)), big.NewRat(int64(len(betas)-1), 1))
	k := int(new(big.Int).Quo(place.Num(), place.Denom()).Int64())
	low := new(big.Rat).SetFloat64(betas[k])
	if k == len(betas)-1 {
		return low
	}
	rise := new(big.Rat).Sub(new(big.Rat).SetFloat64(betas[k+1]), low)
	part := new(big.Rat).Sub(place, big.NewRat(int64(k), 1))
	return low.Add(low, rise.Mul(rise, part))
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

// TestCurveDoesNotTurn: right behind a point and right before one, where sums round to more than
// the point itself, b_t does not decrease and 1 - b_t does not increase.
func TestCurveDoesNotTurn(t *testing.T) {
	const line = math.MaxInt / 16 // distributions on each of the three lines
	for _, c := range []*schedules.Curve{
		curve(t, 0, 0.22084986003175916, 0.22098511258119174, 1), curve(t, 0, 0.0006911021503131929, 0.0019922589505912383, 1),
		curve(t, 0, 0.07781792201471124, 0.49256057359321787, 1), curve(t, 0, 0.0007178914961462591, 0.005139240992510982, 1),
	} {
		for _, at := range []int{line + 2, 2*line + 1} {
			if c.Rest(at, 3*line+1) > c.Rest(at-1, 3*line+1) || c.Beta(at, 3*line+1) < c.Beta(at-1, 3*line+1) {
				t.Errorf("%s: b_t goes from %v to %v, 1 - b_t from %v to %v", c, c.Beta(at-1, 3*line+1), c.Beta(at, 3*line+1), c.Rest(at-1, 3*line+1), c.Rest(at, 3*line+1))
			}
		}
	}
}
