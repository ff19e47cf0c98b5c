package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/marginal"
)

// representedRows anneals a small matrix in both representations. The seconds of chains are set, since no two runs have the same.
func representedRows(t *testing.T, lengths ...int) []compare.RepresentationRow {
	t.Helper()
	o := compare.RepresentationOptions{Model: "lowrank:2", Rows: 8, Columns: 5, T: lengths, Chains: 3, Datasets: 2, Seed: 1}
	rows := longtest.Must(compare.Representations().Run(context.Background(), nil, o, study.How{}))(t)
	for i := range rows {
		rows[i].Seconds = 1e-5 * rows[i].Work
	}
	return rows
}

// TestSandwichRepresent: the table with all data sets, the part of it that people read, and the figure.
func TestSandwichRepresent(t *testing.T) {
	longtest.NotShort(t)
	report := marginal.SandwichRepresentReport(representedRows(t, 10, 40, 160))
	tables := report.Tables()
	if len(tables) != 1 || len(tables[0].Rows) != 18 || len(tables[0].Brief.Rows) != 6 || report.Fault != nil {
		t.Fatalf("%d tables, fault %v", len(tables), report.Fault)
	}
	reporttest.Golden(t, "sandwich_represent.txt", []byte(reporttest.Write(t, tables[0].Brief, table.Text)))
	f := longtest.Must(report.Figures()[0].Draw())(t)
	reporttest.Golden(t, "sandwich_represent.svg", reporttest.SVG(t, f))
}

// TestSandwichRepresentFaults: representations that contradict each other are a fault, and one T is no curve.
func TestSandwichRepresentFaults(t *testing.T) {
	rows := representedRows(t, 10)
	for i := range rows {
		if rows[i].Representation == "collapsed" {
			rows[i].Lower += 200
			rows[i].Upper += 200
		}
	}
	report := marginal.SandwichRepresentReport(rows)
	if !chains.IsFault(report.Fault) || len(report.Notes()) != 1 || !strings.Contains(report.Notes()[0].Error(), "lower end of collapsed") {
		t.Errorf("fault %v, notes %v", report.Fault, report.Notes())
	}
	if _, err := report.Figures()[0].Draw(); err == nil || !strings.Contains(err.Error(), "at least two numbers of distributions") {
		t.Errorf("one number of distributions is drawn: %v", err)
	}
}
