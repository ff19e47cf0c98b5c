package weights_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/weights"
	logweights "breadboard/experiments/annealing/weights"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid"
)

// threeAtoms has log weights 0, 1 and sqrt 2 and no others, which lie on no lattice: with two
// distributions the weight is f of the first state, and each has probability 1/3.
func threeAtoms(t *testing.T) *logweights.Row {
	t.Helper()
	a := casetest.Linear(t, []float64{0, 1, math.Sqrt2}, kernels.Metropolis{Space: grid.MustNew(3)}, 2)
	w, err := weights.LawsOf(context.Background(), a, weights.Options{Frequencies: 256})
	if err != nil || w.Method != weights.MethodInversion {
		t.Fatal(w, err)
	}
	return &logweights.Row{Law: w}
}

// TestDensityErrorIsNearlyAttained: an atom at the end of a piece is taken to be in its middle,
// which changes its exp(l) by half the length of the piece, about. Pieces are halved until that is
// below 1e-5; of those whose half is just below it the error is nearly as large.
func TestDensityErrorIsNearlyAttained(t *testing.T) {
	r := threeAtoms(t)
	want := math.Exp(1-r.Law.LogZRatio) / 3
	for _, share := range []float64{0.98, 0.9, 0.7, 0.51} {
		length := share * 1e-5 * 2 / want * 64 // six halvings bring it below
		const inside = 1e-9                    // the atom is just below the upper end
		high := 1 + inside
		got := r.Bins(high-length, length, 1)[0].Crooks * length
		if err := want - got; !(err <= 1e-5 && err >= 0.95*share*1e-5) {
			t.Errorf("pieces that may be off by %v: off by %v", share*1e-5, err)
		}
	}
}

// TestDensityRange: the bins begin where one of the two distributions has a thousandth below and
// the other no more, end where one has a thousandth above, and there are about 120.
func TestDensityRange(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{100}, "random:2:5:3x3"))
	rows := casetest.Rows(t, logweights.Laws(), cases, logweights.Options{Frequencies: 2048})
	w := rows[0].Law
	bins := rows[0].Density()
	first, last := bins[0], bins[len(bins)-1]
	below := max(w.Forward.Below(first.Low).Value, w.Reverse.Below(first.Low).Value)
	end := last.Low + (last.High - last.Low)
	if len(bins) == 121 { // the last edge was missed by rounding
		end = last.Low
	}
	above := max(w.Forward.Above(end).Value, w.Reverse.Above(end).Value)
	if !(math.Abs(below-1e-3) < 1e-5 && math.Abs(above-1e-3) < 1e-5) || len(bins) < 120 || len(bins) > 121 {
		t.Errorf("%d bins leave out %v below and %v above", len(bins), below, above)
	}
}
