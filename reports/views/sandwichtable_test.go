package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments/ais"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/marginal"
)

// crossedRows fits two models to the data of each other. The seconds of chains are set, since no two runs have the same.
func crossedRows(t *testing.T, datasets int) []compare.CrossedRow {
	t.Helper()
	o := compare.CrossedOptions{Models: []string{"clustering:2:5:1", "lowrank:1"}, Rows: 12, Columns: 5, T: 50, Chains: 3, Datasets: datasets, Seed: 2}
	rows := longtest.Must(compare.Crossed().Run(context.Background(), nil, o, study.How{}))(t)
	for i := range rows {
		rows[i].Seconds = 0.25
	}
	return rows
}

// TestSandwichTable: the table with all data sets, the part of it that people read, the figure and what is said of the nearest model.
func TestSandwichTable(t *testing.T) {
	report := marginal.SandwichTableReport(crossedRows(t, 2))
	tables := report.Tables()
	if len(tables) != 1 || len(tables[0].Rows) != 12 || len(tables[0].Brief.Rows) != 4 {
		t.Fatalf("%d tables", len(tables))
	}
	reporttest.Golden(t, "sandwich_table.txt", []byte(reporttest.Write(t, tables[0].Brief, table.Text)))
	f := longtest.Must(report.Figures()[0].Draw())(t)
	reporttest.Golden(t, "sandwich_table.svg", reporttest.SVG(t, f))
	if len(report.Notes()) != 2 {
		t.Errorf("%d notes: %v", len(report.Notes()), report.Notes())
	}
}

// TestSandwichTableOfThePaper: the paper's numbers stand beside models of its numbers of components on data of its size, and no others.
func TestSandwichTableOfThePaper(t *testing.T) {
	rows := []compare.CrossedRow{
		{Made: "clustering", Fitted: "lowrank", Rows: 50, Columns: 25, LogMean: ais.Estimate{Value: -2400}},
		{Made: "clustering", Fitted: "lowrank:3", Rows: 50, Columns: 25},
		{Made: "clustering", Fitted: "lowrank", Rows: 50, Columns: 24},
	}
	lines := strings.Split(reporttest.Write(t, marginal.SandwichTable(rows), table.CSV), "\n")
	for i, want := range []bool{true, false, false} {
		if got := strings.Contains(lines[i+1], ",-2390.6,13.1,"); got != want {
			t.Errorf("row %d: %s", i+1, lines[i+1])
		}
	}
	for _, p := range compare.Table1() {
		for _, d := range compare.Table1() {
			if d.Made == p.Made && d.Fitted == d.Made && !(d.LogML-p.LogML-p.Behind < 1e-9 && d.LogML-p.LogML-p.Behind > -1e-9) {
				t.Errorf("%+v is not %v below %+v", p, p.Behind, d)
			}
		}
	}
}

// TestSandwichTableWithoutACell: what an interrupted run has is no figure.
func TestSandwichTableWithoutACell(t *testing.T) {
	rows := compare.CrossedWhole(crossedRows(t, 1))
	if _, err := marginal.SandwichTableFigure(rows[:3]); err == nil || !strings.Contains(err.Error(), "a cell of the table is missing") {
		t.Errorf("error %v", err)
	}
	if report := marginal.SandwichTableReport(nil); len(report.Notes()) != 0 {
		t.Errorf("notes of nothing: %v", report.Notes())
	}
}
