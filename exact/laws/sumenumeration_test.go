package laws_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

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
)

// kinds are all estimators that are sums, by their names in the tests.
func kinds() []string {
	return []string{"weighting", "harmonic", "harmonic-chain", "harmonic-prior", "chib", "chib-chain",
		"cms-first", "cms-uniform"}
}

// newEstimator returns the program of an estimator whose distribution newSum returns.
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

// Outcomes are the values of log Z-hat with their probabilities.
type Outcomes []program.Outcome[float64]

// Enumerated returns all outcomes of an estimator but for those that are less likely than a cut; 0
// is the usual one.
func Enumerated(e estimators.Estimator[chains.Chooser], cut float64) Outcomes {
	return longtest.Sure(program.Enumerate(context.Background(), e.Estimate, program.Options{Cut: cut})).Outcomes()
}

// moments returns E log Z-hat, its standard deviation and log E Z-hat, by their definitions.
func (o Outcomes) moments() (mean, sd, logMean float64) {
	top := math.Inf(-1)
	for _, v := range o {
		top = max(top, v.Value)
	}
	total := 0.0
	for _, v := range o {
		mean += v.P * v.Value
		total += v.P * math.Exp(v.Value-top)
	}
	if math.IsInf(top, 0) {
		return mean, math.NaN(), top
	}
	for _, v := range o {
		sd += v.P * (v.Value - mean) * (v.Value - mean)
	}
	return mean, math.Sqrt(sd), top + math.Log(total)
}

// pairs returns the outcomes of the mean of two runs, whose estimates are averaged as they are or
// by their reciprocals, or of the larger one.
func (o Outcomes) pairs(c estimators.Combination) Outcomes {
	sign := 1.0
	if c == estimators.HarmonicMean {
		sign = -1
	}
	var out Outcomes
	for _, a := range o {
		for _, b := range o {
			if c == estimators.Maximum {
				out = append(out, program.Outcome[float64]{Value: max(a.Value, b.Value), P: a.P * b.P})
				continue
			}
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

// twice returns the moments of the mean of two runs.
func (o Outcomes) twice(c estimators.Combination) (mean, sd, logMean float64) {
	if c != estimators.MeanOfLogs {
		return o.pairs(c).moments()
	}
	half := slices.Clone(o)
	for i := range half {
		half[i].Value /= 2
	}
	mean, sd, _ = o.moments()
	_, _, root := half.moments()
	return mean, sd / math.Sqrt2, 2 * root
}

// AgreeMoments holds the moments of one run and of two to all outcomes.
func (o Outcomes) AgreeMoments(t rapid.TB, law laws.Law, c estimators.Combination,
	offset, tolerance float64) {
	t.Helper()
	for trials, moments := range []func() (mean, sd, logMean float64){
		1: o.moments, 2: func() (mean, sd, logMean float64) { return o.twice(c) }} {
		if moments == nil {
			continue
		}
		m := momentsOf(law, trials)
		mean, sd, logMean := moments()
		if math.IsInf(mean, 0) {
			sd = math.NaN()
		}
		unknown := trials > 1 && math.IsNaN(m.LogMean) && m.Note != ""
		if !lawsNear(m.Mean+offset, mean, tolerance) || !lawsNear(m.SD*m.SD, sd*sd, tolerance) ||
			!unknown && !lawsNear(m.LogMean+offset, logMean, tolerance) {
			t.Fatalf("%d trials: %+v and the offset %v, enumerated %v %v %v", trials, m, offset, mean, sd, logMean)
		}
	}
}

// Agree does so, and holds the probabilities to be above some outcomes, and above values nearby.
func (o Outcomes) Agree(t rapid.TB, law laws.Law, c estimators.Combination, offset, tolerance float64) {
	t.Helper()
	o.AgreeMoments(t, law, c, offset, tolerance)
	for i := 0; i < len(o); i += max(1, len(o)/8) {
		for _, by := range []float64{-1e-3, 0, 1e-3} {
			at := o[i].Value + by
			least, most := o.Above(at+1e-9), o.Above(at-1e-9)
			b := longtest.Sure(law.Above(context.Background(), at-offset))
			fits := b.Low >= 0 && b.High <= 1
			if c != estimators.MeanOfLogs { // an inversion may go beyond, and says nothing of an atom
				fits = least != most || b.High-b.Low < 1
			}
			if !fits || !(b.Low <= b.High && b.Low <= most+1e-12 && b.High >= least-1e-12) {
				t.Fatalf("P(log Z-hat > %v) is in %+v, enumerated from %v to %v", at, b, least, most)
			}
		}
	}
}

// Above returns the probability of an outcome above at.
func (o Outcomes) Above(at float64) float64 {
	total := 0.0
	for _, v := range o {
		if v.Value > at {
			total += v.P
		}
	}
	return total
}

// tinyModel draws an annealing of a few states: with zeros at either end of the path, and states
// that are alike.
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
	kernel := longtest.Sure(kernels.Parse(
		rapid.SampledFrom([]string{"heatbath-scan", "metropolis", "barker", "repeat:2:metropolis",
			"lazy:0.5:heatbath-scan"}).Draw(t, "kernel"),
		space,
	))
	return longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernel, 2))
}

// lawsNear compares numbers of which one has been computed by an integral, with its infinities.
func lawsNear(a, b, tolerance float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance*(1+math.Abs(b))
}

// TestSumsEnumerated holds all distributions to the programs of the estimators, run with all
// outcomes of their choices: for one run, for two that are combined, and for the probability to be
// above any value, at targets with and without zeros.
func TestSumsEnumerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := tinyModel(t, rapid.Bool().Draw(t, "zeros"))
		target := laws.NewTarget(a)
		kind := rapid.SampledFrom(kinds()).Draw(t, "kind")
		k := rapid.IntRange(1, 3).Draw(t, "K")
		star := rapid.IntRange(0, a.States()-1).Draw(t, "z*")
		if target.Posterior[star] == 0 {
			t.Skip("no z*")
		}
		s, err := newSum(context.Background(), target, kind, star, k)
		impossible := 0.0 // the prior probability of likelihood zero
		for x, p := range target.Prior {
			if math.IsInf(target.LogL[x], -1) {
				impossible += p
			}
		}
		if kind == "harmonic-prior" && impossible > 0 {
			if err == nil {
				t.Fatal("a draw from the prior may have likelihood zero, and there is a distribution")
			}
			return
		}
		if err != nil && slices.Contains(
			[]string{"weighting", "harmonic", "harmonic-chain", "chib-chain"},
			kind,
		) && isNoLaw(err) {
			t.Skip(err)
		}
		longtest.NoError(t, err)
		e := newEstimator(a, kind, star, k)
		if s.Work() != e.Work() {
			t.Fatalf("work %+v, the program's is %+v", s.Work(), e.Work())
		}
		one := Enumerated(e, math.SmallestNonzeroFloat64)
		one.AgreeMoments(t, s, e.Combination(), target.Offset, 1e-11)
		at := rapid.SampledFrom(append([]float64{-20, -0.3, 0.2, 1.4, 20}, math.Inf(-1), math.Inf(1))).Draw(
			t,
			"above",
		) +
			rapid.SampledFrom([]float64{0, one[0].Value}).Draw(t, "centre")
		if math.IsNaN(at) {
			at = 0
		}
		b := longtest.Sure(s.Above(context.Background(), at-target.Offset))
		listed := k == 1 || slices.Contains([]string{"weighting", "harmonic", "chib"}, kind)
		tied := one.Above(at-1e-11) != one.Above(at+1e-11)
		if p := one.Above(at); !(b.Low-1e-12 <= p && p <= b.High+1e-12) ||
			!tied && listed && b.High-b.Low > 1e-12 {
			t.Fatalf("%s, K = %d: P(above %v) = %v is outside of %+v", kind, k, at, p, b)
		}
		// Terms move by a cell each at most, that is the sum by k parts of 8192: a threshold as
		// much higher or lower.
		slack := 1.01 * float64(k) / 8192
		if low, high := one.Above(at+slack), one.Above(at-slack); !math.IsInf(at, 0) &&
			!(low-1e-9 <= b.Low && b.High <= high+1e-9) {
			t.Fatalf("%s, K = %d: P(above %v) in %+v, wider than %v to %v", kind, k, at, b, low, high)
		}
		if values := s.Values(); values != nil {
			sameValues(t, values, one, target.Offset)
		} else if slices.Contains([]string{"weighting", "harmonic", "chib"}, kind) {
			t.Fatalf("%s, K = %d: no values are listed", kind, k)
		}
	})
}

// sameValues fails if a listed value is none of the outcomes, or an outcome is not listed.
func sameValues(t rapid.TB, values []float64, of Outcomes, offset float64) {
	t.Helper()
	for _, o := range of {
		if !slices.ContainsFunc(values, func(v float64) bool { return lawsNear(v+offset, o.Value, 1e-12) }) {
			t.Fatalf("the outcome %v is not among %v", o.Value, values)
		}
	}
	for _, v := range values {
		if !slices.ContainsFunc(
			of,
			func(o program.Outcome[float64]) bool { return lawsNear(v+offset, o.Value, 1e-12) },
		) {
			t.Fatalf("the value %v is not an outcome of %v", v, of)
		}
	}
}

// isNoLaw reports whether an estimate has no distribution because it is never finite.
func isNoLaw(err error) bool {
	return strings.HasPrefix(err.Error(), "all terms of the estimate are zero")
}

// TestCertainFarFromMean: if z* can be reached from itself alone, every chain stays there, S is K,
// and the estimate is the joint density of z*: with a standard deviation of zero, though E V, in
// equilibrium, is exp(-20) or exp(-60) times V. The transform of 1/Z-hat is known to 1e-15 or so,
// of which a million trials make more, and say so.
func TestCertainFarFromMean(t *testing.T) {
	none := math.Inf(-1)
	for _, f := range []float64{-20, -60} {
		target := lineTarget("metropolis", nil, []float64{f, none, 0})
		s := mustSum(t, target, "cms-uniform", 0, 3)
		want := target.LogZ + math.Log(target.Posterior[0])
		for _, trials := range []int{1, 25} {
			m := momentsOf(s, trials)
			if !(math.Abs(m.Mean-want) < 1e-12 && m.SD < 2e-7 && math.Abs(m.LogMean-want) < 1e-12) ||
				m.Bias(target.LogZ).Error > 1e-10 {
				t.Errorf("%d trials: %+v, want a mean of %v", trials, m, want)
			}
		}
		if f > -60 {
			continue
		}
		if m := momentsOf(s, 1_000_000); !(m.Bias(target.LogZ).Error > 1e-10) || m.Deviation().Known() ||
			!(math.Abs(m.Mean-want) < 1e-9) {
			t.Errorf("a million trials: %+v, want a mean of %v", m, want)
		}
	}
}

// TestAboveOfOnePlace: the probabilities of a chain of one place are exact, also if simple bounds
// are tiny, and so are those of a chain at thresholds at which float64 has lost H.
func TestAboveOfOnePlace(t *testing.T) {
	for _, c := range []struct {
		target *laws.Target
		kind   string
		k      int
		at     float64
		want   float64
	}{
		{lineTarget("heatbath-scan", []float64{-3, -1}, []float64{-3, -3}), "harmonic-chain", 1, 0, 0.5},
		{lineTarget("metropolis", nil, []float64{0, 0, 0, 0, 0}), "cms-first", 1, 30, 0},
		{lineTarget("metropolis", []float64{0, -60}, []float64{0, -30}), "harmonic-chain", 1, 15,
			math.Exp(-30)},
		{lineTarget("repeat:2:metropolis", []float64{math.Inf(-1), math.Inf(-1), 0, math.Inf(-1)},
			[]float64{2, 0, 0, 0}), "chib-chain", 2, -1.32, -1},
	} {
		s := mustSum(t, c.target, c.kind, min(2, len(c.target.LogL)-1)*(c.k-1), c.k)
		at := c.target.LogZ + c.at
		want := c.want
		if want < 0 {
			want = Enumerated(newEstimator(c.target.Annealing, c.kind, 2, c.k), 0).Above(at)
			if !(want > 0.1 && want < 0.9) {
				t.Fatalf("P = %v, and the test shows nothing", want)
			}
		}
		b := longtest.Sure(s.Above(context.Background(), at))
		tolerance := 1e-11
		if c.k == 1 {
			tolerance = 1e-15
		}
		if !(math.Abs(b.Low-want) < tolerance && math.Abs(b.High-want) < tolerance) ||
			want == 0 && b.High != 0 {
			t.Errorf("%s: %+v, want %v", c.kind, b, want)
		}
	}
}
