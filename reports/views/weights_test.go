package views

import (
	"context"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/logweights"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
)

func TestWeightsTables(t *testing.T) {
	longtest.NotShort(t)
	selection := experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{100}}
	rows := longtest.Must(logweights.Laws().Run(context.Background(), reporttest.Cases(t, selection), logweights.Options{}, study.How{}))(t)
	reporttest.Golden(t, "weights.txt", []byte(reporttest.Write(t, annealing.Weights(rows, nil), table.Text)))
	reporttest.Golden(t, "tails.txt", []byte(reporttest.Write(t, annealing.Tails(logweights.Tails(rows, []float64{0.5, 1, 2})), table.Text)))
	reporttest.Golden(t, "quantiles.txt", []byte(reporttest.Write(t, annealing.Quantiles(logweights.Quantiles(rows, []float64{0.1, 0.5, 0.9})), table.Text)))
	f := longtest.Must(annealing.LawFigure(&rows[0]))(t)
	reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
}

func TestSamplesTable(t *testing.T) {
	longtest.NotShort(t)
	selection := experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{100}}
	rows := longtest.Must(logweights.Samples().Run(context.Background(), reporttest.Cases(t, selection), logweights.SampleOptions{K: []int{1, 10, 100}}, study.How{}))(t)
	reporttest.Golden(t, "samples.txt", []byte(reporttest.Write(t, annealing.Samples(rows), table.Text)))
	f := longtest.Must(annealing.SamplesFigure(rows))(t)
	reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
	if _, err := annealing.SamplesFigure(rows[:1]); err == nil {
		t.Error("a figure of one point")
	}
}

func TestNoLawFigureOfOneWeight(t *testing.T) {
	selection := experiments.Selection{Toys: []string{"random:0:1:2x2"}, Distributions: []int{5}}
	rows := longtest.Must(logweights.Laws().Run(context.Background(), reporttest.Cases(t, selection), logweights.Options{}, study.How{}))(t)
	if _, err := annealing.LawFigure(&rows[0]); err == nil {
		t.Error("a figure of a law without width")
	}
}
