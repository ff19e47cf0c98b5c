package aide_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/program"
	"breadboard/exact/smc"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/particles/aide"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// TestAIDEPlanted: each planted bug is found, by more than a little, and what has none is not.
func TestAIDEPlanted(t *testing.T) {
	longtest.Only(t)
	for _, m := range longtest.Must(aideMutants())(t) {
		v := casetest.Planted(t, m.Name, m.Harmless, longtest.Must(m.Examine(t.Context()))(t))
		if !m.Harmless && v < 1e-4 {
			t.Errorf("%q shows only by %v", m.Name, v)
		}
	}
}

// aideMutants returns planted bugs, each in a setting in which it shows, and beside them algorithms
// without a bug in the same settings.
func aideMutants() ([]casetest.Mutant[check.Finding], error) {
	line, err := small(
		[]float64{0, 1.5, -1},
		3,
		func(s *grid.Lattice) chains.Kernel { return kernels.Metropolis{Space: s} },
	)
	if err != nil {
		return nil, err
	}
	turning, err := small([]float64{0, 1, -0.7},
		3, func(s *grid.Lattice) chains.Kernel { return kernels.SuwaTodoAxis{Space: s} })
	if err != nil {
		return nil, err
	}
	drawn := particle.NewProposed([]float64{0, 0, 0}, []float64{0, 1.5, -1})
	var list []casetest.Mutant[check.Finding]
	add := func(setting string, flow particle.Flow, scheme particle.Scheme, threshold float64, bugs ...bug) {
		for _, b := range append(bugs, bug{"none", nil}) {
			list = append(list, casetest.Mutant[check.Finding]{
				Name:     setting + ": " + b.name,
				Harmless: b.plant == nil,
				Examine: func(ctx context.Context) ([]check.Finding, error) {
					s := newPlantedSMC(flow, 2, threshold)
					if scheme != nil {
						s = s.By(scheme)
					}
					if b.plant != nil {
						b.plant(s)
					}
					return aide.Examine(ctx, s, particle.LogTargets(flow), smc.EnumerateOptions{Constant: 1})
				}})
		}
	}
	add("two particles, systematic at every stage", line, nil, 1,
		bug{"path always in slot 1, systematic resampling of the others", pathFirst},
		bug{"conditional outcome not size-biased", notSizeBiased},
		bug{"weights of the new particle with the old parent", oldParent},
		bug{"conditional SMC's Zhat without the path's own weight", pathOut})
	add("two particles, systematic below an ESS of 0.9 P", line, nil, 0.9,
		bug{"weights not carried when the ESS is high", notCarried},
		bug{"log Zhat without the steps that did not resample", stepsOut})
	add("two particles, residual at every stage", line, particle.Residual{}, 1,
		bug{"residual resampling on W - floor(P W)", residualOfWeights})
	add("two particles, never resampled", line, nil, 0,
		bug{"output drawn uniformly, weights carried", uniformOutput})
	add("two particles, weighed once before the output", drawn, nil, 1,
		bug{"output drawn uniformly, last weights", uniformOutput})
	add("two particles, a kernel that is not reversible", turning, nil,
		1, bug{"reverse path by T_t instead of its reversal", forwardPath})
	for _, m := range []struct {
		name  string
		plant func(*estimator)
	}{{"first trace left out", firstOut}, {"mean of logs for log of mean", meanOfLogs}, {"none", nil}} {
		list = append(list,
			casetest.Mutant[check.Finding]{
				Name:     "AIDE of two particles weighed once, two traces: " + m.name,
				Harmless: m.plant == nil,
				Examine: func(ctx context.Context) ([]check.Finding, error) {
					return examineEstimator(ctx, drawn, m.plant)
				}})
	}
	return list, nil
}

// bug is a bug with its name; plant is nil if there is none.
type bug struct {
	name  string
	plant func(*plantedSMC)
}

// small returns the flow of an annealing on a line of states.
func small(g []float64, T int, kernel func(*grid.Lattice) chains.Kernel) (particle.Flow, error) {
	space, err := grid.New(len(g))
	if err != nil {
		return nil, err
	}
	path, err := paths.NewGeometric(nil, g)
	if err != nil {
		return nil, err
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernel(space), T)
	if err != nil {
		return nil, err
	}
	return particle.NewAnnealed(a)
}

// examineEstimator compares the exact mean of a program that estimates AIDE with the mean that AIDE
// has.
func examineEstimator(ctx context.Context, flow particle.Flow,
	plant func(*estimator)) ([]check.Finding, error) {
	s, err := particle.NewSMC(flow, 2, particle.Multinomial{}, 1)
	if err != nil {
		return nil, err
	}
	logTarget := particle.LogTargets(flow)
	e := newEstimator(s, particle.NewDensity(logTarget), 2, 1)
	if plant != nil {
		plant(e)
	}
	mean := 0.0
	for _, turned := range []bool{false, true} {
		law, err := program.Enumerate(
			ctx,
			func(c chains.Chooser) float64 { return e.Half(c, turned) },
			program.Options{},
		)
		if err != nil {
			return nil, err
		}
		mean += law.Mean(func(v float64) float64 { return v })
	}
	j, err := smc.Enumerate(ctx, s, logTarget, smc.EnumerateOptions{Constant: 1})
	if err != nil {
		return nil, err
	}
	want, err := smc.AIDE(ctx, j, smc.NewExact(len(logTarget)), j.Target(), []int{2}, []int{1})
	if err != nil {
		return nil, err
	}
	off := math.Abs(mean - want[0].Mean)
	return []check.Finding{check.Held("mean_of_estimator", off, 1e-10,
		fmt.Sprintf("the estimator's mean is %.6g, and AIDE's %.6g", mean, want[0].Mean))}, nil
}

// estimator is one estimate of AIDE, written down as a program: M traces of either algorithm, of
// which the first is that of the run. Each field is the place of a bug.
//
// Source: Cusumano-Towner and Mansinghka 2017, Eq. 8.
type estimator struct {
	Target, Gold   particle.Algorithm
	Meta, GoldMeta int
	// whether the trace of the run is the first of its algorithm's traces
	First bool
	Mean  func(logXi []float64) float64 // returns the logarithm of the mean of xi over traces
}

// newEstimator returns the estimator without a bug.
func newEstimator(target, gold particle.Algorithm, meta, goldMeta int) *estimator {
	return &estimator{target, gold, meta, goldMeta, true, number.LogMean}
}

// Half returns one half of the estimate, for an output of the target, or of the gold standard where
// turned; +Inf for a run without output.
func (e *estimator) Half(c chains.Chooser, turned bool) float64 {
	own := e.Target
	other := e.Gold
	m := e.Meta
	k := e.GoldMeta
	if turned {
		own, other, m, k = other, own, k, m
	}
	run := own.Run(c)
	if run.Output < 0 {
		return math.Inf(1)
	}
	logXi := make([]float64, m)
	for i := range logXi {
		if i == 0 && e.First {
			logXi[i] = run.LogXi
		} else {
			logXi[i] = own.Meta(c, run.Output).LogXi
		}
	}
	others := make([]float64, k)
	for i := range others {
		others[i] = other.Meta(c, run.Output).LogXi
	}
	return e.Mean(logXi) - e.Mean(others)
}

// firstOut leaves the trace of the run out, and draws another one.
func firstOut(e *estimator) { e.First = false }

// meanOfLogs takes the mean of the logarithms for the logarithm of the mean.
func meanOfLogs(e *estimator) {
	e.Mean = func(v []float64) float64 { return floats.Sum(v) / float64(len(v)) }
}
