package smc

import (
	"context"
	"math"
	"testing"

	"breadboard/exact/internal/exacttest"
)

// TestRelativeVariances holds them to values from a program of its own, in 113 bits, with 15 digits or more.
func TestRelativeVariances(t *testing.T) {
	particles := []int{1, 2, 10, 100, 1000}
	for _, c := range []struct {
		toy  string
		want []float64
		Limits
	}{
		{"barrier", []float64{2.15433733596268993, 1.96234997328138467, 1.38462353568083052, 0.354368735737834751, 0.0415650321550712539}, Limits{42.3618715460800292, 1325.15555776753612}},
		{"easy", []float64{0.471157380039532918, 0.388991970927478777, 0.193215110738649359, 0.0324096142900152498, 0.00349729200375165116}, Limits{3.52857888786952584, 29.2045912996946367}},
	} {
		got, limits, err := RelativeVariances(context.Background(), exacttest.Annealing(t, c.toy, "linear", "metropolis", 100), particles, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if math.Abs(got[i]/want-1) > 1e-12 {
				t.Errorf("%s, %d particles: %.18g, not %.18g", c.toy, particles[i], got[i], want)
			}
		}
		if math.Abs(limits.P/c.P-1) > 1e-12 || math.Abs(limits.P2J/c.P2J-1) > 1e-12 {
			t.Errorf("%s: limits %.18g and %.18g, not %.18g and %.18g", c.toy, limits.P, limits.P2J, c.P, c.P2J)
		}
	}
}
