package views

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/views/checks"
)

// aideFindings checks two particles with a scheme on the default targets.
func aideFindings(t *testing.T, algorithm, scheme string) []aide.Finding {
	t.Helper()
	choice := reporttest.Must[aide.Choice](t)(aide.Parse(algorithm + ":" + scheme))
	few := reporttest.Cases(t, experiments.Selection{Toys: aide.CheckToys(), Distributions: []int{aide.CheckDistributions}})
	return reporttest.Must[[]aide.Finding](t)(aide.Check(context.Background(), choice, few, nil))
}

// TestAIDECheckReport: a fault among the findings, or a mutant that is misjudged, is the report's fault.
func TestAIDECheckReport(t *testing.T) {
	right := aideFindings(t, "smc:2", "residual")
	r := checks.AIDECheckReport("smc:2:residual", right, nil)
	if r.Fault != nil || len(r.Tables()) != 1 || len(r.Notes()) != 1 {
		t.Errorf("fault %v, %d tables, notes %v", r.Fault, len(r.Tables()), r.Notes())
	}
	wrong := append([]aide.Finding(nil), right...)
	wrong[0].Verdict, wrong[0].Value = aide.Fault, math.NaN()
	if r = checks.AIDECheckReport("smc:2:residual", wrong, nil); !chains.IsFault(r.Fault) {
		t.Errorf("fault %v", r.Fault)
	}
	mutants := []aide.MutantResult{{Mutant: "first trace left out", Caught: true}, {Mutant: "none", Harmless: true}}
	if r = checks.AIDECheckReport("smc:2:residual", right, mutants); r.Fault != nil || len(r.Tables()) != 2 {
		t.Errorf("fault %v, %d tables", r.Fault, len(r.Tables()))
	}
	for i := range mutants {
		misjudged := append([]aide.MutantResult(nil), mutants...)
		misjudged[i].Caught = !misjudged[i].Caught
		if r = checks.AIDECheckReport("smc:2:residual", right, misjudged); !chains.IsFault(r.Fault) || !strings.Contains(r.Fault.Error(), misjudged[i].Mutant) {
			t.Errorf("fault %v", r.Fault)
		}
	}
}
