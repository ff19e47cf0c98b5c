package crosscheck_test

import (
	"context"
	"sync/atomic"
	"testing"

	"breadboard/experiments/crosscheck"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid/longtest"
)

// TestProgressAddsUp: the laws report as many steps as LawSteps says, and the run as many batteries as there are.
func TestProgressAddsUp(t *testing.T) {
	longtest.NotShort(t)
	cases := casetest.MustCases(t, casetest.Selection([]int{3, 4}, "random:1:0:2x2"))
	var solved, tested atomic.Int64
	p, err := crosscheck.Prepare(context.Background(), cases, nil, crosscheck.Options{Alpha: 1e-6, Chains: 256, Seed: 1, Solved: func(n int) { solved.Add(int64(n)) }})
	if err != nil {
		t.Fatal(err)
	}
	o, err := p.Run(context.Background(), func(n int) { tested.Add(int64(n)) })
	if err != nil {
		t.Fatal(err)
	}
	if int(solved.Load()) != crosscheck.LawSteps(2) || int(tested.Load()) != p.Batteries() || len(o.Batteries) != p.Batteries() {
		t.Errorf("%d steps of %d, and %d batteries of %d", solved.Load(), crosscheck.LawSteps(2), tested.Load(), p.Batteries())
	}
}
