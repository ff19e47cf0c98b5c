package stages_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestFrictionOfManySpins: N independent spins with g = h times their sum, of which flip moves one at a time, have the sum as
// an eigenfunction with the eigenvalue 1 - (1+r)/N, for r = exp(-2 h b). Its variance is N (1 - m^2) h^2, with m = tanh(h b).
// The closed form holds on both sides of the number of states at which the method changes.
func TestFrictionOfManySpins(t *testing.T) {
	longtest.NotShort(t)
	const h, beta = 0.4, 0.6
	for _, spins := range []int{8, 11} {
		sides := slices.Repeat([]int{2}, spins)
		space := grid.MustNew(sides...)
		g := make([]float64, space.States())
		for x := range g {
			for i := range spins {
				g[x] += h * float64(2*space.Coord(x, i)-1)
			}
		}
		path := longtest.Must(paths.NewGeometric(nil, g))(t)
		got, err := stages.Friction(context.Background(), path, kernels.Flip{Space: space}, beta)
		m, rate := math.Tanh(h*beta), (1+math.Exp(-2*h*beta))/float64(spins)
		want := float64(spins) * (1 - m*m) * h * h * (2 - rate) / rate
		if err != nil || math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%d spins, large %v: %v, want %v, %v", spins, len(g) > kernel.DenseStates, got, want, err)
		}
	}
}
