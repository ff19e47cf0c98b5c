package conform

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// averages returns estimates of log Z: averages of the weights of ten forward chains, or of the
// inverse weights of ten reverse chains.
func averages(t *testing.T, l *Laws, d chains.Direction, n int) []float64 {
	t.Helper()
	const each = 10
	logW := many(t, l.task, d, n*each, 21).LogW
	sign := 1.0
	if d == chains.Reverse {
		sign = -1
	}
	var out []float64
	for i := 0; i < len(logW); i += each {
		some := slices.Clone(logW[i:][:each])
		floats.Scale(sign, some)
		out = append(out, sign*(floats.LogSumExp(some)-math.Log(each))+l.task.LogZ1)
	}
	return out
}

// moved returns estimates that are off by a constant.
func moved(values []float64, by float64) []float64 {
	out := slices.Clone(values)
	floats.AddConst(by, out)
	return out
}

// TestEstimates: averages of annealed importance sampling pass for what is true of them, alone and
// beside chains, and are found for each claim that is not. By chance a run fails with a probability
// of at most 1e-6.
func TestEstimates(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	// estimates that are off by so much are found
	n := 500
	off := 1.2
	if longtest.More() {
		n = 3000
		off = 0.2
	}
	forward, reverse := averages(t, l, chains.Forward, n), averages(t, l, chains.Reverse, n)
	unknown := math.NaN()
	least := l.task.LogZT - 3
	most := l.task.LogZT + 4
	floor := l.task.LogZT - 0.5 // of estimates that are too high, by so much that few are below
	if longtest.More() {
		floor = least
	}
	for _, c := range []struct {
		name              string
		values            []float64
		claim             verdicts.Claim
		largest, smallest float64
		fault             bool
		untested          string
	}{
		{"forward", forward, verdicts.Unbiased, unknown, unknown, false, ""},
		{"forward, too high", moved(forward, off), verdicts.Unbiased, unknown, unknown, true, ""},
		{"forward, too low", moved(forward, -off), verdicts.Unbiased, unknown, unknown, true, ""},
		{"forward, too low, without a largest value", moved(forward, -off), verdicts.Unbiased, math.Inf(1),
			unknown, false,
			"The mean of the estimates is not tested for being too low: without a largest value"},
		{"forward, lower still", moved(forward, -off), verdicts.Lower, unknown, unknown, false, ""},
		{"forward, too high", moved(forward, off), verdicts.Lower, unknown, unknown, true, ""},
		{"reverse, higher still", moved(reverse, off), verdicts.Upper, unknown, unknown, false, ""},
		{"reverse, too low", moved(reverse, -off), verdicts.Upper, unknown, unknown, true, ""},
		{"reverse", reverse, verdicts.ReciprocalUnbiased, unknown, unknown, false, ""},
		{"reverse, too high", moved(reverse, 2.5*off), verdicts.ReciprocalUnbiased, unknown, floor, true, ""},
		{"reverse, too high, without a least value", moved(reverse, off), verdicts.ReciprocalUnbiased,
			unknown, math.Inf(-1), false,
			"The mean of the estimates is not tested for being too high: without a smallest value"},
		{"forward", forward, verdicts.LowerOnAverage, unknown, least, false, ""},
		{"forward, too high", moved(forward, 2.5*off), verdicts.LowerOnAverage, unknown, least, true, ""},
		{"forward, too high, without a least value", moved(forward, 2.5*off), verdicts.LowerOnAverage,
			unknown, unknown, false, "Standard errors decide the bound on average"},
		{"reverse", reverse, verdicts.UpperOnAverage, most, unknown, false, ""},
		{"reverse, too low", moved(reverse, -2.5*off), verdicts.UpperOnAverage, most, unknown, true, ""},
		{"one that is infinite", append(moved(forward, 0)[1:], math.Inf(1)), verdicts.Unbiased, unknown,
			unknown, true, ""},
	} {
		what := string(c.claim) + ", " + c.name
		in := Input{Estimates: estimates(c.values...)}
		o := Options{
			LogZIncluded: true,
			Estimates:    Estimates{Claim: c.claim, Largest: c.largest, Smallest: c.smallest},
		}
		out := checked(t, l, in, o)
		if out.Fault() != c.fault || len(out.Results) != 1 || out.Results[0].Draws != n {
			t.Errorf("%s: fault: %v; %+v", what, out.Fault(), out.Results)
		}
		if r := out.Results[0]; (r.Found().Verdict == check.Open) != (c.untested != "") ||
			r.Idle == (r.Open != "") && c.untested != "" || r.Decides != 0 {
			t.Errorf("%s: what no number of estimates would show is a pass: %+v", what, r)
		}
		if e := out.Estimates; e == nil || e.Claim != c.claim || e.LogZ != l.task.LogZT ||
			e.Source != "test" {
			t.Errorf("%s: %+v", what, e)
		} else if d := e.Detectable; !c.fault && c.untested == "" &&
			!(d.Low < e.LogZ && e.LogZ < d.High && d.Taken == min(n, 1024)) || c.fault && d != nil {
			t.Errorf("%s: the means %+v would be found", what, d)
		}
		text := strings.Join(out.Untested, "\n")
		if (c.untested == "") != (text == "") || !strings.Contains(text, c.untested) {
			t.Errorf("%s: not tested: %q", what, out.Untested)
		}
	}
	// Estimates that show a fault and are too few to find it are open, and so is a single one.
	high := moved(forward, off*0.3)[:60]
	out := checked(t, l, Input{Estimates: estimates(high...)}, Options{LogZIncluded: true, Estimates: unbiased()})
	if r := out.Results[0]; !longtest.More() &&
		(r.Found().Verdict != check.Open || !strings.Contains(r.Open, "too high by") || !(r.Decides > 60)) {
		t.Errorf("%+v", r)
	}
	out = checked(t, l, Input{Estimates: estimates(forward[0])}, Options{LogZIncluded: true, Estimates: unbiased()})
	if r := out.Results[0]; r.Found().Verdict != check.Open || r.Open != "so few have no standard error" {
		t.Errorf("%+v", r)
	}
	// So are those of which too few are where the claim has them, with the number that decides.
	near := slices.Concat(slices.Repeat([]float64{l.task.LogZT}, 59), slices.Repeat([]float64{l.task.LogZT + 1}, 41))
	out = checked(t, l, Input{Estimates: estimates(near...)}, Options{
		LogZIncluded: true,
		Estimates:    Estimates{Claim: "within:0.5:0.8", Largest: unknown, Smallest: unknown},
	})
	if r := out.Results[0]; r.Found().Verdict != check.Open || !(r.Decides > 100 && r.Decides < 1000) {
		t.Errorf("%+v", r)
	}
	// Beside right chains the estimates alone are the fault.
	in := Input{
		Forward:   source(many(t, l.task, chains.Forward, 2000, 1), short),
		Estimates: estimates(moved(forward, off)...),
	}
	out = checked(t, l, in, Options{Estimates: unbiased()})
	if found := out.faults(); len(found) != 1 || found[0].Test != "estimates of Z are unbiased" ||
		out.Sides[0].Fault {
		t.Errorf("%+v", found)
	}
	for want, o := range map[string]Estimates{"median": {Claim: "median"},
		"largest": {Claim: verdicts.Unbiased, Largest: l.task.LogZT - 5, Smallest: unknown}} {
		longtest.Refuses(l.Check(t.Context(), Input{Estimates: estimates(forward...)},
			Options{Alpha: DefaultAlpha, Estimates: o}))(t, want)
	}
}

// TestReciprocalWithZeros: the mean of 1/Zhat of reverse chains is P(f_T > 0)/Z, and 1/Z is a
// fault.
func TestReciprocalWithZeros(t *testing.T) {
	path := longtest.File(t, "zeros.csv", "0,1,-inf")
	l := lawsOf(t, "file:"+path, 2, "linear")
	right := averages(t, l, chains.Reverse, 2000)
	reached := l.task.logReached()
	o := Options{
		LogZIncluded: true,
		Estimates: Estimates{
			Claim:    verdicts.ReciprocalUnbiased,
			Largest:  math.NaN(),
			Smallest: math.NaN(),
		},
	}
	for _, by := range []float64{0, reached} {
		out := checked(t, l, Input{Estimates: estimates(moved(right, by)...)}, o)
		if e := out.Estimates; reached > -0.1 ||
			out.Fault() != (by != 0) || math.Abs(e.LogZ-l.task.LogZT+reached) > 1e-12 ||
			math.Abs(e.Other-l.task.LogZRatio()+reached) > 1e-12 {
			t.Errorf("off by %v: fault %v, %+v", by, out.Fault(), e)
		}
	}
}

func TestClaimForms(t *testing.T) {
	selectortest.Run(t, selectortest.Check[selector.Nothing, Claimed]{
		Set: ClaimForms(), Name: func(c Claimed) string { return string(c.Name) },
		Same: func(a, b Claimed) bool { return a.Name == b.Name && a.Says == b.Says && a.Errors == b.Errors },
	})
	for text, name := range map[verdicts.Claim]verdicts.Claim{
		"within:5e-2": "within:0.05", "within:1:1": "within:1", "within:1:9e-1": "within:1:0.9",
		"calibrated:0":           "calibrated",
		"law:ns:1e2:label:paper": "law:ns:100", "law:ns:7:strict:exp": "law:ns:7:strict:exp",
	} {
		if c, err := parseClaim(text); err != nil || c.Name != name {
			t.Errorf("%s is %s, %v; want %s", text, c.Name, err, name)
		}
	}
	for text, want := range map[verdicts.Claim]string{
		"within:-1": "give a positive one", "within:1:2": "the probability 2", "within:x": `"x" is not a number`,
		"within:1:x":     `"x" is not a number`,
		"calibrated:0.5": "from 0 to below 0.25", "law:ns:1": "whole number from 2",
		"law:nss:3": `unknown estimator "nss:3"`,
	} {
		longtest.Refuses(parseClaim(text))(t, want, text)
	}
}

// TestNestedSampling: right nested samplers pass as what they are, by the exact distribution of log
// Zhat, and others are found in the numbers of estimates below. By chance a right one fails with a
// probability of at most 1e-6.
func TestNestedSampling(t *testing.T) {
	longtest.Only(t)
	l := lawsOf(t, "random:2:0:2x3", 2, "linear")
	model := longtest.Sure(estimators.NewFinite(l.task.Case.Annealing()))
	const label, strict = estimators.TiesLabel, estimators.TiesStrict
	const paper, unbiased, exp = estimators.VolumePaper, estimators.VolumeUnbiased, estimators.VolumeExp
	for _, c := range []struct {
		is    estimators.NestedOptions
		claim verdicts.Claim
		found int // the number of estimates in which it is found; 0 where it is right
	}{
		{estimators.NestedOptions{Particles: 10, Ties: label, Volume: paper}, "law:ns:10", 0},
		{estimators.NestedOptions{Particles: 10, Ties: label, Volume: unbiased},
			"law:ns:10:label:unbiased", 0},
		{estimators.NestedOptions{Particles: 10, Ties: strict, Volume: exp}, "law:ns:10:strict:exp", 0},
		{estimators.NestedOptions{Particles: 10, Ties: label, Volume: exp, Last: true},
			"law:ns:10:label:exp:last", 0},
		{estimators.NestedOptions{Particles: 10, Ties: label, Volume: exp, Last: true},
			"law:ns:10:label:exp", 4096},
		{estimators.NestedOptions{Particles: 10, Ties: label, Volume: paper},
			"law:ns:10:label:unbiased", 512},
		{estimators.NestedOptions{Particles: 20, Ties: label, Volume: exp}, "law:ns:10:label:exp", 1024},
	} {
		values := make([]float64, cmp.Or(c.found, longtest.Times(1024, 8000)))
		sampler := chains.NewSampler(rand.NewPCG(5, 6))
		e := longtest.Sure(estimators.NewNested(model, c.is))
		o := Options{
			Estimates:    Estimates{Claim: c.claim, Largest: math.NaN(), Smallest: math.NaN()},
			LogZIncluded: c.is.Volume == unbiased,
		}
		for i := range values {
			values[i] = e.Estimate(sampler)
			if o.LogZIncluded {
				values[i] += l.task.LogZ1
			}
		}
		out := checked(t, l, Input{Estimates: estimates(values...)}, o)
		if out.Fault() != (c.found > 0) {
			t.Errorf("%+v: fault %v after %d estimates: %+v", c, out.Fault(), len(values), out.Results)
		}
		if g := out.Estimates.Guarantees; c.found == 0 &&
			(len(g) < 5 || !(g[3].Low < g[3].Right && g[3].Right < g[3].High)) {
			t.Errorf("%+v: guarantees %+v", c, g)
		}
	}
}

// TestLawValues: an estimate that is not a value of the distribution that is claimed is a fault at
// once, if these can be listed; rounding to six digits is none.
func TestLawValues(t *testing.T) {
	l := lawsOf(t, "cells:0:1:3", 2, "linear")
	a := l.task.Case.Annealing()
	logL := make([]float64, a.States())
	a.LogF(logL, 2)
	rng := rand.New(rand.NewPCG(66, 3))
	values := make([]float64, 500)
	six := make([]float64, 500)
	for i := range values { // the mean likelihood of two uniform draws
		values[i] = math.Log((math.Exp(logL[rng.IntN(3)]) + math.Exp(logL[rng.IntN(3)])) / 2)
		six[i] = float64(float32(values[i]))
	}
	off := slices.Clone(values)
	off[7] += 1e-4
	for _, c := range []struct {
		values []float64
		claim  verdicts.Claim
		says   string
	}{
		{values, "law:lw:K=2", ""}, {six, "law:lw:K=2", ""},
		{off, "law:lw:K=2", "estimate 7 has the logarithm "},
		{values, "law:lw:K=1", "which is not among the 3 values of the claimed distribution"},
	} {
		out := checked(t, l, Input{Estimates: estimates(c.values...)},
			Options{Estimates: Estimates{Claim: c.claim, Largest: math.NaN(), Smallest: math.NaN()}})
		if out.Fault() != (c.says != "") || !strings.Contains(fmt.Sprint(out.Results), c.says) {
			t.Errorf("%s: %+v", c.claim, out.Results)
		}
	}
}

// TestLawRefused: an estimator without settings, one whose distribution is not known, and one that
// the target has not are no claims.
func TestLawRefused(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	for claim, want := range map[verdicts.Claim]string{
		"law:ns": "depends on a setting that the selector does not have, for example K=2; give " +
			"all settings, as in ns:100",
		"law:ns:2:together": "depends on a setting that the selector does not have, for example K=2 M=0; " +
			"give all settings, as in ns:100",
		"law:bic":           "bic",
		"law:ns:1000000000": "takes more than",
		"calibrated":        "it has no column se",
	} {
		longtest.Refuses(l.Check(t.Context(), Input{Estimates: estimates(0)},
			Options{Alpha: DefaultAlpha, Estimates: Estimates{
				Claim:    claim,
				Largest:  math.NaN(),
				Smallest: math.NaN(),
			}}))(t, want, claim)
	}
}

// TestUselessEnds: an end of the range of estimates that a claim does not use is refused, and the
// message names the one that it does.
func TestUselessEnds(t *testing.T) {
	l := smallLaws(t)
	no := math.NaN()
	for _, c := range []struct {
		claim             verdicts.Claim
		largest, smallest float64
		want              string
	}{
		{verdicts.LowerOnAverage, 30, no,
			"does not use the largest possible log_z; it uses the smallest: give smallest"},
		{verdicts.UpperOnAverage, no, -30,
			"does not use the smallest possible log_z; it uses the largest: give largest"},
		{verdicts.Unbiased, 30, -30, "does not use the smallest"},
		{verdicts.ReciprocalUnbiased, 30, no, "does not use the largest"},
		{"within:0.1", 30, no, "it needs neither"}, {verdicts.Upper, no, -30, "it needs neither"},
		{verdicts.LowerOnAverage, math.Inf(1), -30, ""}, {verdicts.UpperOnAverage, 30, math.Inf(-1), ""},
	} {
		_, err := l.Check(t.Context(), Input{Estimates: estimates(0)},
			Options{
				Alpha:     DefaultAlpha,
				Estimates: Estimates{Claim: c.claim, Largest: c.largest, Smallest: c.smallest},
			})
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.claim, err, c.want)
		}
	}
}

// TestCalibrated: standard errors that are right pass, and those that are too small are found.
func TestCalibrated(t *testing.T) {
	l := smallLaws(t)
	const n = 2000
	checked := func(by float64, claim verdicts.Claim) *Outcome {
		rng := rand.New(rand.NewPCG(8, 9))
		b := &draws.Batch{Rows: n}
		for range n {
			se := 0.1 + rng.Float64()
			b.LogZ, b.SE = append(b.LogZ, l.task.LogZRatio()+by*se*rng.NormFloat64()), append(b.SE, se)
		}
		return checked(t, l, Input{Estimates: source(b, draws.Columns{LogZ: true})},
			Options{Estimates: Estimates{Claim: claim, Largest: math.NaN(), Smallest: math.NaN()}})
	}
	for _, c := range []struct {
		by    float64
		claim verdicts.Claim
		fault bool
	}{{1, "calibrated", false}, {1.3, "calibrated", true}, {1.1, "calibrated:0.05", false},
		{1.5, "calibrated:0.05", true}} {
		if out := checked(c.by, c.claim); out.Fault() != c.fault ||
			math.Abs(out.Estimates.Summary.ScoreSD-c.by) > 0.1*c.by {
			t.Errorf("%v, %s: %+v, %+v", c.by, c.claim, out.Results, out.Estimates.Summary)
		}
	}
}

// TestFiveErrorsOfScores: z scores whose mean is off by five standard errors are no pass.
func TestFiveErrorsOfScores(t *testing.T) {
	const n = 2000
	l := smallLaws(t)
	for _, errors := range []float64{0, 4.8, 5.2} {
		b := &draws.Batch{Rows: n}
		for i := range n {
			quantile := float64(2*(i*1237%n)+1)/n - 1 // in no order
			z := errors/math.Sqrt(n) + math.Sqrt2*math.Erfinv(quantile)
			b.LogZ = append(b.LogZ, l.task.LogZRatio()+z)
			b.SE = append(b.SE, 1)
		}
		o := Options{Estimates: Estimates{Claim: "calibrated", Largest: math.NaN(), Smallest: math.NaN()}}
		out := checked(t, l, Input{Estimates: source(b, draws.Columns{LogZ: true})}, o)
		if r := out.Results[0]; r.Fault || strings.Contains(r.Open, "z scores is off by 5.2 ") != (errors > 5) {
			t.Errorf("%v standard errors: %+v", errors, r)
		}
	}
}
