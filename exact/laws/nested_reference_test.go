package laws_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
)

// counted counts what nested sampling asks of a model.
type counted struct {
	estimators.Levelled[chains.Chooser, int]
	draws, moves *float64
}

func (m counted) Above(c chains.Chooser, floor float64) int {
	*m.draws++
	return m.Levelled.Above(c, floor)
}

func (m counted) Within(c chains.Chooser, floor float64, x int) int {
	*m.moves++
	return m.Levelled.Within(c, floor, x)
}

// TestNestedWork: the mean number of exact draws and of moves is what enumeration counts. With ties
// broken by a label the draws are not all made; there the mean is K log(1/V), where V is the prior
// probability of the highest level.
func TestNestedWork(t *testing.T) {
	logPrior := []float64{0.1, -0.4, 0.6, -0.2}
	logL := []float64{0.3, -1, 0.3, 2}
	a := nestedOnLine(t, logPrior, logL)
	finite := longtest.Sure(estimators.NewFinite(a))
	for _, o := range []estimators.NestedOptions{
		{Particles: 3, Ties: estimators.TiesStrict}, {Particles: 2, Ties: estimators.TiesTogether, Moves: 3},
		{Particles: 2, Ties: estimators.TiesTogether},
	} {
		var draws, moves float64
		e := longtest.Sure(estimators.NewNested[chains.Chooser, int](counted{finite, &draws, &moves}, o))
		law := longtest.Sure(program.Enumerate(context.Background(), func(c chains.Chooser) [2]float64 {
			draws = 0
			moves = 0
			e.Estimate(c)
			return [2]float64{draws, moves}
		}, program.Options{}))
		draws, moves = law.Mean(func(v [2]float64) float64 { return v[0] }),
			law.Mean(func(v [2]float64) float64 { return v[1] })
		want := estimators.Work{Evaluations: float64(o.Particles) + draws + moves, Exact: draws}
		got := newNested(laws.NewTarget(a), o).Work()
		if math.Abs(got.Evaluations-want.Evaluations) > 1e-13 || math.Abs(got.Exact-want.Exact) > 1e-13 {
			t.Errorf("%+v: work %+v, and %+v by enumeration", o, got, want)
		}
		if said := e.Work(); o.Moves == 0 && (math.Abs(said.Evaluations-got.Evaluations) > 1e-14 ||
			math.Abs(said.Exact-got.Exact) > 1e-14) {
			t.Errorf("%+v: the estimator says %+v, the distribution %+v", o, said, got)
		}
	}
	o := estimators.NestedOptions{Particles: 5}
	e := longtest.Sure(estimators.NewNested(finite, o))
	volume := math.Exp(-0.2) / (math.Exp(0.1) + math.Exp(-0.4) + math.Exp(0.6) + math.Exp(-0.2))
	got := newNested(laws.NewTarget(a), o).Work()
	if math.Abs(got.Exact+5*math.Log(volume)) > 1e-13 || math.Abs(got.Evaluations-5-got.Exact) > 1e-13 ||
		math.Abs(e.Work().Exact-got.Exact) > 1e-13 {
		t.Errorf("label: %+v and %+v, want %v draws", got, e.Work(), -5*math.Log(volume))
	}
}
