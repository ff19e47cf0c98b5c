package draws

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/draws/codes"
	"breadboard/experiments/forms"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// importance draws states by a proposal, with the weights of a distribution.
type importance struct {
	p, q []float64
	// multiplies a weight by something with a mean of one; nil for weights that are of the state
	// alone
	hidden func(*rand.Rand) float64
	wrong  func(x int, w float64) float64
}

// outcome tests that many weighted draws.
func (s importance) outcome(t *testing.T, n int, alpha float64, seed uint64) *Outcome {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	text := strings.Builder{}
	text.WriteString("state,log_w\n")
	for range n {
		x := 0
		u := random.Float64()
		for u >= s.q[x] && x < len(s.q)-1 {
			u -= s.q[x]
			x++
		}
		w := s.p[x] / s.q[x]
		if s.hidden != nil {
			w *= s.hidden(random)
		}
		if s.wrong != nil {
			w = s.wrong(x, w)
		}
		fmt.Fprintf(&text, "%d,%v\n", x, strings.ReplaceAll(fmt.Sprint(math.Log(w)+700), "-Inf", "-inf"))
	}
	path := longtest.File(t, "draws.csv", text.String())
	law := lawOf(s.p)
	r := longtest.Must(law.Codes.Open(t.Context(), path))(t)
	defer r.Close()
	return longtest.Must(Check(t.Context(), law, []*codes.Reader{r}, Options{Alpha: alpha}))(t)
}

// proposals returns a distribution of five states and proposals for it, one of which hardly ever
// draws a state that holds 0.3 of the distribution.
func proposals() map[string]importance {
	p := []float64{0.4, 0.3, 0.2, 0.06, 0.04}
	flat := []float64{0.2, 0.2, 0.2, 0.2, 0.2}
	rare := []float64{0.4, 1e-4, 0.2999, 0.2, 0.1}
	twoThirds := func(r *rand.Rand) float64 { // zero now and then
		if r.IntN(3) == 0 {
			return 0
		}
		return 1.5
	}
	spread := func(s float64) func(r *rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return math.Exp(s*r.NormFloat64() - s*s/2) }
	}
	return map[string]importance{
		"flat": {p: p, q: flat}, "itself": {p: p, q: p}, "rare": {p: p, q: rare},
		"zeros":      {p: p, q: flat, hidden: twoThirds},
		"uniform":    {p: p, q: flat, hidden: func(r *rand.Rand) float64 { return 2 * r.Float64() }},
		"normal 0.3": {p: p, q: flat, hidden: spread(0.3)}, "normal 1": {p: p, q: flat, hidden: spread(1)},
		"normal 3": {p: p, q: flat, hidden: spread(3)},
	}
}

// TestRightWeights: right draws with weights are no fault, whatever the proposal, at an alpha at
// which some would be by chance: at most one in twenty.
func TestRightWeights(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	const n, alpha = 400, 0.05
	times := longtest.Times(60, 2000)
	for name, s := range proposals() {
		alarms := 0
		for seed := range times {
			if o := s.outcome(t, n, alpha, uint64(seed)); o.Fault != "" {
				alarms++
			}
		}
		if mean := alpha * float64(times); float64(alarms) > mean+4*math.Sqrt(mean) {
			t.Errorf("%s: %d alarms in %d", name, alarms, times)
		}
	}
}

// TestWrongWeights: weights that are forgotten, inverted, squared or wrong for one state are a
// fault, with weights of the state alone and with others; draws that need no weights are
// recognised.
func TestWrongWeights(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]func(x int, w float64) float64{
		"forgotten": func(int, float64) float64 { return 1 },
		"inverted":  func(_ int, w float64) float64 { return 1 / (w + 0.1) },
		"squared":   func(_ int, w float64) float64 { return w * w },
		"one": func(x int, w float64) float64 {
			if x == 1 {
				return 1.3 * w
			}
			return w
		},
	} {
		for _, proposal := range []string{"flat", "uniform"} {
			if proposal == "flat" && name != "one" && !longtest.Enabled() {
				continue
			}
			s := proposals()[proposal]
			s.wrong = wrong
			if o := s.outcome(t, 20000, 1e-6, 1); o.Fault == "" {
				t.Errorf("%s, %s: %+v", name, proposal, o.Findings)
			}
		}
	}
	s := proposals()["itself"]
	s.wrong = func(x int, _ float64) float64 { return float64(1 + x) }
	if o := s.outcome(t, 20000, 1e-6, 1); !strings.Contains(
		o.Fault,
		"without weights the draws have the distribution",
	) {
		t.Error(o.Fault)
	}
}

// TestUndecidedWeights: if larger weights may be yet to come, or likely states, there is no
// verdict; impossible states that have a weight are a fault, and those of weight zero are none.
func TestUndecidedWeights(t *testing.T) {
	t.Parallel()
	all := proposals()
	for name, says := range map[string]string{"rare": "states with 0.3 of the probability were not drawn",
		"normal 3": "of the weights are near the largest"} {
		if o := all[name].outcome(t, 1000, 1e-6, 2); o.Fault != "" || !strings.Contains(o.Excluded, says) {
			t.Errorf("%s: %q, %q", name, o.Fault, o.Excluded)
		}
	}
	// A state of probability 0.06 that is never drawn: with few draws that is less than would be
	// found, and the rest is said; with many it leaves no verdict.
	never := importance{p: all["flat"].p, q: []float64{0.25, 0.25, 0.25, 0, 0.25}}
	for n, says := range map[int]string{1000: "the others have 0.06 of the probability together",
		20000: "states with 0.06 of the probability were not drawn"} {
		if o := never.outcome(t, n, 1e-6, 4); o.Fault != "" || !strings.Contains(o.Excluded, says) {
			t.Errorf("a state that %d draws never find: %q, %q", n, o.Fault, o.Excluded)
		}
	}
	s := importance{p: []float64{0.5, 0.5, 0}, q: []float64{0.3, 0.3, 0.4}}
	if o := s.outcome(t, 5000, 1e-6, 3); o.Fault != "" || o.Draws != 5000 || o.Weights.Effective > 3300 {
		t.Errorf("%+v", o)
	}
	s.wrong = func(x int, w float64) float64 { return w + 0.001 }
	if o := s.outcome(t, 5000, 1e-6, 3); !strings.Contains(
		o.Fault,
		"state 2 has probability zero, but is drawn with a weight in row",
	) {
		t.Error(o.Fault)
	}
}

// TestFiveErrorsOfWeights: shares that are off by five standard errors are no pass. Of a state that
// is drawn three times instead of ten no standard error can be told.
func TestFiveErrorsOfWeights(t *testing.T) {
	for _, c := range []struct {
		p0, q0, errors float64
		begins         check.Verdict
	}{{0.5, 2 / 3.0, 4.8, check.Pass}, {0.5, 2 / 3.0, -5.1, check.Open}, {0.5, 2 / 3.0, 5.1, check.Open},
		{0.5, 2 / 3.0, 8, check.Fault}, {0.001, 0.0005, -2.2, check.Pass}} {
		const n = 20_000
		text := strings.Builder{}
		zeros := int(math.Round(n*c.q0 + c.errors*math.Sqrt(n*c.q0*(1-c.q0))))
		text.WriteString("state,weight\n")
		rng := rand.New(rand.NewPCG(3, 1))
		for _, i := range rng.Perm(n) {
			if i < zeros {
				fmt.Fprintf(&text, "0,%v\n", c.p0/c.q0)
			} else {
				fmt.Fprintf(&text, "1,%v\n", (1-c.p0)/(1-c.q0))
			}
		}
		law := lawOf([]float64{c.p0, 1 - c.p0})
		r := longtest.Must(law.Codes.Stream(t.Context(), "weighted", strings.NewReader(text.String())))(t)
		out := longtest.Must(Check(t.Context(), law, []*codes.Reader{r}, Options{Alpha: 1e-6}))(t)
		if got := out.Findings[0]; got.Verdict != c.begins {
			t.Errorf("%+v: %v, %v; %s", c, got.Verdict, out.Weights.States[0], got.Where)
		}
	}
}

// TestOpenPart: a test that is open by itself leaves the average open, with its name.
func TestOpenPart(t *testing.T) {
	w := &verdicts.Watch{Name: "all", LogThreshold: math.Log(1e6)}
	values := []Value{{Name: "one", LogE: 13}, {Name: "two"}}
	w.LogE = logMean(values)
	if list, says := Findings(w, values, "3 rows", "", "", "much"); list[0].Verdict != check.Open ||
		list[1].Name != "one" || !strings.HasPrefix(says, "one: ") {
		t.Errorf("%v, %q", list, says)
	}
}

// TestFiveErrorsOfWeightedMeans: draws with two weights, of which a variable is off by six standard
// errors, are open, though the share of no state is as far; right ones pass.
func TestFiveErrorsOfWeightedMeans(t *testing.T) {
	law := longtest.Must(OfToy(longtest.Must(forms.All().Parse("ising:2x3:0.3"))(t)))(t)
	for field, open := range map[float64]bool{0: false, 0.06: true} {
		p := slices.Clone(law.P)
		for x := range p {
			p[x] *= math.Exp(field * float64(x>>2&1))
			p[x] *= math.Exp(-field * float64(1-x>>2&1))
		}
		normal(p)
		rng := rand.New(rand.NewPCG(12, 1))
		d := &weighted{Law: law}
		for _, x := range independent(p, 20_000, rng) {
			d.states, d.logs = append(d.states, int32(x)), append(d.logs, -float64(rng.IntN(2)))
		}
		if far := d.farShare(); open != strings.HasPrefix(far, "the mean of ") || !open && far != "" {
			t.Errorf("field %v: %q", field, far)
		}
	}
}
