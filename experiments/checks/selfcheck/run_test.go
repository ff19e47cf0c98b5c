package selfcheck_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/experiments/checks/selfcheck"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid/longtest"
)

// TestDrawsOfCrossCheck: on right code single moves go to twice as many draws as there are chains,
// and every other test of chains to as many; the cases beside get an eighth of both, rounded up.
func TestDrawsOfCrossCheck(t *testing.T) {
	longtest.Only(t)
	const n = 1001
	cases, beside := casetest.MustCases(t, casetest.Selection([]int{3}, "random:1:1:2x2")), casetest.MustCases(t, casetest.Selection([]int{4}, "random:1:1:2x2"))
	r := longtest.Must(selfcheck.Run(context.Background(), cases, beside, selfcheck.Options{Alpha: 1e-6, Chains: n, Seed: 1}))(t)
	seen := map[string]int{}
	for _, b := range r.Batteries {
		part := 1
		if b.Case == 1 {
			part = 8
		}
		for _, test := range b.Results {
			want, kind := (n+part-1)/part, "chains"
			switch {
			case strings.HasPrefix(test.Test, "kernel rows") || strings.HasPrefix(test.Test, "moves at"):
				want, kind = (2*n+part-1)/part, "moves"
			case !strings.HasSuffix(test.Test, " x_1") && !strings.HasSuffix(test.Test, " x_T"):
				continue // of calls, which come in blocks
			}
			seen[kind]++
			if test.Draws != want {
				t.Errorf("%s, %s: %d draws, want %d", b.Simulation, test.Test, test.Draws, want)
			}
		}
	}
	if seen["chains"] < 4 || seen["moves"] < 4 {
		t.Errorf("%v tests are looked at", seen)
	}
}

// TestProgressAddsUp: the distributions report as many steps as LawSteps says, and the run as many
// batteries as there are.
func TestProgressAddsUp(t *testing.T) {
	longtest.Only(t)
	cases := casetest.MustCases(t, casetest.Selection([]int{3, 4}, "random:1:0:2x2"))
	var solved, tested atomic.Int64
	p := longtest.Must(selfcheck.Prepare(context.Background(), cases, nil,
		selfcheck.Options{Alpha: 1e-6, Chains: 256, Seed: 1, Solved: func(n int) { solved.Add(int64(n)) }}))(t)
	o := longtest.Must(p.Run(context.Background(), func(n int) { tested.Add(int64(n)) }))(t)
	if int(solved.Load()) != selfcheck.LawSteps(2) || int(tested.Load()) != p.Batteries() || len(o.Batteries) != p.Batteries() {
		t.Errorf("%d steps of %d, and %d batteries of %d", solved.Load(), selfcheck.LawSteps(2), tested.Load(), p.Batteries())
	}
}
