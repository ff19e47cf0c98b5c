package fitted_test

import (
	"context"
	"fmt"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/sandwich/fitted"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// clusters returns a table that is drawn from a clustering.
func clusters(rows int) *models.Table {
	c := chains.NewSampler(simulate.NewStream(7, "clusters", rows))
	y, _ := latent.SimulateClustering(c, rows, 2, 2, latent.ClusteringHyper{Pi: []float64{0.4, 0.6}, CentreVariance: 9, NoiseVariance: 0.5})
	return &models.Table{Rows: y}
}

// small returns options that take milliseconds.
func small(model string, t *models.Table) fitted.Options {
	return fitted.Options{Model: model, Table: t, Scale: fitted.ScaleNone, Moves: 20, T: []int{2, 5, 10}, S: []int{0, 3, 10}, Chains: 6, Starts: 2, Datasets: 2, Seed: 1}
}

// clockless returns an outcome without times.
func clockless(o *fitted.Outcome) *fitted.Outcome {
	for i := range o.Rows {
		o.Rows[i].Seconds = 0
	}
	return o
}

func TestEveryModelIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	for _, model := range []string{"clustering:2", "lowrank:1", "binary:2"} {
		table := clusters(8)
		o := small(model, table)
		o.Workers = 1
		if model == "lowrank:1" {
			o.Scale = fitted.ScaleStandardize
		}
		one, err := fitted.Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 3
		three, err := fitted.Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprint(clockless(one)), fmt.Sprint(clockless(three)); a != b { // NaN is equal to itself in text
			t.Errorf("%s: one worker and three have different results", model)
		}
		if want := 3 * (1 + 2 + 3); len(one.Rows) != want {
			t.Errorf("%s: %d rows, want %d", model, len(one.Rows), want)
		}
		if len(one.Findings) != 3 {
			t.Errorf("%s: findings %q, want one of each kind", model, one.Findings)
		}
	}
}
