package views

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/views/checks"
)

// aideFindings checks two particles with a scheme on the default targets.
func aideFindings(t *testing.T, algorithm, scheme string) []aide.Finding {
	t.Helper()
	choice := longtest.Must(aide.Parse(algorithm + ":" + scheme))(t)
	few := reporttest.Cases(t, experiments.Selection{Toys: aide.CheckToys(), Distributions: []int{aide.CheckDistributions}})
	return longtest.Must(aide.Check(context.Background(), choice, few, nil))(t)
}

// TestAIDECheckReport: a fault among the findings is the report's fault.
func TestAIDECheckReport(t *testing.T) {
	right := aideFindings(t, "smc:2", "residual")
	r := checks.AIDECheckReport("smc:2:residual", right, nil)
	if r.Fault != nil || len(r.Tables()) != 1 || len(r.Notes()) != 1 {
		t.Errorf("fault %v, %d tables, notes %v", r.Fault, len(r.Tables()), r.Notes())
	}
	wrong := append([]aide.Finding(nil), right...)
	wrong[0].Verdict, wrong[0].Value = check.Fault, math.NaN()
	if r = checks.AIDECheckReport("smc:2:residual", wrong, nil); !chains.IsFault(r.Fault) {
		t.Errorf("fault %v", r.Fault)
	}
}
