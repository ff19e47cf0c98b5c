package views

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/geweke"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/checks"
)

// gewekeRun runs the joint test of a model with so many rounds.
func gewekeRun(t *testing.T, rounds int) []geweke.Row {
	t.Helper()
	which := geweke.Selection{Toys: []string{"clu4"}, Kernel: "heatbath-scan"}
	list := longtest.Must(which.Build(context.Background()))(t)
	return longtest.Must(geweke.Study().Run(context.Background(), list, geweke.Options{Rounds: rounds, Draws: 256, Seed: 1, Alpha: 1e-6}, study.How{}))(t)
}

// TestGeweke: the table, the P-P plots, and no fault.
func TestGeweke(t *testing.T) {
	longtest.NotShort(t)
	rows := gewekeRun(t, 2)
	reporttest.Golden(t, "geweke.txt", []byte(reporttest.Write(t, checks.GewekeReport(rows, nil).Tables()[0].Table, table.Text)))
	report := checks.GewekeReport(rows, nil)
	if report.Fault != nil || len(report.Figures()) != 1 {
		t.Fatalf("fault %v, %d figures", report.Fault, len(report.Figures()))
	}
	f := longtest.Must(report.Figures()[0].Draw())(t)
	reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
}

// TestGewekeFaults: a finding that is a fault makes one of the report.
func TestGewekeFaults(t *testing.T) {
	rows := gewekeRun(t, 2)
	rows[0].Findings[0].Verdict, rows[0].Findings[0].Value = check.Fault, math.Inf(1)
	if r := checks.GewekeReport(rows, nil); r.Fault == nil || !strings.Contains(r.Fault.Error(), "clu4") {
		t.Errorf("fault %v", r.Fault)
	}
	if !strings.Contains(reporttest.Write(t, checks.GewekeReport(rows, nil).Tables()[0].Table, table.JSON), `"value": "+Inf"`) {
		t.Error("an infinite e-value is not +Inf")
	}
}
