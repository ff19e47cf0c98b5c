package evidence_test

import (
	"context"
	"sync/atomic"
	"testing"

	"breadboard/experiments/evidence"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
)

// TestProgressAddsUp: the steps that are reported add up to those that are said, which grow with the work of an estimate.
func TestProgressAddsUp(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "random:1:0:2x2"))
	p, err := evidence.Study().Plan(context.Background(), cases, &evidence.Options{Estimators: []string{"lw", "ais", "mf", "ns:2"}, Work: []float64{10, 40}, Trials: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	var steps atomic.Int64
	if _, err := p.Run(context.Background(), study.How{Progress: func(n int) { steps.Add(int64(n)) }, Figures: true}); err != nil || int(steps.Load()) != p.Steps || p.Steps != 200 {
		t.Errorf("%d steps, want %d; %v", steps.Load(), p.Steps, err)
	}
}
