package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/marginal"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// fittedRows fits a clustering to a small table that is drawn from one. The seconds of chains are set, since no two runs have the same.
func fittedRows(t *testing.T, lengths ...int) []compare.FittedRow {
	t.Helper()
	c := chains.NewSampler(simulate.NewStream(1, "a table for a report", 1))
	y, _ := latent.SimulateClustering(c, 20, 2, 2, latent.ClusteringHyper{Pi: []float64{0.5, 0.5}, CentreVariance: 4, NoiseVariance: 0.5})
	rows := longtest.Must(compare.FitStudy().Run(context.Background(), nil, compare.FittedOptions{
		Model: "clustering:2", Table: &models.Table{Rows: y}, Scale: compare.ScaleNone, Moves: 30, T: lengths, S: []int{10, 100}, Chains: 8, Starts: 1, Datasets: 3, Seed: 1,
	}, study.How{}))(t)
	for i := range rows {
		rows[i].Seconds = 1e-4 * float64(rows[i].T)
	}
	return rows
}

// TestSandwichFit: the tables, the notes and the figure.
func TestSandwichFit(t *testing.T) {
	longtest.NotShort(t)
	rows := fittedRows(t, 10, 30, 100)
	rows[0].Doubts = []chains.Advice{chains.NewAdvice("centre with {scale} centre")}
	report := marginal.SandwichFitReport(rows)
	var text strings.Builder
	for _, part := range report.Tables() {
		text.WriteString(reporttest.Write(t, part.Table, table.Text))
	}
	notes := report.Notes()
	if len(notes) != 4 || notes[0].Error() != "centre with scale centre" {
		t.Errorf("notes %v", notes)
	}
	for _, note := range notes {
		text.WriteString(note.Error() + "\n")
	}
	reporttest.Golden(t, "sandwich_fit.txt", []byte(text.String()))
	f := longtest.Must(report.Figures()[0].Draw())(t)
	reporttest.Golden(t, "sandwich_fit.svg", reporttest.SVG(t, f))
}

// TestSandwichFitWithOneLength: one T is no curve, and an interrupted run without rows has no figure.
func TestSandwichFitWithOneLength(t *testing.T) {
	report := marginal.SandwichFitReport(fittedRows(t, 10))
	if _, err := report.Figures()[0].Draw(); err == nil || !strings.Contains(err.Error(), "at least two numbers of distributions") {
		t.Errorf("one number of distributions is drawn: %v", err)
	}
	if empty := marginal.SandwichFitReport(nil); len(empty.Figures()) != 0 {
		t.Error("no rows are drawn")
	}
}
