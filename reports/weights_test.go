package reports

import (
	"context"
	"testing"

	"breadboard/experiments"
)

func TestWeightsTables(t *testing.T) {
	selection := experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{100}}
	rows, err := experiments.Weights(context.Background(), cases(t, selection), experiments.WeightsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "weights.txt", []byte(write(t, Weights(rows), Text)))
	golden(t, "tails.txt", []byte(write(t, Tails(experiments.Tails(rows, []float64{0.5, 1, 2})), Text)))
	golden(t, "quantiles.txt", []byte(write(t, Quantiles(experiments.Quantiles(rows, []float64{0.1, 0.5, 0.9})), Text)))
	f, err := LawFigure(&rows[0])
	if err != nil {
		t.Fatal(err)
	}
	golden(t, f.Name+".svg", svg(t, f))
}

func TestSamplesTable(t *testing.T) {
	selection := experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{100}}
	rows, err := experiments.MultiSample(context.Background(), cases(t, selection), []int{1, 10, 100}, experiments.WeightsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "samples.txt", []byte(write(t, Samples(rows), Text)))
	f, err := SamplesFigure(rows)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, f.Name+".svg", svg(t, f))
	if _, err := SamplesFigure(rows[:1]); err == nil {
		t.Error("a figure of one point")
	}
}

func TestNoLawFigureOfOneWeight(t *testing.T) {
	selection := experiments.Selection{Toys: []string{"random:0:1:2x2"}, Distributions: []int{5}}
	rows, err := experiments.Weights(context.Background(), cases(t, selection), experiments.WeightsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LawFigure(&rows[0]); err == nil {
		t.Error("a figure of a law without width")
	}
}
