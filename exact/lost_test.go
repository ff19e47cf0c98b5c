package exact

import (
	"context"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestLostDigitsBelongToTheLastMove: what the addition of a move has rounded away is put back by the next move only where
// the ratio is still the one that it was rounded away from. After a move that has computed a ratio anew, and for that of h
// and u which follows from the other one, nothing is left to be put back.
func TestLostDigitsBelongToTheLastMove(t *testing.T) {
	space := grid.MustNew(4, 4)
	g := make([]float64, 16)
	for x := range g {
		g[x] = float64(x*x%11) / 2
	}
	// Metropolis stays where it is at most states, and the heat bath at few.
	k := longtest.Must(kernels.Parse("compose:metropolis+heatbath-axis:0", space))(t)
	a := annealingOf(t, g, k, 3)
	s := longtest.Must(NewSubjective(context.Background(), a, nil))(t)
	law := make([]float64, 16)
	law[0] = 1
	r := s.newMoved(law)
	var lostH, lostU, anewAfterH, anewAfterU int
	for range 60 {
		for i := range s.moves {
			m := &s.moves[i]
			hadH, hadU := make([]bool, 16), make([]bool, 16)
			for x := range hadH {
				hadH[x], hadU[x] = r.lostH[x].M != 0, r.lostU[x].M != 0
			}
			r.move(m, &s.target)
			for x := range g {
				hasH, hasU, near := r.lostH[x].M != 0, r.lostU[x].M != 0, stage.Near(r.H[x])
				if hasH && (near || !m.keeps[x]) || hasU && (!near || !m.keeps[x]) {
					t.Fatalf("at %d, where the move keeps a state: %v, and u is carried: %v, there is something left of h: %v, of u: %v", x, m.keeps[x], near, hasH, hasU)
				}
				if hasH {
					lostH++
				}
				if hasU {
					lostU++
				}
				if hadH[x] && !near && !m.keeps[x] {
					anewAfterH++
				}
				if hadU[x] && near && !m.keeps[x] {
					anewAfterU++
				}
			}
		}
	}
	if min(lostH, lostU, anewAfterH, anewAfterU) == 0 {
		t.Errorf("the cases to be tested are not there: %d, %d, %d, %d", lostH, lostU, anewAfterH, anewAfterU)
	}
}
