package views

import (
	"bytes"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/crosscheck"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/checks"
)

// TestCrossCheckBegins: people see a line for each simulation and then the tests that found a fault; programs, files and those who ask for
// it see all tests.
func TestCrossCheckBegins(t *testing.T) {
	cases := longtest.Must(experiments.Selection{Toys: []string{"easy"}, Distributions: []int{3}, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}.Cases(t.Context()))(t)
	right := crosscheck.Result{Test: "ends", Draws: 10, Threshold: 100}
	wrong := crosscheck.Result{Test: "weights", Draws: 10, Threshold: 100, LogE: 7, Fault: true, Where: "state 3"}
	outcome := func(second crosscheck.Result) *crosscheck.Outcome {
		return &crosscheck.Outcome{Cases: cases, Skipped: make([][]string, 1), Batteries: []crosscheck.Battery{
			{Simulation: "move", Results: []crosscheck.Result{right, right}}, {Simulation: "rows", Results: []crosscheck.Result{right, second}},
		}}
	}
	shown := func(r *reports.Report, f table.Format) (results, messages string) {
		var out, notes bytes.Buffer
		longtest.NoError(t, (&reports.Output{Results: &out, Messages: &notes, Format: f}).Write(t.Context(), r))
		return out.String(), notes.String()
	}
	const passes = `pass: 4 tests in 2 simulations, of which none finds a fault
  pass: move: 2 pass, 0 fault; the largest e-value is 0.01 of its threshold (easy)
  pass: rows: 2 pass, 0 fault; the largest e-value is 0.01 of its threshold (easy)
`
	const fault = `fault: 4 tests in 2 simulations, of which 1 finds a fault
  pass: move: 2 pass, 0 fault; the largest e-value is 0.01 of its threshold (easy)
  fault: rows: 1 pass, 1 fault; the largest e-value is 11 of its threshold (easy)
`
	if got, _ := shown(checks.CrossCheckReport(outcome(right), 1e-6), table.Text); got != passes {
		t.Errorf("got\n%s", got)
	}
	got, messages := shown(checks.CrossCheckReport(outcome(wrong), 1e-6), table.Text)
	if !strings.HasPrefix(got, fault) || strings.Count(got, "state 3") != 1 || strings.Contains(got, "ends") || !strings.Contains(messages, "verbose shows the whole table, with 4 rows") {
		t.Errorf("got\n%s\n%s", got, messages)
	}
	if got, _ := shown(checks.CrossCheckReport(outcome(wrong), 1e-6).Whole(), table.Text); strings.Count(got, "ends") != 3 {
		t.Errorf("got\n%s", got)
	}
	if got, _ := shown(checks.CrossCheckReport(outcome(wrong), 1e-6), table.CSV); strings.Count(got, "\n") != 5 {
		t.Errorf("got\n%s", got)
	}
}
