package reports

import (
	"math"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/reports/table"
)

// TestEvidenceCheckReport: a fault in a finding makes one of the report, and so does a mutant that is misjudged; where nothing was
// compared it says so.
func TestEvidenceCheckReport(t *testing.T) {
	pass := evidence.Finding{Case: cases(t, experiments.Selection{Toys: []string{"clu4"}, Distributions: []int{2}, Path: "geometric", Schedule: "linear", Kernel: "heatbath-scan"})[0], Estimator: "lw", Settings: "K=2", Name: "mean_e_value", Value: 1, Tolerance: 10, Verdict: evidence.Pass}
	open := pass
	open.Verdict, open.Value, open.Tolerance = evidence.Open, math.NaN(), math.NaN()
	fault := pass
	fault.Verdict, fault.Value = evidence.Fault, math.Inf(1)
	if r := EvidenceCheckReport([]evidence.Finding{pass, open}, nil); r.Fault != nil || !strings.Contains(noted(r), "all 1 comparisons") {
		t.Errorf("fault %v, notes %s", r.Fault, noted(r))
	}
	if r := EvidenceCheckReport([]evidence.Finding{open}, nil); r.Fault != nil || !strings.Contains(noted(r), "nothing to compare") {
		t.Errorf("fault %v, notes %s", r.Fault, noted(r))
	}
	if r := EvidenceCheckReport([]evidence.Finding{pass, fault}, nil); r.Fault == nil {
		t.Error("no fault")
	}
	caught := evidence.MutantResult{Mutant: "a bug", Estimator: "lw", Caught: true}
	missed := evidence.MutantResult{Mutant: "another bug", Estimator: "lw"}
	harmless := evidence.MutantResult{Mutant: "none", Estimator: "lw", Harmless: true}
	if r := EvidenceCheckReport([]evidence.Finding{pass}, []evidence.MutantResult{caught, harmless}); r.Fault != nil || !strings.Contains(noted(r), "all 1 planted bugs") {
		t.Errorf("fault %v, notes %s", r.Fault, noted(r))
	}
	if r := EvidenceCheckReport([]evidence.Finding{pass}, []evidence.MutantResult{caught, missed}); r.Fault == nil || !strings.Contains(r.Fault.Error(), "another bug") {
		t.Errorf("fault %v", r.Fault)
	}
	header, _, _ := strings.Cut(write(t, EvidenceFindings([]evidence.Finding{pass}), table.CSV), "\n")
	if want := "toy,path,initial,schedule,kernel,estimator,settings,finding,value,tolerance,verdict,where"; header != want {
		t.Errorf("columns %s, want %s", header, want)
	}
}

// noted returns the notes of a report, one on a line.
func noted(r *Report) string {
	text := ""
	for _, n := range r.Notes() {
		text += n.Error() + "\n"
	}
	return text
}
