package kernelcheck

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/experiments"
	"breadboard/experiments/external"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// frozen is a kernel that has its target built in, as a program for one model has: it is right for that one, and wrong at any other beta.
type frozen struct {
	chains.Kernel
	logf []float64
}

func (k frozen) Move(c chains.Chooser, _ []float64, x int) int { return k.Kernel.Move(c, k.logf, x) }

// TestNamedBetas: where betas are named, they alone decide whether a kernel is right; where none is, an annealing finds it wrong between those
// that are looked at.
func TestNamedBetas(t *testing.T) {
	toy := toys.Easy()
	inner := longtest.Sure(kernels.Parse("heatbath", toy.Space))
	for _, c := range []struct {
		named   bool
		T       int
		wrong   bool
		verdict check.Verdict // of the annealing; empty where there is none
	}{{true, 0, false, ""}, {true, 10, false, check.Note}, {false, 10, true, check.Fault}} {
		k := &Row{Kernel: "test", Toy: toy, Betas: []float64{1}, named: c.named}
		longtest.NoError(t, k.Examine(context.Background(), frozen{inner, toy.G}, c.T))
		at := slices.IndexFunc(k.Findings, func(f Finding) bool { return strings.HasPrefix(f.Name, "annealing") })
		if k.Wrong() != c.wrong || at < 0 != (c.verdict == "") || at >= 0 && k.Findings[at].Verdict != c.verdict {
			t.Errorf("%+v: %+v", c, k.Findings)
		}
		for _, f := range k.Findings {
			if c.T == 0 && (f.Name == "J" || f.Name == "B_metropolis") {
				t.Errorf("an annealing that nobody asked for: %+v", f)
			}
		}
	}
}

// TestBetasOfMatrices: a matrix has a target of its own, so that other betas are refused, not left out without a word.
func TestBetasOfMatrices(t *testing.T) {
	toy := toys.Easy()
	own := &external.Matrix{}
	k := &Row{Kernel: "matrix:p.npy", Toy: toy, Betas: []float64{0.5}, named: true}
	if err := k.Examine(context.Background(), own, 0); err == nil || !strings.Contains(err.Error(), "leave {beta} out") && !strings.Contains(err.Error(), "is examined at the target") {
		t.Error(err)
	}
}

// TestGapOfCyclesIsKnown: a kernel that goes round in cycles has the gap zero for certain, also where its eigenvalues are not computed.
func TestGapOfCyclesIsKnown(t *testing.T) {
	nan := math.NaN()
	d := &kernel.Diagnosis{Classes: 1, Period: 2, SpectralGap: nan, SecondEigen: complex(nan, 0), GapError: nan, GapFloor: nan, GapMissing: "not computed"}
	r := spectrumRow(experiments.Case{}, 0.5, d)
	if r.Gap != 0 || r.Error != 0 || r.Floor != 0 || !r.Proven || r.Missing != "" || !math.IsInf(r.Relaxation, 1) {
		t.Errorf("%+v", r)
	}
}
