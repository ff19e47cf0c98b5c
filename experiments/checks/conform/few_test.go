package conform

import (
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// TestFewChains: every test of right chains is open if they are fewer than find a gross fault, with
// the number of chains that decide, and passes with that number. A right chain with one column
// passed as one of any distribution.
func TestFewChains(t *testing.T) {
	l := smallLaws(t)
	columns := []draws.Columns{{LogW: true}, {XFirst: true}, {XLast: true}, short}
	if !longtest.Enabled() {
		columns = columns[2:3]
	}
	for _, c := range columns {
		decide := 1
		for _, n := range []int{1, 40, 200} {
			out := checked(t, l, Input{Forward: source(drawn(t, l.task, chains.Forward, n, 3), c)}, Options{})
			for _, r := range out.Results {
				if r.Found().Verdict != check.Open || !(r.Decides > float64(n)) {
					t.Errorf("%+v, %d chains, %s: %s, decided by %v", c, n, r.Test, r.Found().Verdict, r.Decides)
				}
				decide = int(r.Decides)
			}
		}
		for _, n := range []int{decide - 1, decide} {
			out := checked(t, l, Input{Forward: source(drawn(t, l.task, chains.Forward, n, 3), c)}, Options{})
			open := slices.ContainsFunc(out.Results, func(r Result) bool { return r.Found().Verdict != check.Pass })
			if open != (n < decide) {
				t.Errorf("%+v, %d chains of %d that decide: open %v", c, n, decide, open)
			}
		}
	}
}

// TestFewMoves: single moves are open in the same way.
func TestFewMoves(t *testing.T) {
	l := smallLaws(t)
	b := drawn(t, l.task, chains.Forward, longtest.Times(1500, 3000), 3)
	last := len(b.Path) - 1
	all := &draws.Batch{Rows: b.Rows, Beta: slices.Repeat([]float64{1}, b.Rows), From: b.Path[last-1], To: b.Path[last]}
	moves := func(n int) Result {
		in := Input{Moves: source(all, draws.Columns{})}
		return checked(t, l, in, Options{Chains: n}).Results[0]
	}
	few := moves(1)
	if few.Found().Verdict != check.Open || !(few.Decides > 1) {
		t.Errorf("one move: %+v", few)
	}
	if most := moves(b.Rows); most.Found().Verdict != check.Pass {
		t.Errorf("%d moves: %+v", b.Rows, most)
	}
}
