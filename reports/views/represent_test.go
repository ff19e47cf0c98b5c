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
	s, err := represent.Expand(ctx, experiments.Selection{Toys: names, Distributions: lengths, Path: "geometric", Schedule: "sigmoid:4", Kernel: "heatbath-scan"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Cases(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return reporttest.Must[[]represent.Row](t)(represent.Study().Run(ctx, all, study.NoOptions{}, study.How{}))
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
	f, err := report.Figures()[1].Draw()
	if err != nil {
		t.Fatal(err)
	}
	reporttest.Golden(t, "represent_gridclu.svg", reporttest.SVG(t, f))
	header, _, _ := strings.Cut(reporttest.Write(t, annealing.Represent(rows), table.CSV), "\n")
	if want := "toy,representation,T,path,initial,schedule,kernel,states,work,J,B,log_z_ratio,note"; header != want {
		t.Errorf("columns %s, want %s", header, want)
	}
	one := annealing.RepresentReport(representRows(t, []int{5}, "gridclu"))
	if _, err := one.Figures()[0].Draw(); err == nil || !strings.Contains(err.Error(), "at least two numbers of distributions") {
		t.Errorf("one number of distributions is drawn: %v", err)
	}
}
