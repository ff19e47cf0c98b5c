package tuning_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/experiments/tuning"
)

// TestSwept: a sweep keeps the objective on the case's own schedule, on the linear one and on the best one, each of which the study of
// tightness confirms, and has their ratios.
func TestSwept(t *testing.T) {
	ctx, swept := context.Background(), tuning.Optimize().Sweep()
	cases := []experiments.Case{improvable(t, "barrier:3x3", "power:3", 6), improvable(t, "barrier:3x3", "linear", 6)}
	exact := casetest.Rows(t, tightness.Study(), cases, tightness.Options{})
	if _, err := tuning.Optimize().Run(ctx, cases, tuning.OptimizeOptions{}, study.How{}); err == nil || !strings.Contains(err.Error(), "unknown objective") {
		t.Errorf("no objective: %v", err)
	}
	for i, objective := range []gradient.Objective{gradient.ObjectiveB, gradient.ObjectiveJ} {
		o, err := swept.Row(ctx, append(cases[0].Parts(), experiments.Param{Name: "objective", Value: string(objective)}))
		if err != nil {
			t.Fatal(err)
		}
		rows := casetest.Rows(t, tuning.Optimize(), casetest.MustCases(t, casetest.Selection([]int{6}, "barrier:3x3")), tuning.OptimizeOptions{Objective: objective})
		own, linear, best := [2]float64{exact[0].B, exact[0].J}[i], [2]float64{exact[1].B, exact[1].J}[i], rows[0].Value
		for name, want := range map[string]float64{
			"value": own, "optimum": best, "linear": linear, "value_over_optimum": own / best, "linear_over_optimum": linear / best,
			"relative_gradient": rows[0].Relative, "converged": 1, "vanished": float64(len(rows[0].Vanished)), "gradients": float64(rows[0].Runs),
		} {
			if got := swept.Value(name, o.Numbers); !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("%s: %s is %v in a sweep, want %v", objective, name, got, want)
			}
		}
	}
}
