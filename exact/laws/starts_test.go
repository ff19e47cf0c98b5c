package laws_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

// fixedClimber is a Climber whose values are given, by start.
type fixedClimber []float64

func (f fixedClimber) Sides() []int { return []int{len(f)} }
func (f fixedClimber) Climb(_ context.Context, start []int) (estimators.Ascent, error) {
	return estimators.Ascent{Value: f[start[0]], Sweeps: start[0] + 1}, nil
}
func (f fixedClimber) Work(sweeps float64) estimators.Work {
	return estimators.Work{Evaluations: 10 * sweeps}
}
func (f fixedClimber) Operations() float64 { return 1 }

// TestStartsBesideEnumeration holds the moments, the probabilities and the work of the best of
// several starts to those that the estimator has when it is run for every way that its choices can
// come out.
func TestStartsBesideEnumeration(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float64{-3, -2, -2, -1.5, 0, 1e-3, 2, 700, -1e5, 40})
		values := rapid.SliceOfN(value, 1, 5).Draw(t, "values")
		restarts := rapid.IntRange(1, 3).Draw(t, "restarts")
		s := longtest.Sure(laws.NewStarts(ctx, fixedClimber(values), restarts, 1))
		e := longtest.Sure(estimators.NewRestarts(fixedClimber(values), restarts))
		const rounding = 1e-12
		all := Enumerated(e, 0)
		all.AgreeMoments(t, s, e.Combination(), 0, rounding)
		for _, at := range []float64{-2.5, -1, 0.5, 41, 1e4} {
			if b, want := longtest.Sure(s.Above(ctx, at)), all.Above(at); b.Low != b.High ||
				math.Abs(b.Low-want) > 1e-14 {
				t.Fatalf("above %v: %+v, want %v", at, b, want)
			}
		}
		for _, o := range all {
			if !slices.ContainsFunc(
				s.Values(),
				func(v float64) bool { return math.Abs(v-o.Value) <= rounding*(1+math.Abs(v)) },
			) {
				t.Fatalf("the outcome %v is not among %v", o.Value, s.Values())
			}
		}
		if s.Work() != e.Work() {
			t.Fatalf("work %v, want %v", s.Work(), e.Work())
		}
	})
}

// TestStartsNearAThreshold: an optimum that equals the threshold as far as its digits tell makes a
// bracket, and one that is clearly to one side does not.
func TestStartsNearAThreshold(t *testing.T) {
	ctx := context.Background()
	s := longtest.Sure(laws.NewStarts(ctx, fixedClimber{1, 1 - 0.9e-9, 1 - 1.1e-9, -5}, 1, 1))
	if atoms := s.Atoms(); fmt.Sprint(atoms) != "[{1 2} {0.9999999989 1} {-5 1}]" {
		t.Errorf("atoms %v", atoms)
	}
	for _, c := range []struct{ at, low, high float64 }{
		{1 - 3e-9, 0.75, 0.75}, {1, 0, 0.5}, {1 + 0.9e-9, 0, 0.5}, {1 + 1.1e-9, 0, 0}, {-5, 0.75, 1},
		{-6, 1, 1}, {math.Inf(-1), 1, 1}, {math.Inf(1), 0, 0},
	} {
		b := longtest.Sure(s.Above(ctx, c.at))
		if b.Low != c.low || b.High != c.high || (b.Note != "") != (c.low != c.high) {
			t.Errorf("above %v: %+v, want %v to %v", c.at, b, c.low, c.high)
		}
	}
	longtest.Refuses(s.Above(ctx, math.NaN()))(t, "NaN")
	longtest.Refuses(s.Moments(ctx, 0))(t, "0 trials")
}

// TestStartsOnZeros: if some starts do not reach a product that avoids the zeros of the target, the
// mean is -Inf and a note says why.
func TestStartsOnZeros(t *testing.T) {
	ctx := context.Background()
	zero := math.Inf(-1)
	field := longtest.Sure(estimators.NewMeanField(
		grid.MustNew(2, 2, 2),
		[]float64{1, zero, zero, zero, zero, zero, zero, zero},
		estimators.OneNaming,
	))
	s := longtest.Sure(laws.NewStarts(ctx, field, 1, 1))
	// State 0 is reached from itself and from the three states on the lines through it.
	m := longtest.Sure(s.Moments(ctx, 1))
	if fmt.Sprint(s.Atoms()) != "[{1 4} {-Inf 4}]" || m.Mean != zero || !math.IsNaN(m.SD) || m.Note == "" ||
		math.Abs(m.LogMean-(1-math.Ln2)) > 1e-15 {
		t.Errorf("%v, %+v", s.Atoms(), m)
	}
	if b := longtest.Sure(s.Above(ctx, 0)); b.Low != 0.5 || b.High != 0.5 {
		t.Errorf("above 0: %+v", b)
	}
	s = longtest.Sure(laws.NewStarts(ctx, fixedClimber{zero, zero}, 3, 1))
	if m := longtest.Sure(s.Moments(ctx, 2)); m.Mean != zero || m.LogMean != zero || m.Note == "" {
		t.Errorf("%+v", m)
	}
}

// TestStartsRefuse: what cannot be answered is an error: of the numbers, of what takes too long, of
// an ascent, of the context.
func TestStartsRefuse(t *testing.T) {
	ctx := context.Background()
	longtest.Refuses(laws.NewStarts(ctx, fixedClimber{1}, 0, 1))(t, "0 restarts")
	long := &models.Clustering{Y: slices.Repeat([][]float64{{1}}, 40), Clusters: estimators.EqualClusters(2)}
	climber := longtest.Sure(
		estimators.NewVariationalBayes(long.Y, long.Clusters, estimators.OneNaming, estimators.Patience{}),
	)
	longtest.Refuses(laws.NewStarts(ctx, climber, 1, 1))(t, "take a smaller space, as that of fewer data")
	e := longtest.Sure(estimators.NewRestarts(climber, 2)) // which runs nonetheless
	if v := e.Estimate(chains.NewSampler(rand.NewPCG(1, 1))); math.IsNaN(v) || math.IsInf(v, 0) ||
		!math.IsNaN(e.Work().Evaluations) {
		t.Errorf("%v, %v", v, e.Work())
	}
	part := &models.Clustering{Y: [][]float64{{-1}, {1}}, Clusters: estimators.EqualClusters(2)}
	longtest.Refuses(laws.NewStarts(
		ctx,
		longtest.Sure(estimators.NewBIC(part.Y, part.Clusters, estimators.Patience{})),
		1,
		1,
	))(t,
		"start [0 1]: the ascent has not come to an end")
	longtest.Refuses(laws.NewStarts(ctx, fixedClimber{math.NaN()}, 1, 1))(t, "the value NaN")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := laws.NewStarts(ended,
		longtest.Sure(estimators.NewBIC(models.Clu6().Y, models.Clu6().Clusters, estimators.Patience{})), 1,
		1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Variational Bayes on a model with two clusters that are alike finds one of the two namings, and
// falls short by about log 2. One start in 128 ends at a much lower maximum, where one cluster has
// all data. With log K! added, it is no lower bound on data that say almost nothing of the
// clusters.
func Example_lawsNewStarts() {
	ctx := context.Background()
	for _, m := range []*models.Clustering{models.Clu8(), models.Clu4()} {
		for _, symmetry := range []estimators.Symmetry{estimators.OneNaming, estimators.LogFactorial} {
			climber, _ := estimators.NewVariationalBayes(m.Y, m.Clusters, symmetry, estimators.Patience{})
			law, _ := laws.NewStarts(ctx, climber, 1, 0)
			moments, _ := law.Moments(ctx, 1)
			fmt.Printf("best %.10f, mean %.10f, sd %.6f, optima: %d\n", law.Best(), moments.Mean, moments.SD,
				len(law.Atoms()))
		}
		fmt.Printf("log Z %.10f\n", floats.LogSumExp(toys.OfModel("", "", m).G))
	}
	// Output:
	// best -19.9363970998, mean -20.0215455534, sd 0.959574, optima: 2
	// best -19.2432499193, mean -19.3283983728, sd 0.959574, optima: 2
	// log Z -19.0105840334
	// best -4.5192461308, mean -4.5192461308, sd 0.000000, optima: 1
	// best -3.8260989502, mean -3.8260989502, sd 0.000000, optima: 1
	// log Z -4.5010601950
}
