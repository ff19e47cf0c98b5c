package ranks

import (
	"context"
	"math"
	"testing"

	"breadboard/exact/ranks"
)

// TestRepeated: the probabilities are those of a recursion over the draws, of both parities of L.
func TestRepeated(t *testing.T) {
	for _, count := range []int{1, 2, 9, 30} {
		for _, rho := range []float64{0, 0.3, 0.98} {
			at, weights := ranks.Nodes(count)
			p := repeated(count, rho)
			for i, u := range at {
				below, above := make([]float64, count+2), make([]float64, count+2) // by number below, of the last draw
				below[1], above[0] = u, 1-u
				for range count - 1 {
					for k := count; k >= 0; k-- {
						fresh := (1 - rho) * (below[k] + above[k])
						below[k+1], above[k] = rho*below[k]+u*fresh, rho*above[k]+(1-u)*fresh
					}
					below[0] = 0
				}
				for k := range p {
					p[k] -= weights[i] * (below[k] + above[k])
				}
			}
			for k, off := range p {
				if math.Abs(off) > 1e-14 {
					t.Errorf("L = %d, rho = %v: rank %d is off by %v", count, rho, k, off)
				}
			}
		}
	}
}

// TestInterrupted: no variable is begun once the context has ended, nor another distribution.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	list, done := make([]Variable, 3), 0
	for i := range list {
		list[i] = Variable{Draws: 9, Ranks: []int{1, 2, 3}}
	}
	if _, err := Check(ctx, list, 0.1, func(n int) { done += n; cancel() }); err == nil || done != 1 {
		t.Errorf("after %d of 3 variables: %v", done, err)
	}
	if p := families(ctx, 4)[2].of(0.5); p[0] != 1./5 {
		t.Errorf("distribution %v", p)
	}
}
