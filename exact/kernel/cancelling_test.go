package kernel

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// onwards goes to the next state of a ring.
type onwards struct{}

func (onwards) Move(_ chains.Chooser, logf []float64, x int) int { return (x + 1) % len(logf) }

// TestBoundWhereAutocorrelationsCancel: on a ring that is walked round, every function averages itself out, and its asymptotic
// variance is zero. What is computed in its place is rounding, and the bound must say so, though the number itself is tiny.
func TestBoundWhereAutocorrelationsCancel(t *testing.T) {
	for _, n := range []int{2, 3, 16, 49} {
		logf := make([]float64, n)
		d := longtest.Must(Diagnose(context.Background(), onwards{}, logf))(t)
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		for range 50 {
			g := make([]float64, n)
			for x := range g {
				g[x] = rng.NormFloat64()
			}
			v := longtest.Must(d.AsymptoticVariance(context.Background(), g))(t)
			if math.Abs(v.Asymptotic) > v.Bound || v.Bound > 1e-9*v.Stationary {
				t.Errorf("%d states: asymptotic variance %v, with a bound of %v; zero is right", n, v.Asymptotic, v.Bound)
			}
		}
	}
}
