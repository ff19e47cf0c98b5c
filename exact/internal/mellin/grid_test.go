package mellin

import (
	"math"
	"math/cmplx"
	"testing"

	"pgregory.net/rapid"
)

// TestGridByOne: along every line the sums at the points of a grid are those that are made one by
// one, for values and ranges at random; a line of a step that the grid has no angles for has them
// one by one.
func TestGridByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logR := rapid.Float64Range(-20, 20).Draw(t, "log R")
		s := &Lines{Mean: 1, Low: -rapid.Float64Range(0, 40).Draw(t, "low"), High: rapid.Float64Range(0, 40).Draw(t, "high")}
		s.Draw(rapid.Float64Range(0.1, 8).Draw(t, "deviation"))
		s.Lines = append(s.Lines, Line{C: 0.5, Step: s.Lines[0].Step / 2})
		low := rapid.IntRange(-250, 0).Draw(t, "from")
		high := low + rapid.IntRange(0, 70).Draw(t, "points")
		g := NewGrid(0.2, low, high, s.Lines[0].Step)
		shift, decay := rapid.Float64Range(-5, 5).Draw(t, "shift"), rapid.Float64Range(0, 1).Draw(t, "decay")
		for i := range s.Lines {
			l := &s.Lines[i]
			values := make([]complex128, l.Begin(logR))
			for k := range values {
				y := float64(k) * l.Step
				values[k] = cmplx.Rect(math.Exp(-decay*y), shift*y)
			}
			l.Set(0, values, logR)
			for k := low; k <= high; k++ {
				tau := g.Tau(k)
				got, want := l.on(g, k), l.at(tau)
				if !(math.Abs(got-want) <= (Rounding+math.Abs(tau)*height*0x1p-53)*l.size*math.Exp(-l.C*tau)) {
					t.Fatalf("the line at %v, tau = %v: %v, one by one %v", l.C, tau, got, want)
				}
			}
		}
		if k := high; s.BestOn(g, k).Err != s.Best(g.Tau(k)).Err {
			t.Fatalf("the bounds differ: %v and %v", s.BestOn(g, k), s.Best(g.Tau(k)))
		}
	})
}

// TestSetTurns: values are turned by the angle y log R, however many they are. On either side y and
// the angle are rounded.
func TestSetTurns(t *testing.T) {
	l := &Line{C: 0.5, Step: 0.05}
	ones := make([]complex128, l.Begin(-7))
	for k := range ones {
		ones[k] = 1
	}
	l.Set(0, ones, -7)
	for k, got := range l.values {
		y := float64(k) * l.Step
		want := complex(l.weight(k), 0) * l.gammas[k] * cmplx.Rect(1, -7*y)
		if !(cmplx.Abs(got-want) <= (3*anchorSet+4*7*y)*0x1p-53*cmplx.Abs(want)) {
			t.Fatalf("value %d is %v, want %v", k, got, want)
		}
	}
}
