package hypotheses

import (
	"math"
	"testing"
)

// TestTogether compares the posteriors of both directions with a sum over all programs, one by one: which bug it is, and where.
func TestTogether(t *testing.T) {
	odds := func(logs map[string]float64, names ...string) (out []Odds) {
		for _, name := range names {
			out = append(out, Odds{Name: name, log: logs[name]})
		}
		return out
	}
	f := odds(map[string]float64{Specification: -10, "a": -9, AfterMove: -8.5, "here": -11, OneStream: -9.75, Unknown: -9.5}, Specification, "a", AfterMove, "here", OneStream, Unknown)
	r := odds(map[string]float64{Specification: -20, "a": -20.5, BeforeMove: -19, OneStream: -19.75, Unknown: math.Inf(-1)}, Specification, "a", BeforeMove, OneStream, Unknown)
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
	pairs, prior := map[[2]string]float64{}, 0.0
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
			if sum += o.Posterior; math.Abs(o.Posterior-want) > 1e-12 || i > 0 && o.Posterior > got[i-1].Posterior {
				t.Errorf("side %d, %q: %v, want %v", side, o.Name, o.Posterior, want)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("side %d: the posteriors add up to %v", side, sum)
		}
	}
}
