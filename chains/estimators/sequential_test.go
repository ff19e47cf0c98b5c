package estimators_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// drawStages draws the models of one to three data, whose latent variables have one or two axes.
// With zeros some joint densities are zero, but none of a state whose continuation is not.
func drawStages(t *rapid.T, zeros bool) []estimators.Stage {
	n := rapid.IntRange(1, 3).Draw(t, "data")
	constant := rapid.SampledFrom([]float64{0, 1e12, -1e12}).Draw(t, "constant")
	size := rapid.SampledFrom([]float64{0, 1e-12, 1, 5}).Draw(t, "size")
	var stages []estimators.Stage
	var sides []int
	before := []float64{0}
	for range n {
		sides = append(sides, rapid.IntRange(1, 2).Draw(t, "side"))
		if len(sides) == 1 && rapid.Bool().Draw(t, "two axes") {
			sides = append(sides, 2)
		}
		s := estimators.Stage{Space: grid.MustNew(sides...)}
		block := s.Space.States() / len(before)
		for x := range s.Space.States() {
			s.LogPrior = append(s.LogPrior, rapid.Float64Range(-1, 0).Draw(t, "log prior"))
			l := constant + size*rapid.Float64Range(-1, 1).Draw(t, "log joint")
			if zeros &&
				(math.IsInf(before[x/block], -1) || x > 0 && rapid.IntRange(0, 3).Draw(t, "zero") == 0) {
				l = math.Inf(-1)
			}
			s.LogJoint = append(s.LogJoint, l)
		}
		before = s.LogJoint
		stages = append(stages, s)
	}
	return stages
}

// TestSequentialIsUnbiased: the weight has the mean Z forward, and one over it 1/Z in reverse,
// times the probability of the paths forward with a weight. The constants are taken out before
// anything is compared: sums of float64 cannot hold more.
func TestSequentialIsUnbiased(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stages := drawStages(t, true)
		g := longtest.Sure(estimators.NewGrowing(stages))
		q := rapid.SampledFrom(
			[]estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior},
		).Draw(t, "proposal")
		m := rapid.SampledFrom([]estimators.Sweeps{0, 1, 2, estimators.Perfect}).Draw(t, "sweeps")
		if len(stages) == 3 && m == 2 {
			m = 1 // there would be too many paths
		}
		forward, reverse := longtest.Sure(estimators.NewSequential(g, q, m)),
			longtest.Sure(estimators.NewReverseSequential(g, q, m))
		logZ := floats.LogSumExp(stages[len(stages)-1].LogJoint)
		grain := 1e-11 + 4e-16*math.Abs(logZ)*float64(len(stages)) // of the constants
		positive := expected(forward, func(l float64) float64 {
			if math.IsInf(l, -1) {
				return 0
			}
			return 1
		})
		if got := expected(
			forward,
			func(l float64) float64 { return math.Exp(l - logZ) },
		); !(math.Abs(got-1) <= 3*grain) {
			t.Fatalf("forward: E w/Z = %v", got)
		}
		if got := expected(reverse,
			func(l float64) float64 { return math.Exp(logZ - l) }); !(math.Abs(got-positive) <= 3*grain) {
			t.Fatalf("reverse: E Z/w = %v, want %v", got, positive)
		}
		if got, want := expected(reverse, func(l float64) float64 { return l - logZ }),
			reverseMean(forward, logZ); !(math.Abs(got-want) <= 20*grain) {
			t.Fatalf("reverse: E log w/Z = %v, and %v by the distribution forward", got, want)
		}
	})
}

// TestSequentialWork counts evaluations by hand, of three data with two values each and two scans.
func TestSequentialWork(t *testing.T) {
	var stages []estimators.Stage
	for i := range 3 {
		space := grid.MustNew(slices.Repeat([]int{2}, i+1)...)
		stages = append(stages, estimators.Stage{
			Space:    space,
			LogPrior: make([]float64, space.States()),
			LogJoint: make([]float64, space.States()),
		})
	}
	g := longtest.Sure(estimators.NewGrowing(stages))
	for _, c := range []struct {
		e     *estimators.Sequential[chains.Chooser, int]
		want  estimators.Work
		steps int
	}{
		{longtest.Sure(estimators.NewSequential(g, estimators.ProposePosterior, 2)),
			estimators.Work{Evaluations: 2 + 2 + 2*2 + 2 + 2*3}, 3 + 4 + 6},
		{longtest.Sure(estimators.NewSequential(g, estimators.ProposePrior, 2)),
			estimators.Work{Evaluations: 1 + 1 + 2*2 + 1 + 2*3}, 3 + 4 + 6},
		{longtest.Sure(estimators.NewSequential(g, estimators.ProposePosterior, estimators.Perfect)),
			estimators.Work{Evaluations: 2 + 2 + 1 + 2 + 1, Exact: 2}, 3 + 4},
		{longtest.Sure(estimators.NewReverseSequential(g, estimators.ProposePosterior, 2)),
			estimators.Work{Evaluations: 1 + 2*3 + 2 + 2*2 + 2 + 1, Exact: 1}, 3 + 4 + 6},
		{longtest.Sure(estimators.NewReverseSequential(g, estimators.ProposePrior, 0)),
			estimators.Work{Evaluations: 1 + 1 + 1, Exact: 1}, 3},
	} {
		if got := c.e.Work(); got != c.want || c.e.Steps() != c.steps {
			t.Errorf("%+v in %d steps, want %+v", got, c.e.Steps(), c)
		}
	}
}

// TestGrowingIsChecked: what is no model along its data.
func TestGrowingIsChecked(t *testing.T) {
	two := grid.MustNew(2)
	nan := math.NaN()
	inf := math.Inf(1)
	ok := estimators.Stage{Space: two, LogPrior: []float64{0, 0}, LogJoint: []float64{0, 0}}
	six := make([]float64, 6)
	for want, stages := range map[string][]estimators.Stage{
		"no data":            nil,
		"it has no lattice":  {{LogPrior: []float64{0}, LogJoint: []float64{0}}},
		"1 values of its":    {{Space: two, LogPrior: []float64{0}, LogJoint: []float64{0, 0}}},
		"is NaN at state 1":  {{Space: two, LogPrior: []float64{0, 0}, LogJoint: []float64{0, nan}}},
		"is +Inf at state 0": {{Space: two, LogPrior: []float64{inf, 0}, LogJoint: []float64{0, 0}}},
		"is zero at all states": {
			{Space: two, LogPrior: []float64{0, 0}, LogJoint: []float64{-inf, -inf}}},
		"its lattice 3x2 does not":    {ok, {Space: grid.MustNew(3, 2), LogPrior: six, LogJoint: six}},
		"the axes of the lattice 2x3": {{Space: grid.MustNew(2, 3), LogPrior: six, LogJoint: six}, ok},
	} {
		longtest.Refuses(estimators.NewGrowing(stages))(t, want)
	}
	g := longtest.Sure(estimators.NewGrowing([]estimators.Stage{ok}))
	for _, m := range []estimators.Sweeps{-2, estimators.MaxSweeps + 1} {
		longtest.Refuses(estimators.NewSequential(g, estimators.ProposePosterior, m))(t, "scans after a datum")
	}
	longtest.Refuses(estimators.NewSequential(g, estimators.Proposal(2), 0))(t, "proposal 2")
}
