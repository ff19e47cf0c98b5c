package particle_test

import (
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/chains/simulate"
)

// TestPathsOfTinyWeightGoOn: a path whose weight float64 rounds to zero beside the others keeps a
// slot.
func TestPathsOfTinyWeightGoOn(t *testing.T) {
	for _, scheme := range []particle.Scheme{
		particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}} {
		for _, w := range [][]float64{{1, 0}, {0, 1}, {0.5, 0, 0.5}, {1.0 / 3, 2.0 / 3, 0}} {
			j := slices.Index(w, 0)
			tiny := slices.Clone(w)
			parents := make([]int, len(w))
			tiny[j] = 0x1p-1022
			for range 20 {
				if slot := scheme.Keep(
					chains.NewSampler(simulate.NewStream(2, "", j)),
					tiny,
					j,
					parents,
				); parents[slot] != j {
					t.Errorf("%v, weights %v: the path of %d has slot %d among %v", scheme, w, j, slot, parents)
				}
			}
		}
	}
}
