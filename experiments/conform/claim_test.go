package conform

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/experiments/eprocess"
	"breadboard/experiments/samples"
	"breadboard/grid/longtest"
)

func TestClaimForms(t *testing.T) {
	selectortest.Run(t, selectortest.Check[selector.Nothing, Claimed]{
		Set: ClaimForms(), Name: func(c Claimed) string { return string(c.Name) },
		Same: func(a, b Claimed) bool { return a.Name == b.Name && a.Says == b.Says && a.Errors == b.Errors },
	})
	for text, name := range map[eprocess.Claim]eprocess.Claim{
		"within:5e-2": "within:0.05", "within:1:1": "within:1", "within:1:9e-1": "within:1:0.9", "calibrated:0": "calibrated",
		"law:ns:1e2:label:paper": "law:ns:100", "law:ns:7:strict:exp": "law:ns:7:strict:exp",
	} {
		if c, err := ParseClaim(text); err != nil || c.Name != name {
			t.Errorf("%s is %s, %v; want %s", text, c.Name, err, name)
		}
	}
	for text, want := range map[eprocess.Claim]string{
		"within:-1": "give a positive one", "within:1:2": "the probability 2", "within:x": `"x" is no number`, "within:1:x": `"x" is no number`,
		"calibrated:0.5": "from 0 to below 0.25", "law:ns:1": "whole number from 2", "law:nss:3": `unknown estimator "nss:3"`,
	} {
		if _, err := ParseClaim(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// nested is a nested sampler as somebody would write it, with K points, the factor by which the volume shrinks at a death, and bugs.
type nested struct {
	k      int
	kept   float64
	strict bool // a new point is above the dead by its likelihood, and not by its label where likelihoods tie
	bug    string
}

// particle is a point with its label.
type particle struct{ logL, label float64 }

// above reports whether a point is above another.
func (n nested) above(a, b particle) bool {
	return a.logL > b.logL || !n.strict && a.logL == b.logL && a.label > b.label
}

// run returns log Zhat of states that are equally likely under the prior.
func (n nested) run(rng *rand.Rand, logL []float64) float64 {
	top := math.Inf(-1)
	for _, v := range logL {
		top = max(top, v)
	}
	draw := func() particle { return particle{logL[rng.IntN(len(logL))], rng.Float64()} }
	points := make([]particle, n.k)
	for i := range points {
		points[i] = draw()
	}
	z, volume := 0.0, 1.0
	for {
		worst := 0
		for i := range points {
			if points[i].logL < points[worst].logL || points[i].logL == points[worst].logL && points[i].label < points[worst].label {
				worst = i
			}
		}
		dead := points[worst]
		if dead.logL == top {
			break
		}
		z += volume * (1 - n.kept) * math.Exp(dead.logL)
		volume *= n.kept
		for points[worst] = draw(); n.bug != "no threshold" && !n.above(points[worst], dead); {
			points[worst] = draw()
		}
		if n.bug == "no threshold" && points[worst].logL < dead.logL {
			points[worst] = dead // it stays, and dies again
		}
	}
	if n.bug != "no remainder" {
		z += volume * math.Exp(top)
	}
	return math.Log(z)
}

// TestNestedSampling: right nested samplers pass as what they are, by the exact law of log Zhat, and what is wrong with others is found in
// so few estimates as are said here. By chance a right one fails with a probability of at most 1e-6.
func TestNestedSampling(t *testing.T) {
	longtest.NotShort(t)
	l := lawsOf(t, "random:2:0:2x3", 2, "linear")
	a := l.task.Case.Annealing()
	logL, first := make([]float64, a.States()), make([]float64, a.States())
	a.LogF(first, 1)
	a.LogF(logL, 2)
	for x := range logL {
		logL[x] -= first[x]
	}
	const k = 10
	paper, geometric, unbiased := 10./11, math.Exp(-1./10), 0.9
	for _, c := range []struct {
		name    string
		sampler nested
		claim   eprocess.Claim
		found   int // the number of estimates in which it is found; 0 where it is right
	}{
		{"of the paper", nested{k: k, kept: paper}, "law:ns:10", 0},
		{"with geometric means", nested{k: k, kept: geometric}, "law:ns:10:label:exp", 0},
		{"with log Z_1", nested{k: k, kept: unbiased}, "law:ns:10:label:unbiased", 0},
		{"strict", nested{k: k, kept: geometric, strict: true}, "law:ns:10:strict:exp", 0},
		{"one point too many in the shrinkage", nested{k: k, kept: math.Exp(-1. / 11)}, "law:ns:10:label:exp", 512},
		{"1 - 1/(K+1) in place of 1 - 1/K", nested{k: k, kept: paper}, "law:ns:10:label:unbiased", 512},
		{"the remainder is dropped", nested{k: k, kept: geometric, bug: "no remainder"}, "law:ns:10:label:exp", 256},
		{"the threshold is not kept", nested{k: k, kept: geometric, bug: "no threshold"}, "law:ns:10:label:exp", 512},
		{"strict, as if by labels", nested{k: k, kept: geometric, strict: true}, "law:ns:10:label:exp", 512},
		{"twice as many points as are said", nested{k: 2 * k, kept: math.Exp(-1. / 20)}, "law:ns:10:label:exp", 1024},
	} {
		n := c.found
		if n == 0 {
			n = longtest.Times(1024, 8000)
		}
		rng := rand.New(rand.NewPCG(5, 6))
		values := make([]float64, n)
		for i := range values {
			values[i] = c.sampler.run(rng, logL)
		}
		o := Options{Estimates: Estimates{Claim: c.claim, Largest: math.NaN(), Smallest: math.NaN()}, LogZIncluded: c.name == "with log Z_1"}
		if o.LogZIncluded {
			for i := range values {
				values[i] += l.task.LogZ1
			}
		}
		in := Input{Estimates: source(&samples.Batch{Rows: n, LogZ: values}, samples.Columns{LogZ: true})}
		out := checked(t, l, in, o)
		if out.Fault() != (c.found > 0) {
			t.Errorf("%s: fault %v after %d estimates: %+v", c.name, out.Fault(), n, out.Results)
		}
		if g := out.Estimates.Guarantees; c.found == 0 && (len(g) < 5 || !(g[3].Low < g[3].Right && g[3].Right < g[3].High)) {
			t.Errorf("%s: guarantees %+v", c.name, g)
		}
	}
}

// TestLawRefused: an estimator without settings, one whose law is not known, and one that the target has not are no claims.
func TestLawRefused(t *testing.T) {
	longtest.NotShort(t)
	l := smallLaws(t)
	in := func() Input {
		return Input{Estimates: source(&samples.Batch{Rows: 1, LogZ: []float64{0}}, samples.Columns{LogZ: true})}
	}
	for claim, want := range map[eprocess.Claim]string{
		"law:ns":            "depends on a setting, K=2 for example",
		"law:ns:2:together": "depends on a setting, K=2 M=0 for example",
		"law:bic":           "bic",
		"law:ns:1000000000": "takes more than",
		"calibrated":        "it has no column se",
	} {
		_, err := l.Check(t.Context(), in(), Options{Alpha: DefaultAlpha, Estimates: Estimates{Claim: claim, Largest: math.NaN(), Smallest: math.NaN()}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", claim, err, want)
		}
	}
}

// TestCalibrated: standard errors that are right pass, and those that are too small are found.
func TestCalibrated(t *testing.T) {
	l := smallLaws(t)
	const n = 2000
	checked := func(by float64, claim eprocess.Claim) *Outcome {
		rng := rand.New(rand.NewPCG(8, 9))
		b := &samples.Batch{Rows: n}
		for range n {
			se := 0.1 + rng.Float64()
			b.LogZ, b.SE = append(b.LogZ, l.task.LogZRatio()+by*se*rng.NormFloat64()), append(b.SE, se)
		}
		return checked(t, l, Input{Estimates: source(b, samples.Columns{LogZ: true, SE: true})}, Options{Estimates: Estimates{Claim: claim}})
	}
	if out := checked(1, "calibrated"); out.Fault() || math.Abs(out.Estimates.Summary.ScoreSD-1) > 0.1 {
		t.Errorf("%+v, %+v", out.Results, out.Estimates.Summary)
	}
	if out := checked(1.3, "calibrated"); !out.Fault() {
		t.Errorf("%+v", out.Results)
	}
	if out := checked(1.1, "calibrated:0.05"); out.Fault() {
		t.Errorf("%+v", out.Results)
	}
	if out := checked(1.5, "calibrated:0.05"); !out.Fault() {
		t.Errorf("%+v", out.Results)
	}
}
