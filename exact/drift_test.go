package exact

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestMovedKeepsItsMass applies sixty thousand moves of a kernel that hardly moves, which may change the mass by no
// more than a few units in the last place. The change would be larger if move added up whole rows, not differences, or
// dropped what each addition rounds away.
func TestMovedKeepsItsMass(t *testing.T) {
	longtest.NotShort(t)
	barrier := longtest.Must(toys.Barrier(7, 7))(t)
	list := []*toys.Toy{barrier}
	if longtest.Enabled() {
		list = append(list, toys.Hard())
	}
	for _, toy := range list {
		a := annealingOf(t, toy.G, kernels.Metropolis{Space: toy.Space}, 10)
		s := longtest.Must(NewSubjective(context.Background(), a, nil))(t)
		law := make([]float64, 49)
		law[24] = 1
		r := s.newMoved(law)
		for range longtest.Times(45_000, 60_000) {
			s.move(r)
		}
		if off := r.Divergences(&s.target).Drift(); math.Abs(off) > 4e-15 {
			t.Errorf("%s: the mass is off by %v", toy.Name, off)
		}
	}
}

// TestLargeSpaceKeepsItsMass solves an Ising model of 2^16 states by the general method, as kernels from outside are
// solved. Its states have 15 energies, so that sums over the states have long runs of equal terms; added up plainly, these
// changed the mass by 5e-13 in two steps, and by more than Solve allows in twenty.
func TestLargeSpaceKeepsItsMass(t *testing.T) {
	longtest.NotShort(t)
	toy := longtest.Must(toys.Ising(toys.Sites{Rows: 4, Cols: 4, Torus: true}, 0.44, 0))(t)
	a := annealingOf(t, toy.G, kernels.Flip{Space: toy.Lattice()}, 3)
	s := longtest.Must(Solve(context.Background(), a, Options{General: true}))(t)
	if math.Abs(s.Drift) > 2e-14 {
		t.Errorf("the mass is off by %v", s.Drift)
	}
}
