package laws

import (
	"math"
	"testing"

	"breadboard/chains/estimators"
)

// TestOneLevel: on one level every estimate is its likelihood, however many particles there are.
func TestOneLevel(t *testing.T) {
	target, _ := sumTarget("random:0:0:2x2", "metropolis")
	for _, ties := range []estimators.Ties{estimators.TiesLabel, estimators.TiesStrict} {
		e := must(NewNestedExact(target, estimators.MaxDraws, ties, estimators.VolumePaper))
		m := momentsOf(e, 3)
		if m.Mean != target.LogZ || m.SD != 0 || m.LogMean != target.LogZ || m.Note != "" {
			t.Errorf("%v: %+v, want %v", ties, m, target.LogZ)
		}
		for at, want := range map[float64]float64{target.LogZ - 1: 1, target.LogZ: 0} {
			if b, err := e.Above(t.Context(), at); err != nil || b.Low != want || b.High != want {
				t.Errorf("%v: P(above %v) in %+v, %v", ties, at, b, err)
			}
		}
	}
}

// TestGridOfManyParticles: a grid that memory cannot hold is not made, though few deaths would take few products.
func TestGridOfManyParticles(t *testing.T) {
	target := lineTarget("metropolis", []float64{-22, 0}, []float64{-23, 0})
	e := must(NewNestedExact(target, estimators.MaxDraws, estimators.TiesLabel, estimators.VolumePaper))
	if m := momentsOf(e, 1); m.Mean == m.Mean || m.Note == "" || math.Abs(m.LogMean-target.LogZ) > 1e-9 {
		t.Errorf("%+v", m)
	}
}
