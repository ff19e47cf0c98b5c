package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/represent"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
)

// representRows runs the study of the representations of models.
func representRows(t *testing.T, lengths []int, names ...string) []represent.Row {
	t.Helper()
	ctx := context.Background()
	s := longtest.Must(represent.Expand(ctx, experiments.Selection{Toys: names, Distributions: lengths, Path: "geometric", Schedule: "sigmoid:4", Kernel: "heatbath-scan"}))(t)
	return longtest.Must(represent.Study().Run(ctx, reporttest.Cases(t, s), study.NoOptions{}, study.How{}))(t)
}

// TestRepresent: the table of both models, and a figure for each of them.
func TestRepresent(t *testing.T) {
	longtest.NotShort(t)
	rows := representRows(t, []int{10, 100}, "low", "gridclu")
	reporttest.Golden(t, "represent.txt", []byte(reporttest.Write(t, annealing.Represent(rows), table.Text)))
	report := annealing.RepresentReport(rows)
	if len(report.Figures()) != 2 {
		t.Fatalf("%d figures", len(report.Figures()))
	}
	reporttest.Drawn(t, report.Figures()[1], "represent_gridclu.svg")
	reporttest.Columns(t, annealing.Represent(rows), "toy,representation,T,path,initial,schedule,kernel,states,work,J,B,log_z_ratio,note")
	one := annealing.RepresentReport(representRows(t, []int{5}, "gridclu"))
	if _, err := one.Figures()[0].Draw(); err == nil || !strings.Contains(err.Error(), "at least two numbers of distributions") {
		t.Errorf("one number of distributions is drawn: %v", err)
	}
}
