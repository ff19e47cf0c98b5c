package aide_test

import (
	"context"
	"sync/atomic"
	"testing"

	"breadboard/experiments/aide"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestProgressAddsUp: whichever algorithms are compared, the steps that are reported add up to those that are said.
func TestProgressAddsUp(t *testing.T) {
	longtest.NotShort(t)
	cases := casetest.MustCases(t, casetest.Selection([]int{3, 4}, "random:1:0:2x2"))
	for _, pair := range [][2]string{{"ais", "exact"}, {"ais", "ais"}, {"mh:2", "exact"}} {
		var steps atomic.Int64
		plan, err := aide.Study().Plan(context.Background(), cases, &aide.Options{Target: pair[0], Gold: pair[1], Metas: []int{1}, GoldMetas: []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = plan.Run(context.Background(), study.How{Progress: func(n int) { steps.Add(int64(n)) }})
		if err != nil || int(steps.Load()) != plan.Steps || plan.Steps == 0 {
			t.Errorf("%s and %s: %d steps, want %d; %v", pair[0], pair[1], steps.Load(), plan.Steps, err)
		}
	}
}
