package pair

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// TestChoiceByEnumeration: the conditional probability of which values are reverse is a product
// over its sum over all choices, for any relation, also far from zero.
func TestChoiceByEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, m := 1+rng.IntN(5), 1+rng.IntN(5)
		scale := math.Exp(6*rng.Float64() - 2)
		shift := 1000 * rng.NormFloat64()
		all := make([]float64, n+m)
		for i := range all {
			all[i] = shift + scale*rng.NormFloat64()
		}
		odds := func(l float64) float64 { return -0.5*(l-shift) + 0.1*(l-shift)*(l-shift)/scale }
		var logs []float64
		for set := range 1 << (n + m) {
			sum, size := 0.0, 0
			for i, l := range all {
				if set>>i&1 == 1 {
					sum += odds(l)
					size++
				}
			}
			if size == m {
				logs = append(logs, sum)
			}
		}
		want := -number.LogSumExp(logs)
		for _, l := range all[n:] {
			want += odds(l)
		}
		got := block{all[:n], all[n:]}.logLikelihood(odds)
		if math.Abs(got-want) > 1e-11*(1+math.Abs(want)) {
			t.Errorf("n = %d, m = %d: %v, by enumeration %v", n, m, got, want)
		}
	}
}

// drawn returns chains of a case in one direction.
func drawn(t *testing.T, c *subject.Case, d chains.Direction, n int, stream string) []float64 {
	t.Helper()
	b := longtest.Must(simulate.Rows(c.Annealing(), d, simulate.ChainStream(1, stream, d, 0), n, nil))(t)
	return b.LogW
}

// answer asks the study.
func answer(t *testing.T, on []subject.Case, forward, reverse []float64, logZ float64) Row {
	t.Helper()
	rows, err := study.Run(t.Context(), Study(), on, Options{forward, reverse, logZ}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	return rows[0]
}

func caseOf(t *testing.T, toy string, T int) subject.Case {
	return casetest.MustCases(t, casetest.Selection([]int{T}, toy))[0]
}

// TestRightPairs: right log weights are never a fault, and with a thousand of them on each side
// they pass. Means, B and BAR are within five standard errors of their exact values. A false alarm
// of any pair has a probability below 1e-3.
func TestRightPairs(t *testing.T) {
	pairs := 2
	if longtest.Enabled() {
		pairs = 200
	}
	nan := math.NaN()
	for _, of := range []struct {
		toy string
		T   int
	}{{"easy", 10}, {"random:2:1:3x3", 4}, {"barrier", 100}} {
		c := caseOf(t, of.toy, of.T)
		for i := range pairs {
			stream := fmt.Sprint("right ", i)
			r := answer(t, []subject.Case{c}, drawn(t, &c, chains.Forward, 400, stream),
				drawn(t, &c, chains.Reverse, 300, stream), nan)
			if n := check.Count(r.Findings); n.Fault > 0 {
				t.Errorf("%s, pair %d: %+v", of.toy, i, r.Findings)
			}
			for _, got := range []struct {
				name        string
				value, want float64
				se          float64
			}{
				{"lower", r.Lower.Value, r.Exact.MeanLogWForward, r.Lower.StandardError},
				{"upper", r.Upper.Value, r.Exact.MeanLogWReverse, r.Upper.StandardError},
				{"B", r.B.Value, r.Exact.B, r.B.StandardError},
				{"BAR", r.BAR.Value, r.Exact.LogZRatio, r.BAR.StandardError},
			} {
				if math.Abs(got.value-got.want) > 5.5*got.se {
					t.Errorf("%s, pair %d: %s is %v, exactly %v, with a standard error of %v", of.toy, i, got.name,
						got.value, got.want, got.se)
				}
			}
		}
	}
	c := caseOf(t, "easy", 10)
	r := answer(t, nil, drawn(t, &c, chains.Forward, 1000, ""), drawn(t, &c, chains.Reverse, 1000, ""), nan)
	if f := r.Findings[0]; f.Verdict != check.Pass || f.Where != "a constant of 1 nats in one of the files would be found" {
		t.Errorf("a thousand on each side: %+v", f)
	}
}

// TestWrongPairs: mistakes are found and named, or are open; none passes.
func TestWrongPairs(t *testing.T) {
	easy := caseOf(t, "easy", 10)
	other := caseOf(t, "easy", 100)
	hard := caseOf(t, "random:2:1:3x3", 10)
	const n = 2500
	forward, reverse := drawn(t, &easy, chains.Forward, n, ""), drawn(t, &easy, chains.Reverse, n, "")
	changed := func(sign, by float64) []float64 { return tested{reverse: reverse}.changed(sign, by).reverse }
	narrow := func(at float64) []float64 {
		l := make([]float64, 100)
		for i := range l {
			l[i] = at + 0.001*float64(i%7)
		}
		return l
	}
	inf := math.Inf(1)
	nan := math.NaN()
	for name, c := range map[string]struct {
		forward, reverse []float64
		logZ             float64
		at               int
		want             check.Verdict
		where            string
	}{
		"other sign":             {forward, changed(-1, 0), nan, 0, check.Fault, "have the other sign"},
		"exchanged":              {reverse, forward, nan, 0, check.Fault, "the files are exchanged"},
		"a constant":             {forward, changed(1, 1), nan, 0, check.Fault, "too large by a constant of about"},
		"a far constant":         {forward, changed(1, 300), nan, 0, check.Open, "hardly overlap"},
		"another T":              {forward, drawn(t, &other, chains.Reverse, n, ""), nan, 0, check.Fault, ""},
		"another target":         {forward, drawn(t, &hard, chains.Reverse, n, ""), nan, 0, check.Open, "more chains decide"},
		"one direction":          {forward, forward[n/2:], nan, 0, check.Fault, ""},
		"few":                    {forward[:3], reverse[:3], nan, 0, check.Open, "hardly overlap"},
		"narrow, and a constant": {narrow(0), narrow(1), nan, 0, check.Fault, "constant of about 1 nats"},
		"log Z":                  {forward, reverse, 2.5, 1, check.Fault, "log Z is 2.5"},
		"a weight of zero":       {forward, []float64{1, 2, -inf}, nan, 0, check.Fault, "is -Inf"},
		"an infinite weight":     {[]float64{1, inf}, reverse, nan, 0, check.Fault, "is +Inf"},
		"no weight":              {[]float64{-inf, -inf}, reverse, nan, 0, check.Open, ""},
	} {
		f := answer(t, nil, c.forward, c.reverse, c.logZ).Findings[c.at]
		if f.Verdict != c.want || !strings.Contains(f.Where, c.where) {
			t.Errorf("%s: %+v, want %s with %q", name, f, c.want, c.where)
		}
	}
	r := answer(t, []subject.Case{other}, forward, reverse, nan)
	for _, f := range r.Findings[2:] {
		if f.Verdict != check.Open {
			t.Errorf("exact values of another T: %+v", f)
		}
	}
}

// TestEValuesAverageOne: over all choices of which values are reverse, with their probabilities,
// the mean of the e-value is one.
func TestEValuesAverageOne(t *testing.T) {
	all := []float64{-1, 0.3, 0.5, 2, 2, 4.5, 7}
	for m := 1; m < len(all); m++ {
		var logs []float64
		for set := range 1 << len(all) {
			var forward, reverse []float64
			for i, l := range all {
				if set>>i&1 == 1 {
					reverse = append(reverse, l)
				} else {
					forward = append(forward, l)
				}
			}
			if len(reverse) != m {
				continue
			}
			e := newExchange(forward, reverse)
			logE, _, _, err := e.logE(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			logs = append(logs, logE+e.logLikelihood(alternative{}))
		}
		if mean := number.LogSumExp(logs); math.Abs(mean) > 1e-11 {
			t.Errorf("%d reverse values: the log of the mean e-value is %v", m, mean)
		}
	}
}

// TestBetsAverageOne: for the right R the mean of what a bet returns is one, over two groups of
// forward and reverse values whose probabilities Crooks's relation ties.
func TestBetsAverageOne(t *testing.T) {
	values := []float64{-1, 0, 0.5, 2}
	p := []float64{0.3, 0.4, 0.2, 0.1}
	r := 0.0
	for i, l := range values {
		r += p[i] * math.Exp(l)
	}
	mean := 0.0
	for set := range 1 << 8 { // two forward and two reverse values
		at := func(k int) int { return set >> (2 * k) & 3 }
		forward, reverse := []float64{values[at(0)], values[at(1)]}, []float64{values[at(2)], values[at(3)]}
		weight := p[at(0)] * p[at(1)] * p[at(2)] * p[at(3)] * math.Exp(reverse[0]+reverse[1]) / r / r
		b := &balance{points: []float64{0.7}}
		for _, side := range []struct {
			of   []float64
			sign float64
			to   *[][]float64
		}{{forward, 1, &b.forward}, {reverse, -1, &b.reverse}} {
			*side.to = [][]float64{{1 / (1 + math.Exp(side.sign*(0.7-side.of[0]))),
				1 / (1 + math.Exp(side.sign*(0.7-side.of[1])))}}
		}
		mean += weight * math.Exp(b.logE(math.Log(r)))
	}
	if math.Abs(mean-1) > 1e-13 {
		t.Errorf("the mean e-value is %v", mean)
	}
}

// TestRefusals: what cannot be used is refused with the number of log weights.
func TestRefusals(t *testing.T) {
	ok := []float64{0, 1}
	for _, o := range []Options{
		{nil, ok, math.NaN()}, {ok, []float64{1}, math.NaN()}, {ok, []float64{1, math.NaN()}, math.NaN()},
		{ok, ok, math.Inf(1)}, {make([]float64, Most+1), ok, math.NaN()},
	} {
		if _, err := study.Run(t.Context(), Study(), nil, o, study.How{}); err == nil {
			t.Errorf("%d and %d log weights, log Z %v: no error", len(o.Forward), len(o.Reverse), o.LogZ)
		}
	}
	r := answer(t, nil, []float64{5, 5}, []float64{5, 5}, 5)
	if math.Abs(r.BAR.Value-5) > 1e-9 || r.B.Value != 0 {
		t.Errorf("equal log weights: %+v", r)
	}
}
