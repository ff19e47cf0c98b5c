package views

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/checks"
)

// TestEvidenceCheckReport: a fault in a finding makes one of the report, and so does a mutant that is misjudged; where nothing was
// compared it says so.
func TestEvidenceCheckReport(t *testing.T) {
	pass := evidence.Finding{Case: reporttest.Cases(t, experiments.Selection{Toys: []string{"clu4"}, Distributions: []int{2}, Path: "geometric", Schedule: "linear", Kernel: "heatbath-scan"})[0], Estimator: "lw", Settings: "K=2", Finding: check.Finding{Name: "mean_e_value", Value: 1, Tolerance: 10, Verdict: check.Pass}}
	open := pass
	open.Verdict, open.Value, open.Tolerance = check.Open, math.NaN(), math.NaN()
	fault := pass
	fault.Verdict, fault.Value = check.Fault, math.Inf(1)
	if r := checks.EvidenceCheckReport([]evidence.Finding{pass, open}, nil); r.Fault != nil || !strings.Contains(noted(r), "1 comparisons of estimators with their laws agree, and 1 is open") {
		t.Errorf("fault %v, notes %s", r.Fault, noted(r))
	}
	if r := checks.EvidenceCheckReport([]evidence.Finding{open}, nil); r.Fault != nil || !strings.Contains(noted(r), "nothing was decided") {
		t.Errorf("fault %v, notes %s", r.Fault, noted(r))
	}
	if r := checks.EvidenceCheckReport([]evidence.Finding{pass, fault}, nil); r.Fault == nil {
		t.Error("no fault")
	}
	if r := checks.EvidenceCheckReport([]evidence.Finding{pass, pass}, nil); !strings.Contains(noted(r), "all 2 comparisons") {
		t.Errorf("notes %s", noted(r))
	}
	if r := checks.SandwichAgreementReport([]evidence.Finding{pass, open}); r.Fault != nil || !strings.Contains(noted(r), "1 comparisons of samplers at full size with their exact laws agree, and 1 is open") {
		t.Errorf("fault %v, notes %s", r.Fault, noted(r))
	}
	caught := evidence.Judgement{Mutant: "a bug", Setting: "lw", Caught: true}
	missed := evidence.Judgement{Mutant: "another bug", Setting: "lw"}
	harmless := evidence.Judgement{Mutant: "none", Setting: "lw", Harmless: true}
	if r := checks.EvidenceCheckReport([]evidence.Finding{pass}, []evidence.Judgement{caught, harmless}); r.Fault != nil || !strings.Contains(noted(r), "all 1 planted bugs") {
		t.Errorf("fault %v, notes %s", r.Fault, noted(r))
	}
	if r := checks.EvidenceCheckReport([]evidence.Finding{pass}, []evidence.Judgement{caught, missed}); r.Fault == nil || !strings.Contains(r.Fault.Error(), "another bug") {
		t.Errorf("fault %v", r.Fault)
	}
	header, _, _ := strings.Cut(reporttest.Write(t, checks.EvidenceCheckReport([]evidence.Finding{pass}, nil).Tables()[0].Table, table.CSV), "\n")
	if want := "toy,path,initial,schedule,kernel,estimator,settings,finding,value,tolerance,verdict,where"; header != want {
		t.Errorf("columns %s, want %s", header, want)
	}
}

// noted returns the notes of a report, one on a line.
func noted(r *reports.Report) string {
	text := ""
	for _, n := range r.Notes() {
		text += n.Error() + "\n"
	}
	return text
}

// TestFindingsBegin: people see a summary, whose verdict is open where anything is, and then what is no pass; programs, files and those
// who ask for it see all findings.
func TestFindingsBegin(t *testing.T) {
	pass := evidence.Finding{Case: reporttest.Cases(t, experiments.Selection{Toys: []string{"clu4"}, Distributions: []int{2}, Path: "geometric", Schedule: "linear", Kernel: "heatbath-scan"})[0], Estimator: "lw", Finding: check.Finding{Name: "passing", Verdict: check.Pass}}
	open, fault := pass, pass
	open.Verdict, open.Name = check.Open, "undecided"
	fault.Verdict, fault.Name = check.Fault, "wrong"
	shown := func(r *reports.Report, f table.Format) string {
		var out, notes bytes.Buffer
		longtest.NoError(t, (&reports.Output{Results: &out, Messages: &notes, Format: f}).Write(t.Context(), r))
		return out.String()
	}
	for _, of := range []struct {
		findings []evidence.Finding
		begins   string
		lines    int // with the header of a table, where there is one
	}{
		{[]evidence.Finding{pass, pass}, "pass: estimators of Z and their exact laws: 2 pass, 0 fault, 0 open\n", 1},
		{[]evidence.Finding{pass, open}, "open: estimators of Z and their exact laws: 1 pass, 0 fault, 1 open\n", 4},
		{[]evidence.Finding{pass, open, fault}, "fault: estimators of Z and their exact laws: 1 pass, 1 fault, 1 open\n", 5},
		{nil, "open: estimators of Z and their exact laws: 0 pass, 0 fault, 0 open\n", 1},
	} {
		text := shown(checks.EvidenceCheckReport(of.findings, nil), table.Text)
		if !strings.HasPrefix(text, of.begins) || strings.Count(text, "\n") != of.lines || strings.Contains(text, "passing") {
			t.Errorf("got\n%s", text)
		}
		if text := shown(checks.EvidenceCheckReport(of.findings, nil).Whole(), table.Text); strings.Count(text, "passing") != strings.Count(fmt.Sprint(of.findings), "passing") {
			t.Errorf("got\n%s", text)
		}
		if text := shown(checks.EvidenceCheckReport(of.findings, nil), table.CSV); strings.Count(text, "\n") != 1+len(of.findings) {
			t.Errorf("got\n%s", text)
		}
	}
}
