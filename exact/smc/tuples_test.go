package smc

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
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

// TestOneTraceOfChain: the moments for one trace that a sweep finds are those of the integrals, on
// every output.
func TestOneTraceOfChain(t *testing.T) {
	for _, g := range [][]float64{{0, 3.2, -1, 1}, {0, 40, -3, 12, 25}, {0, 0, 0}} {
		a := exacttest.Build(t, nil, g, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(len(g))}, 12)
		l := longtest.Must(NewChain(context.Background(), a, 1, nil))(t)
		if l.meta == nil {
			t.Fatalf("log f %v: the moments are not known", g)
		}
		got := longtest.Must(l.Traces(context.Background(), []int{1}))(t)[0]
		want := longtest.Must(l.integrals(context.Background(), []int{1}))(t)[0]
		for x := range g {
			for i, v := range [][2]float64{{got.Meta[x], want.Meta[x]}, {got.Meta2[x], want.Meta2[x]}, {got.Run[x], want.Run[x]}, {got.Run2[x], want.Run2[x]}} {
				if !(math.Abs(v[0]-v[1]) <= want.Error*100+1e-11) {
					t.Errorf("log f %v, output %d, moment %d: %v, by the integral %v", g, x, i, v[0], v[1])
				}
			}
		}
	}
	// If traces are lost, or plain numbers do not hold the probabilities, nothing is claimed of one
	// trace alone.
	inf := math.Inf(-1)
	for _, g := range [][]float64{{0, 720, 3}, {0, inf, 0}} {
		a := exacttest.Build(t, nil, g, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(len(g))}, 4)
		if l := longtest.Must(NewChain(context.Background(), a, 1, nil))(t); l.meta != nil && g[1] > 0 {
			t.Errorf("log f %v: the moments %v count as known", g, l.meta)
		}
	}
}
