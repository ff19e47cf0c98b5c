package laws

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// kinds are all estimators that are sums, by their names in the tests.
func kinds() []string {
	return []string{"weighting", "harmonic", "harmonic-chain", "harmonic-prior", "chib", "chib-chain", "cms-first", "cms-uniform"}
}

// newEstimator returns the program of an estimator whose law newSum returns.
func newEstimator(a *chains.Annealing, kind string, star, k int) estimators.Estimator[chains.Chooser] {
	model := longtest.Sure(estimators.NewFinite(a))
	joint := model.LogPosterior(star)
	switch kind {
	case "weighting":
		return longtest.Sure(estimators.NewLikelihoodWeighting(model, k))
	case "harmonic":
		return longtest.Sure(estimators.NewHarmonicMean(model, k))
	case "harmonic-chain":
		return longtest.Sure(estimators.NewHarmonicChain(model, k))
	case "harmonic-prior":
		return longtest.Sure(estimators.NewHarmonicPriorChain(model, k))
	case "chib":
		return longtest.Sure(estimators.NewChib(model, star, joint, k))
	case "chib-chain":
		return longtest.Sure(estimators.NewChibChain(model, star, joint, k))
	case "cms-first":
		return longtest.Sure(estimators.NewMurraySalakhutdinov(model, star, joint, k, estimators.StartFirst))
	}
	return longtest.Sure(estimators.NewMurraySalakhutdinov(model, star, joint, k, estimators.StartUniform))
}

// outcomes are the values of log Z-hat with their probabilities.
type outcomes []program.Outcome[float64]

// enumerated returns all outcomes of an estimator.
func enumerated(e estimators.Estimator[chains.Chooser]) outcomes {
	law := longtest.Sure(program.Enumerate(context.Background(), e.Estimate, program.Options{Cut: math.SmallestNonzeroFloat64}))
	return law.Outcomes()
}

// moments returns E log Z-hat, its standard deviation and log E Z-hat, by their definitions.
func (o outcomes) moments() (mean, sd, logMean float64) {
	top := math.Inf(-1)
	for _, v := range o {
		top = max(top, v.Value)
	}
	total := 0.0
	for _, v := range o {
		mean += v.P * v.Value
		total += v.P * math.Exp(v.Value-top)
	}
	if math.IsInf(top, 1) {
		return mean, math.NaN(), top
	}
	for _, v := range o {
		sd += v.P * (v.Value - mean) * (v.Value - mean)
	}
	return mean, math.Sqrt(sd), top + math.Log(total)
}

// pairs returns the outcomes of the mean of two runs, whose estimates are averaged as they are or by their reciprocals.
func (o outcomes) pairs(c estimators.Combination) outcomes {
	sign := 1.0
	if c == estimators.HarmonicMean {
		sign = -1
	}
	var out outcomes
	for _, a := range o {
		for _, b := range o {
			top := max(sign*a.Value, sign*b.Value)
			mean := top
			if !math.IsInf(top, 0) {
				mean += math.Log((math.Exp(sign*a.Value-top) + math.Exp(sign*b.Value-top)) / 2)
			}
			out = append(out, program.Outcome[float64]{Value: sign * mean, P: a.P * b.P})
		}
	}
	return out
}

// above returns the probability of an outcome above at.
func (o outcomes) above(at float64) float64 {
	total := 0.0
	for _, v := range o {
		if v.Value > at {
			total += v.P
		}
	}
	return total
}

// tinyModel draws an annealing of a few states: with zeros at either end of the path, and states that are alike.
func tinyModel(t *rapid.T, zeros bool) *chains.Annealing {
	space := longtest.Sure(grid.New(rapid.SampledFrom([][]int{{2}, {3}, {4}, {2, 2}}).Draw(t, "sides")...))
	draw := func(what string) []float64 {
		v := make([]float64, space.States())
		for x := range v {
			v[x] = rapid.SampledFrom([]float64{-3, -1, 0, 0.5, 2}).Draw(t, what)
			if zeros && rapid.IntRange(0, 4).Draw(t, "zero") == 0 {
				v[x] = math.Inf(-1)
			}
		}
		return v
	}
	path, err := paths.NewGeometric(draw("prior"), draw("target"))
	if err != nil {
		t.Skip(err)
	}
	kernel := longtest.Sure(kernels.Parse(rapid.SampledFrom([]string{"heatbath-scan", "metropolis", "barker", "repeat:2:metropolis", "lazy:0.5:heatbath-scan"}).Draw(t, "kernel"), space))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernel, 2))
}

// near compares numbers of which one has been computed by an integral, with its infinities.
func near(a, b, tolerance float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance*(1+math.Abs(b))
}

// TestSumsEnumerated holds all laws to the programs of the estimators, run with all outcomes of their choices: for one run, for two that
// are combined, and for the probability to be above any value, at targets with and without zeros.
func TestSumsEnumerated(t *testing.T) {
	exacttest.CheckSome(t, 50, func(t *rapid.T) {
		a := tinyModel(t, rapid.Bool().Draw(t, "zeros"))
		target := NewTarget(a)
		kind := rapid.SampledFrom(kinds()).Draw(t, "kind")
		k := rapid.IntRange(1, 3).Draw(t, "K")
		star := rapid.IntRange(0, a.States()-1).Draw(t, "z*")
		if target.Posterior[star] == 0 {
			t.Skip("no z*")
		}
		s, err := newSum(context.Background(), target, kind, star, k)
		if kind == "harmonic-prior" && massWhere(target.Prior, target.LogL, math.Inf(-1)) > 0 {
			if err == nil {
				t.Fatal("a draw from the prior may have likelihood zero, and there is a law")
			}
			return
		}
		if err != nil && slices.Contains([]string{"weighting", "harmonic", "harmonic-chain", "chib-chain"}, kind) && isNoLaw(err) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		e := newEstimator(a, kind, star, k)
		if s.Work() != e.Work() {
			t.Fatalf("work %+v, the program's is %+v", s.Work(), e.Work())
		}
		if s.combination != e.Combination() {
			t.Fatalf("combination %v, the program's is %v", s.combination, e.Combination())
		}
		one := enumerated(e)
		for trials, law := range []outcomes{1: one, 2: one.pairs(e.Combination())} {
			if law == nil {
				continue
			}
			m := longtest.Sure(s.Moments(context.Background(), trials))
			mean, sd, logMean := law.moments()
			if math.IsInf(mean, -1) {
				sd = math.NaN()
			}
			if !near(m.Mean+target.Offset, mean, 1e-11) || !near(m.SD*m.SD, sd*sd, 1e-11) || !near(m.LogMean+target.Offset, logMean, 1e-11) {
				t.Fatalf("%s, K = %d, %d trials: %+v, enumerated %v %v %v", kind, k, trials, m, mean, sd, logMean)
			}
		}
		at := rapid.SampledFrom(append([]float64{-20, -0.3, 0.2, 1.4, 20}, math.Inf(-1), math.Inf(1))).Draw(t, "above") + rapid.SampledFrom([]float64{0, one[0].Value}).Draw(t, "centre")
		if math.IsNaN(at) {
			at = 0
		}
		b := longtest.Sure(s.Above(context.Background(), at-target.Offset))
		tied := one.above(at-1e-11) != one.above(at+1e-11)
		if p := one.above(at); !(b.Low-1e-12 <= p && p <= b.High+1e-12) || !tied && s.tail.exact() && b.High-b.Low > 1e-12 {
			t.Fatalf("%s, K = %d: P(above %v) = %v is outside of %+v", kind, k, at, p, b)
		}
	})
}

// isNoLaw reports whether an estimate has no law because it is never finite.
func isNoLaw(err error) bool { return fmt.Sprint(err) == fmt.Sprint(errNoTerms) }
