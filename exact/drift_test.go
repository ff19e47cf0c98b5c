package exact

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/toys"
)

// TestMovedKeepsItsMass applies sixty thousand moves of a kernel that hardly moves, which may change the mass by no
// more than a few units in the last place. The change would be larger if move added up whole rows, not differences, or
// dropped what each addition rounds away.
func TestMovedKeepsItsMass(t *testing.T) {
	barrier, err := toys.Barrier(7, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, toy := range []*toys.Toy{toys.Hard(), barrier} {
		path, err := paths.NewGeometric(nil, toy.G)
		if err != nil {
			t.Fatal(err)
		}
		a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, 10)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSubjective(context.Background(), a, nil)
		if err != nil {
			t.Fatal(err)
		}
		law := make([]float64, 49)
		law[24] = 1
		r := s.newMoved(law)
		moves := 60_000
		if testing.Short() {
			moves = 20_000
		}
		for range moves {
			s.move(r)
		}
		if d := r.Divergences(&s.target); math.Abs(d.Drift) > 4e-15 {
			t.Errorf("%s: the mass is off by %v", toy.Name, d.Drift)
		}
	}
}
