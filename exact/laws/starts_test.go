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
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/laws"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

// meanField returns the mean field of a model.
func meanField(m models.Model, symmetry estimators.Symmetry) estimators.Climber {
	return longtest.Sure(estimators.NewMeanField(m.Space(), toys.OfModel("m", "", m).G, symmetry))
}

// TestReferenceOfStarts holds every row of an independent program to the digits that it gives. All
// are nats.
func TestReferenceOfStarts(t *testing.T) {
	longtest.Only(t)
	clu4, clu6, clu8 := models.Clu4(), models.Clu6(), models.Clu8()
	vb := func(m *models.Clustering, s estimators.Symmetry) estimators.Climber {
		return longtest.Sure(estimators.NewVariationalBayes(m.Y, m.Clusters, s, estimators.Patience{}))
	}
	law := func(c estimators.Climber, restarts int) *laws.Starts {
		return longtest.Sure(laws.NewStarts(context.Background(), c, restarts, 0))
	}
	best := func(c estimators.Climber) float64 { return law(c, 1).Best() }
	mean := func(c estimators.Climber, restarts, trials int) float64 {
		return longtest.Sure(law(c, restarts).Moments(context.Background(), trials)).Mean
	}
	optima := func(c estimators.Climber) float64 { return float64(len(law(c, 1).Atoms())) }
	one, factorial, mixture := estimators.OneNaming, estimators.LogFactorial, estimators.AllNamings
	bic4, bic8 := longtest.Sure(estimators.NewBIC(clu4.Y, clu4.Clusters, estimators.Patience{})),
		longtest.Sure(estimators.NewBIC(clu8.Y, clu8.Clusters, estimators.Patience{}))
	for _, row := range []struct {
		name      string
		got, want float64
	}{
		{"clu4, vb, best", best(vb(clu4, one)), -4.51924613080483},
		{"clu4, vb, 1 restart", mean(vb(clu4, one), 1, 1), -4.51924613080483},
		{"clu4, vb, 5 restarts", mean(vb(clu4, one), 5, 1), -4.51924613080483},
		{"clu4, vb, 25 restarts", mean(vb(clu4, one), 25, 1), -4.51924613080483},
		{"clu4, vb, optima", optima(vb(clu4, one)), 1},
		{"clu4, vb+sym, best", best(vb(clu4, factorial)), -3.82609895024489},
		{"clu4, meanfield, best", best(meanField(clu4, one)), -4.50122469689895},
		{"clu4, meanfield, symmetrised", best(meanField(clu4, mixture)), -4.50122469689895},
		{"clu4, meanfield, plus log K!", best(meanField(clu4, factorial)), -3.80807751633901},
		{"clu4, bic, largest log likelihood", best(bic4) + bic4.Penalty(), -4.40575413281869},
		{"clu4, bic, parameters", float64(bic4.Parameters()), 2}, {"clu4, bic", best(bic4), -5.79204849393858},
		{"clu8, vb, best", best(vb(clu8, one)), -19.9363970998346},
		{"clu8, vb, 1 restart", mean(vb(clu8, one), 1, 1), -20.0215455533613},
		{"clu8, vb, 5 restarts", mean(vb(clu8, one), 5, 1), -19.9363971001518},
		{"clu8, vb, 1 restart, 5 trials", mean(vb(clu8, one), 1, 5), -19.9363971001518},
		{"clu8, vb, 25 restarts", mean(vb(clu8, one), 25, 1), -19.9363970998346},
		{"clu8, vb, optima", optima(vb(clu8, one)), 2},
		{"clu8, vb+sym, best", best(vb(clu8, factorial)), -19.2432499192747},
		{"clu8, meanfield, best", best(meanField(clu8, one)), -19.7087434292149},
		{"clu8, meanfield, symmetrised", best(meanField(clu8, mixture)), -19.0155962488073},
		{"clu8, meanfield, plus log K!", best(meanField(clu8, factorial)), -19.015596248655},
		{"clu8, bic, largest log likelihood", best(bic8) + bic8.Penalty(), -15.8764489354722},
		{"clu8, bic, parameters", float64(bic8.Parameters()), 2}, {"clu8, bic", best(bic8), -17.955890477152},
		{"clu6, vb, best", best(vb(clu6, one)), -26.2698710959643},
		{"clu6, vb+sym, best", best(vb(clu6, factorial)), -24.4781116267362},
	} {
		t.Logf("%-35s %.13f", row.name, row.got)
		if math.Abs(row.got-row.want) > 1e-12 {
			t.Errorf("%s: %.15g, want %.15g", row.name, row.got, row.want)
		}
	}
}

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
		restarts, trials := rapid.IntRange(1, 3).Draw(t, "restarts"), rapid.IntRange(1, 2).Draw(t, "trials")
		constant := rapid.SampledFrom([]float64{0, 3, 1e12}).Draw(t, "constant")
		shifted := slices.Clone(values)
		floats.AddConst(constant, shifted)
		s := longtest.Sure(laws.NewStarts(ctx, estimators.Less(fixedClimber(shifted), constant), restarts, 1))
		e := longtest.Sure(estimators.NewRestarts(fixedClimber(values), restarts))
		law := longtest.Sure(program.Enumerate(ctx, func(c chains.Chooser) float64 {
			best := math.Inf(-1)
			for range trials {
				best = max(best, e.Estimate(c))
			}
			return best
		}, program.Options{}))
		m := longtest.Sure(s.Moments(ctx, trials))
		rounding := 1e-12
		if constant > 100 {
			rounding = 1e-3 // adding it has taken the digits
		}
		mean := law.Mean(func(v float64) float64 { return v })
		sd := math.Sqrt(law.Mean(func(v float64) float64 { return (v - mean) * (v - mean) }))
		top := slices.Max(values)
		logMean := top + math.Log(law.Mean(func(v float64) float64 { return math.Exp(v - top) }))
		for _, c := range [][2]float64{{m.Mean, mean}, {m.SD, sd}, {m.LogMean, logMean}} {
			if !(math.Abs(c[0]-c[1]) <= rounding*(1+math.Abs(c[1]))) {
				t.Fatalf("%+v, want mean %.15g, sd %.15g, log mean %.15g", m, mean, sd, logMean)
			}
		}
		if trials > 1 {
			return
		}
		for _, at := range []float64{-2.5, -1, 0.5, 41, 1e4} {
			b := longtest.Sure(s.Above(ctx, at))
			want := law.Mean(func(v float64) float64 {
				if v > at {
					return 1
				}
				return 0
			})
			if b.Low != b.High || math.Abs(b.Low-want) > 1e-14 {
				t.Fatalf("above %v: %+v, want %v", at, b, want)
			}
		}
		for _, o := range law.Outcomes() {
			if !slices.ContainsFunc(s.Values(), func(v float64) bool { return math.Abs(v-o.Value) <= rounding*(1+math.Abs(v)) }) {
				t.Fatalf("the outcome %v is not among %v", o.Value, s.Values())
			}
		}
		if s.Work() != e.Work() {
			t.Fatalf("work %v, want %v", s.Work(), e.Work())
		}
	})
}

// TestStartsOfManyTrials: probabilities of a millionth and less keep their digits, and those near
// one too.
func TestStartsOfManyTrials(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	const starts = 1_000_003
	values := make(fixedClimber, starts)
	values[3] = 1
	s := longtest.Sure(laws.NewStarts(ctx, values, 1, 0))
	m := longtest.Sure(s.Moments(ctx, 1))
	p := 1.0 / starts
	if math.Abs(m.Mean-p) > 1e-15 || math.Abs(m.SD-math.Sqrt(p*(1-p))) > 1e-15 || math.Abs(m.LogMean-math.Log1p(p*(math.E-1))) > 1e-15 {
		t.Errorf("%+v", m)
	}
	if b := longtest.Sure(s.Above(ctx, 0.5)); math.Abs(b.Low-p) > 1e-15*p || b.Low != b.High {
		t.Errorf("%+v, want %v", b, p)
	}
	// After 1/p restarts the best is missed with probability (1 - p)^(1/p) = exp(-1 - p/2 - p^2/3 -
	// ...).
	s = longtest.Sure(laws.NewStarts(ctx, values, starts, 0))
	m = longtest.Sure(s.Moments(ctx, 1))
	if want := -math.Expm1(-1 - p/2 - p*p/3); math.Abs(m.Mean-want) > 1e-15 {
		t.Errorf("mean %.17g, want %.17g", m.Mean, want)
	}
	if b := longtest.Sure(s.Above(ctx, 0.5)); math.Abs(b.Low-m.Mean) > 1e-15 || b.Low != b.High {
		t.Errorf("%+v", b)
	}
	// If the best value is rare and far above, E Z-hat is what it contributes.
	values[3] = 100
	s = longtest.Sure(laws.NewStarts(ctx, values, 1, 0))
	if m = longtest.Sure(s.Moments(ctx, 1)); math.Abs(m.LogMean-(100+math.Log(p))) > 3e-14 {
		t.Errorf("log mean %.17g, want %.17g", m.LogMean, 100+math.Log(p))
	}
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
		{1 - 3e-9, 0.75, 0.75}, {1, 0, 0.5}, {1 + 0.9e-9, 0, 0.5}, {1 + 1.1e-9, 0, 0}, {-5, 0.75, 1}, {-6, 1, 1}, {math.Inf(-1), 1, 1}, {math.Inf(1), 0, 0},
	} {
		b := longtest.Sure(s.Above(ctx, c.at))
		if b.Low != c.low || b.High != c.high || (b.Note != "") != (c.low != c.high) {
			t.Errorf("above %v: %+v, want %v to %v", c.at, b, c.low, c.high)
		}
	}
	if _, err := s.Above(ctx, math.NaN()); err == nil {
		t.Error("a threshold that is no number")
	}
	if _, err := s.Moments(ctx, 0); err == nil {
		t.Error("no trials")
	}
}

// TestStartsOnZeros: if some starts do not reach a product that avoids the zeros of the target, the
// mean is -Inf and a note says why.
func TestStartsOnZeros(t *testing.T) {
	ctx, zero := context.Background(), math.Inf(-1)
	field := longtest.Sure(estimators.NewMeanField(grid.MustNew(2, 2, 2), []float64{1, zero, zero, zero, zero, zero, zero, zero}, estimators.OneNaming))
	s := longtest.Sure(laws.NewStarts(ctx, field, 1, 1))
	// State 0 is reached from itself and from the three states on the lines through it.
	m := longtest.Sure(s.Moments(ctx, 1))
	if fmt.Sprint(s.Atoms()) != "[{1 4} {-Inf 4}]" || m.Mean != zero || !math.IsNaN(m.SD) || m.Note == "" || math.Abs(m.LogMean-(1-math.Ln2)) > 1e-15 {
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
	climber := longtest.Sure(estimators.NewVariationalBayes(long.Y, long.Clusters, estimators.OneNaming, estimators.Patience{}))
	longtest.Refuses(laws.NewStarts(ctx, climber, 1, 1))(t, "take a smaller space, as that of fewer data")
	e := longtest.Sure(estimators.NewRestarts(climber, 2)) // which runs nonetheless
	if v := e.Estimate(chains.NewSampler(rand.NewPCG(1, 1))); math.IsNaN(v) || math.IsInf(v, 0) || !math.IsNaN(e.Work().Evaluations) {
		t.Errorf("%v, %v", v, e.Work())
	}
	part := &models.Clustering{Y: [][]float64{{-1}, {1}}, Clusters: estimators.EqualClusters(2)}
	longtest.Refuses(laws.NewStarts(ctx, longtest.Sure(estimators.NewBIC(part.Y, part.Clusters, estimators.Patience{})), 1, 1))(t,
		"start [0 1]: the ascent has not come to an end")
	longtest.Refuses(laws.NewStarts(ctx, fixedClimber{math.NaN()}, 1, 1))(t, "the value NaN")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := laws.NewStarts(ended, longtest.Sure(estimators.NewBIC(models.Clu6().Y, models.Clu6().Clusters, estimators.Patience{})), 1,
		1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestMeanFieldOfTargets: on a target that is not a model of data, with zeros and a large constant
// too, the bound from every start is at most log Z, and the constant costs no digits.
func TestMeanFieldOfTargets(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		toy      *toys.Toy
		constant float64
	}{{toys.Easy(), 0}, {toys.Hard(), 0}, {longtest.Sure(toys.Barrier(7, 7)), 0}, {toys.Hard(), 1e12}} {
		space := c.toy.Space.(*grid.Lattice)
		logf := slices.Clone(c.toy.G)
		floats.AddConst(c.constant, logf)
		path := longtest.Sure(paths.NewGeometric(nil, logf))
		target := laws.NewTarget(longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: space}, 3)))
		joint := target.LogJoint()
		if logZ := floats.LogSumExp(joint); math.Abs(logZ-target.LogZ) > 1e-12 {
			t.Errorf("%s: the sum of the joint density is %.15g, want %.15g", c.toy.Name, logZ, target.LogZ)
		}
		s := longtest.Sure(laws.NewStarts(ctx, longtest.Sure(estimators.NewMeanField(space, joint, estimators.OneNaming)), 1, 0))
		if best := s.Best(); best > target.LogZ+1e-12 || best < slices.Max(joint)-1e-12 {
			t.Errorf("%s: best %.15g, log Z %.15g, log of the largest %.15g", c.toy.Name, best, target.LogZ, slices.Max(joint))
		}
		plain := floats.LogSumExp(c.toy.G) - math.Log(49)
		if math.Abs(target.LogZ+target.Offset-c.constant-plain) > 1e-12+c.constant*1e-15 {
			t.Errorf("%s: log Z %v", c.toy.Name, target.LogZ+target.Offset)
		}
	}
}

// TestStartsOfWorkers: the numbers are the same for any number of workers.
func TestStartsOfWorkers(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	climber := longtest.Sure(estimators.NewVariationalBayes(models.Clu6().Y, models.Clu6().Clusters, estimators.OneNaming, estimators.Patience{}))
	one, many := longtest.Sure(laws.NewStarts(ctx, climber, 2, 1)), longtest.Sure(laws.NewStarts(ctx, climber, 2, 5))
	if !slices.Equal(one.Atoms(), many.Atoms()) || one.Work() != many.Work() || longtest.Sure(one.Moments(ctx, 3)) != longtest.Sure(many.Moments(ctx, 3)) {
		t.Errorf("%v and %v", one.Atoms(), many.Atoms())
	}
}

// Variational Bayes on a model with two clusters that are alike finds one of the two namings, and
// falls short by about log 2. One start in 128 ends at a much lower maximum, where one cluster has
// all data. With log K! added, it is no lower bound on data that say almost nothing of the
// clusters.
func ExampleNewStarts() {
	ctx := context.Background()
	for _, m := range []*models.Clustering{models.Clu8(), models.Clu4()} {
		for _, symmetry := range []estimators.Symmetry{estimators.OneNaming, estimators.LogFactorial} {
			climber, _ := estimators.NewVariationalBayes(m.Y, m.Clusters, symmetry, estimators.Patience{})
			law, _ := laws.NewStarts(ctx, climber, 1, 0)
			moments, _ := law.Moments(ctx, 1)
			fmt.Printf("best %.10f, mean %.10f, sd %.6f, optima: %d\n", law.Best(), moments.Mean, moments.SD, len(law.Atoms()))
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
