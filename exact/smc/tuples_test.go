package smc

import (
	"context"
	"testing"

	"breadboard/chains/particle"
	"breadboard/grid/longtest"
)

// TestTypesAreLumped: after the last stage the 52 partitions of five points differ by the weight of
// the last point alone, which depends on those in its cluster: one of the 16 subsets of the others.
func TestTypesAreLumped(t *testing.T) {
	f := longtest.Must(particle.NewMixture(&particle.DPMM{Alpha: 1, S0: 3, SD: 0.7, Y: []float64{-2.1, -1.9, 0.1, 1.8, 2.2}}, particle.Prior))(t)
	stages, start, _, err := stagesOf(context.Background(), f, 3)
	longtest.NoError(t, err)
	lumped, _, class := lump(stages, start)
	if got := []int{len(lumped[3].logw), len(lumped[4].logw), len(class[4])}; got[0] != 15 || got[1] != 16 || got[2] != 52 {
		t.Errorf("%d types before the last stage, %d after it, of %d partitions", got[0], got[1], got[2])
	}
}
