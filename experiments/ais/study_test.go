package ais_test

import (
	"context"
	"math"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/internal/casetest"
)

// TestSwept: a sweep keeps every number of every quantity under its name.
func TestSwept(t *testing.T) {
	ctx, swept := context.Background(), ais.Study().Sweep()
	cases := casetest.MustCases(t, casetest.Selection([]int{12}, "easy"))
	o, err := swept.Row(ctx, append(cases[0].Parts(), experiments.Param{Name: "chains", Value: "300"}, experiments.Param{Name: "seed", Value: "4"}))
	if err != nil {
		t.Fatal(err)
	}
	rows := casetest.Rows(t, ais.Study(), cases, ais.Options{Chains: 300, Seed: 4})
	exact := map[string]string{"bar": "log_z_ratio", "J_plugin": "J"}
	for _, q := range rows[0].Quantities {
		name := q.Name
		if other, is := exact[name]; is {
			name = other
		}
		for column, want := range map[string]float64{
			name: q.Exact, q.Name + "_estimate": q.Estimate, q.Name + "_standard_error": q.StandardError, q.Name + "_bias": q.Bias, q.Name + "_z": q.Z(),
		} {
			if got := swept.Value(column, o.Numbers); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s is %v in a sweep, want %v", column, got, want)
			}
		}
	}
	if len(o.Numbers) != 5*len(rows[0].Quantities) {
		t.Errorf("%d numbers of %d quantities", len(o.Numbers), len(rows[0].Quantities))
	}
}
