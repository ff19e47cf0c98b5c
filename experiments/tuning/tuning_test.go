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
	problems, err := tuning.Problems(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	families := []string{"linear", "power:2"}
	c, err := tuning.Compare(context.Background(), problems, families, tuning.Options{})
	if err != nil || len(c.Rows) != 2*4 || len(c.Optima) != 2*2 {
		t.Fatalf("%+v, %v", c, err)
	}
	rows, err := tightness.Study().Run(context.Background(), casetest.MustCases(t, s), tightness.Options{}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		linear := c.Rows[4*i]
		if !(math.Abs(linear.B-r.B) <= 1e-12*r.B) || linear.Distributions() != r.Distributions() {
			t.Errorf("T = %d: the linear schedule has B = %v, and %v in the tightness study", r.Distributions(), linear.B, r.B)
		}
		for _, row := range c.Rows[4*i : 4*i+4] {
			if best := c.Optima[2*i].Value; !(row.B >= best*(1-1e-12)) || math.IsNaN(best) {
				t.Errorf("T = %d: schedule %s has B = %v, below the best, %v", r.Distributions(), row.Param("schedule"), row.B, best)
			}
		}
	}
	families = []string{"steep"}
	if c, err := tuning.Compare(context.Background(), problems, families, tuning.Options{}); err == nil || !strings.Contains(err.Error(), "steep") {
		t.Errorf("a family that is none: %+v, %v", c, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	families = []string{"linear"}
	if c, err := tuning.Compare(ctx, problems, families, tuning.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context has ended: %+v, %v", c, err)
	}
}
