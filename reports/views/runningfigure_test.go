package views

import (
	"context"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/views/annealing"
)

// TestRunningFigure draws estimates beside their exact values, which the data of the figure have to the last bit.
func TestRunningFigure(t *testing.T) {
	c := reporttest.Cases(t, experiments.Selection{Toys: []string{"easy"}, Distributions: []int{20}, Path: "geometric", Schedule: "linear", Kernel: "metropolis"})[0]
	var rows []ais.Row
	longtest.Must(ais.Trace(context.Background(), c, ais.TraceOptions{Options: ais.Options{Chains: 100, Seed: 1}, Counts: ais.RunningCounts(100)}, study.How{}, func(r *ais.Running) error {
		rows = append(rows, r.Estimates)
		return nil
	}))(t)
	f := longtest.Must(annealing.RunningFigure(rows))(t)
	reporttest.Golden(t, "running.svg", reporttest.SVG(t, f))
	exact := map[string]float64{"B, exact": rows[0].Exact.B, "mean_log_w_forward, exact": rows[0].Exact.MeanLogWForward, "mean_log_w_reverse, exact": rows[0].Exact.MeanLogWReverse, "bar, exact": rows[0].Exact.LogZRatio}
	seen := 0
	for _, row := range f.Data.Rows {
		if want, is := exact[row[1].(string)]; is {
			seen++
			if row[6] != want {
				t.Errorf("%s is drawn at %v, and is %v", row[1], row[6], want)
			}
		}
	}
	if seen != 2*len(exact) {
		t.Errorf("%d ends of lines at exact values, not %d", seen, 2*len(exact))
	}
	if _, err := annealing.RunningFigure(rows[:1]); err == nil {
		t.Error("one number of chains is drawn")
	}
}
