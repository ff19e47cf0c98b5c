package views

import (
	"context"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/gap"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
)

func stageGaps(t *testing.T, lengths []int, names ...string) []gap.Row {
	t.Helper()
	gaps := longtest.Must(gap.Study().Run(context.Background(), reporttest.Cases(t, experiments.Selection{Toys: names, Distributions: lengths}), study.NoOptions{}, study.How{}))(t)
	return gaps
}

func TestGapTable(t *testing.T) {
	reporttest.Golden(t, "gap.txt", []byte(reporttest.Write(t, annealing.Gap(stageGaps(t, []int{12, 100}, "barrier")), table.Text)))
}

// TestGapRows: over the rows of an annealing forward and reverse sum to the two halves of B.
func TestGapRows(t *testing.T) {
	g := stageGaps(t, []int{100}, "barrier")
	records := longtest.Must(csv.NewReader(strings.NewReader(reporttest.Write(t, annealing.GapRows(g), table.CSV))).ReadAll())(t)
	if h := strings.Join(records[0], " "); h != "toy T path initial schedule kernel kind t beta forward reverse jeffreys_t" {
		t.Errorf("fields %s", h)
	}
	forward, reverse := 0.0, 0.0
	for i, r := range records[1:] {
		kind, stage := "stage", i+2
		if i == 99 {
			kind, stage = "final", 100
		}
		if r[6] != kind || r[7] != strconv.Itoa(stage) {
			t.Errorf("row %d is %v", i, r)
		}
		f, _ := strconv.ParseFloat(r[9], 64)
		v, _ := strconv.ParseFloat(r[10], 64)
		forward, reverse = forward+f, reverse+v
	}
	wantForward, wantReverse := g[0].Sums()
	if len(records) != 101 || !near(forward, wantForward) || !near(reverse, wantReverse) {
		t.Errorf("%d records, sums %v and %v, want %v and %v", len(records), forward, reverse, wantForward, wantReverse)
	}
}

func near(a, b float64) bool { return a-b < 1e-14 && b-a < 1e-14 }

func TestStageGapFigure(t *testing.T) {
	longtest.NotShort(t)
	gaps := stageGaps(t, []int{2, 30}, "barrier")
	if _, err := annealing.StageGapFigure(&gaps[0]); err == nil {
		t.Error("one stage is drawn")
	}
	f := longtest.Must(annealing.StageGapFigure(&gaps[1]))(t)
	reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
}
