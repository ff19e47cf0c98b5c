package reports

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/geweke"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// gewekeRows runs the joint test of a model.
func gewekeRows(t *testing.T) []geweke.Row {
	t.Helper()
	return must[[]geweke.Row](t)(geweke.Run(context.Background(), geweke.Options{
		Toys: []string{"clu4"}, Kernel: "heatbath-scan", Rounds: 2, Draws: 256, Seed: 1, Alpha: 1e-6,
	}))
}

// TestGeweke: the table, the P-P plots, and no fault.
func TestGeweke(t *testing.T) {
	longtest.NotShort(t)
	rows := gewekeRows(t)
	golden(t, "geweke.txt", []byte(write(t, Geweke(rows), table.Text)))
	report := GewekeReport(rows, nil)
	if report.Fault != nil || len(report.Figures()) != 1 {
		t.Fatalf("fault %v, %d figures", report.Fault, len(report.Figures()))
	}
	f, err := report.Figures()[0].Draw()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, f.Name+".svg", svg(t, f))
}

// TestGewekeFaults: a finding that is a fault makes one of the report, and so does a mutant that is misjudged.
func TestGewekeFaults(t *testing.T) {
	rows := gewekeRows(t)
	caught := geweke.MutantResult{Mutant: "a bug", Toy: "a model", Caught: true}
	missed := geweke.MutantResult{Mutant: "another bug", Toy: "a model"}
	if r := GewekeReport(rows, []geweke.MutantResult{caught}); r.Fault != nil {
		t.Errorf("fault %v", r.Fault)
	}
	if r := GewekeReport(rows, []geweke.MutantResult{caught, missed}); r.Fault == nil || !strings.Contains(r.Fault.Error(), "another bug") {
		t.Errorf("fault %v", r.Fault)
	}
	rows[0].Findings[0].Verdict, rows[0].Findings[0].Value = geweke.Fault, math.Inf(1)
	if r := GewekeReport(rows, nil); r.Fault == nil || !strings.Contains(r.Fault.Error(), "clu4") {
		t.Errorf("fault %v", r.Fault)
	}
	if !strings.Contains(write(t, Geweke(rows), table.JSON), `"value": "+Inf"`) {
		t.Error("an infinite e-value is not +Inf")
	}
}
