package evidence_test

import (
	"context"
	"sync/atomic"
	"testing"

	"breadboard/experiments/evidence"
	"breadboard/experiments/internal/casetest"
)

// TestProgressAddsUp: the steps that are reported add up to those that are said, which grow with the work of an estimate.
func TestProgressAddsUp(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "random:1:0:2x2"))
	p, err := evidence.Prepare(context.Background(), cases, evidence.Options{Estimators: []string{"lw", "ais"}, Work: []float64{10, 40}, Trials: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	var steps atomic.Int64
	if _, err := p.Run(context.Background(), func(n int) { steps.Add(int64(n)) }); err != nil || int(steps.Load()) != p.Steps() || p.Steps() < 50 {
		t.Errorf("%d steps, want %d; %v", steps.Load(), p.Steps(), err)
	}
}
