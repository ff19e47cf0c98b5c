package views

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
	"breadboard/toys"
)

// TestFailedRunsAreRows: a run that has failed is one row that says so, and one that has not has a row for each quantity.
func TestFailedRunsAreRows(t *testing.T) {
	toy := longtest.Must(toys.Parse("easy"))(t)
	c := experiments.Case{Toy: toy, Params: experiments.Setting{T: 7}.Params()}
	out := annealing.AIS([]ais.Row{
		{Case: c, Chains: 10, Err: errors.New("the kernel is wrong")},
		{Case: c, Chains: 10, Quantities: []ais.Quantity{{Name: "B", Bias: 0.123456, Estimate: 1}, {Name: "J_plugin"}}},
	}, nil)
	for _, c := range out.Columns {
		if rough := c.Name == "standard_error" || c.Name == "bias" || c.Name == "z"; rough != (c.Digits == 2) {
			t.Errorf("column %s is written with %d digits", c.Name, c.Digits)
		}
	}
	if len(out.Rows) != 3 {
		t.Fatalf("%d rows: %v", len(out.Rows), out.Rows)
	}
	var text bytes.Buffer
	longtest.NoError(t, out.Write(&text, table.Text))
	lines := strings.Split(text.String(), "\n")
	for want, count := range map[string]int{"failed": 1, "J_plugin": 1, "0.12 ": 1, "0.1235": 0} {
		got := 0
		for _, line := range lines {
			if strings.Contains(line, want) {
				got++
			}
		}
		if got != count {
			t.Errorf("%d lines with %q, want %d:\n%s", got, want, count, text.String())
		}
	}
}
