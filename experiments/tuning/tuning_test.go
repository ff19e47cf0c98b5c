package tuning_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/experiments/tuning"
)

// TestCompareSchedules: each problem has a row for each family and for the two optima, whose values no family beats; the
// linear schedule has the B of the tightness study. A family that is none is an error, and so is an end of the context.
func TestCompareSchedules(t *testing.T) {
	s := casetest.Selection([]int{4, 6}, "easy")
	cases := casetest.MustCases(t, s)
	of := func(schedules ...string) tuning.CompareOptions { return tuning.CompareOptions{Schedules: schedules} }
	compared, err := tuning.Compare().Run(context.Background(), cases, of("linear", "power:2"), study.How{})
	if err != nil || len(compared) != 2*4 {
		t.Fatalf("%+v, %v", compared, err)
	}
	rows := casetest.Rows(t, tightness.Study(), cases, tightness.Options{})
	for i, r := range rows {
		linear, bestB, bestJ := compared[4*i], compared[4*i+2], compared[4*i+3]
		if bestB.Optimum == nil || bestJ.Optimum == nil || linear.Optimum != nil {
			t.Fatalf("T = %d: which schedules are the best is not said", r.Distributions())
		}
		if !(math.Abs(linear.B-r.B) <= 1e-12*r.B) || linear.Distributions() != r.Distributions() {
			t.Errorf("T = %d: the linear schedule has B = %v, and %v in the tightness study", r.Distributions(), linear.B, r.B)
		}
		for _, row := range compared[4*i : 4*i+4] {
			if best := bestB.Optimum.Value; !(row.B >= best*(1-1e-12)) || math.IsNaN(best) {
				t.Errorf("T = %d: schedule %s has B = %v, below the best, %v", r.Distributions(), row.Param("schedule"), row.B, best)
			}
		}
	}
	if c, err := tuning.Compare().Run(context.Background(), cases, of("steep"), study.How{}); err == nil || !strings.Contains(err.Error(), "steep") {
		t.Errorf("a family that is none: %+v, %v", c, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if c, err := tuning.Compare().Run(ctx, cases, of("linear"), study.How{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context has ended: %+v, %v", c, err)
	}
}
