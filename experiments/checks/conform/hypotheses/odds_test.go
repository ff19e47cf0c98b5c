package hypotheses

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// TestTogether compares the posteriors of both directions with a sum over all programs, one by one:
// which bug it is, and where.
func TestTogether(t *testing.T) {
	odds := func(logs map[string]float64, names ...string) (out []Odds) {
		for _, name := range names {
			out = append(out, Odds{Name: name, log: logs[name]})
		}
		return out
	}
	f := odds(map[string]float64{Specification: -10, "a": -9, AfterMove: -8.5, "here": -11, OneStream: -9.75,
		Unknown: -9.5}, Specification, "a",
		AfterMove, "here", OneStream, Unknown)
	r := odds(map[string]float64{Specification: -20, "a": -20.5, BeforeMove: -19, OneStream: -19.75,
		Unknown: math.Inf(-1)}, Specification, "a",
		BeforeMove, OneStream, Unknown)
	const dependent = 0.25 // the log odds that f and r have of OneStream
	likely := func(forward, reverse string) float64 {
		if forward == OneStream && reverse == OneStream {
			return math.Exp(-10 - 20 + dependent)
		}
		var a, b float64
		for _, o := range f {
			if o.Name == forward {
				a = o.log
			}
		}
		for _, o := range r {
			if o.Name == reverse {
				b = o.log
			}
		}
		return math.Exp(a + b)
	}
	// Each bug has the same probability; those of both directions are in both, or in one of them.
	pairs := map[[2]string]float64{}
	prior := 0.0
	add := func(forward, reverse string, p float64) {
		pairs[[2]string{forward, reverse}] += p * likely(forward, reverse)
		prior += p
	}
	const each = 0.999 / 6 // the specification, a, the side of the move, here, one stream, unknown
	add(Specification, Specification, each)
	add(OneStream, OneStream, each)
	add("here", Specification, each)
	for _, bug := range [][2]string{{"a", "a"}, {AfterMove, BeforeMove}, {Unknown, Unknown}} {
		add(bug[0], bug[1], each/2)
		add(bug[0], Specification, each/4)
		add(Specification, bug[1], each/4)
	}
	for _, a := range f { // two bugs
		for _, b := range r {
			if a.Name != OneStream && b.Name != OneStream {
				add(a.Name, b.Name, 0.001/20)
			}
		}
	}
	if math.Abs(prior-1) > 1e-12 {
		t.Errorf("the prior adds up to %v", prior)
	}
	total := 0.0
	for _, p := range pairs {
		total += p
	}
	gotF, gotR := Together(f, r)
	for side, got := range [][]Odds{gotF, gotR} {
		sum := 0.0
		for i, o := range got {
			want := 0.0
			for pair, p := range pairs {
				if pair[side] == o.Name {
					want += p / total
				}
			}
			sum += o.Posterior
			if math.Abs(o.Posterior-want) > 1e-12 || i > 0 && o.Posterior > got[i-1].Posterior {
				t.Errorf("side %d, %q: %v, want %v", side, o.Name, o.Posterior, want)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("side %d: the posteriors add up to %v", side, sum)
		}
	}
}

// TestAgainstHasMeanOneAtMost sums the e-value against each hypothesis over all cells of one chain
// and, for some, of two, under that hypothesis itself. Which hypotheses lead depends on the chains.
func TestAgainstHasMeanOneAtMost(t *testing.T) {
	longtest.Only(t)
	p := taskOf(t, "random:2:1:2x2", "linear", "metropolis", 2, chains.Forward)
	p.Columns = Columns{Last: true, LogW: true}
	s := setOf(t, p)
	tally := s.NewTally(rand.NewPCG(1, 2))
	one, two := make([]float64, len(s.laws)), make([]float64, len(s.laws))
	laws := make([][]float64, len(s.laws))
	for h, l := range s.laws {
		laws[h] = l.dense(s.cells(), 0)
	}
	add := func(total []float64, of func(h int) float64) {
		for _, o := range tally.Odds() {
			if h := slices.Index(s.Names, o.Name); h >= 0 && of(h) > 0 {
				total[h] += of(h) * math.Exp(o.LogE)
			}
		}
	}
	var cells []int32
	for cell := range s.laws[0].all() {
		cells = append(cells, cell)
	}
	for a := range s.cells() {
		tally.counts[a]++
		tally.Chains = 1
		add(one, func(h int) float64 { return laws[h][a] })
		if slices.Contains(cells, int32(a)) {
			for _, b := range cells {
				tally.counts[b]++
				tally.Chains = 2
				add(two, func(h int) float64 { return laws[h][a] * laws[h][b] })
				tally.counts[b]--
			}
		}
		tally.counts[a]--
	}
	for h, name := range s.Names {
		if !(one[h] <= 1+1e-12) || !(two[h] <= 1+1e-12) || one[h] < 0.4 {
			t.Errorf("%s: the e-value has the mean %v for one chain and %v for two", name, one[h], two[h])
		}
	}
}

// TestLead: the posterior odds of a name are those of all that the chains cannot tell from it,
// against all others but Unknown, and against Unknown.
func TestLead(t *testing.T) {
	of := func(unknown, other float64) []Odds {
		rest := 1 - unknown - other
		return []Odds{
			{Name: "a", LogPosterior: math.Log(0.75 * rest)}, {
				Name:         "b",
				LogPosterior: math.Log(0.25 * rest),
			}, {Name: Unknown, LogPosterior: math.Log(unknown)},
			{Name: Specification, LogPosterior: math.Log(0.75 * other)},
			{Name: "c", LogPosterior: math.Log(0.25 * other)},
		}
	}
	for _, c := range []struct {
		unknown, other float64
		enough         bool
	}{{0.01, 0.01, true}, {0.047, 0.001, true}, {0.001, 0.047, true}, {0.048, 0.001, false},
		{0.001, 0.048, false}, {0.4, 0.4, false}} {
		lead := LeadOf(of(c.unknown, c.other), []string{"a", "b"})
		rest := 1 - c.unknown - c.other
		if math.Abs(lead.Unknown-math.Log(rest/c.unknown)) > 1e-12 ||
			math.Abs(lead.Others-math.Log(rest/c.other)) > 1e-12 ||
			lead.Enough(verdicts.EnoughLead) != c.enough {
			t.Errorf("%+v: %+v, enough: %v", c, lead, lead.Enough(verdicts.EnoughLead))
		}
	}
	if lead := LeadOf([]Odds{{Name: "a"}}, []string{"a"}); !math.IsInf(lead.Others, 1) ||
		!math.IsInf(lead.Unknown, 1) || !lead.Enough(verdicts.EnoughLead) {
		t.Errorf("against nothing: %+v", lead)
	}
}
