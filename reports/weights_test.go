package reports

import (
	"context"
	"testing"

	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/logweights"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

func TestWeightsTables(t *testing.T) {
	selection := experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{100}}
	rows, err := logweights.Laws().Run(context.Background(), cases(t, selection), logweights.Options{}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "weights.txt", []byte(write(t, Weights(rows, nil), table.Text)))
	golden(t, "tails.txt", []byte(write(t, Tails(logweights.Tails(rows, []float64{0.5, 1, 2})), table.Text)))
	golden(t, "quantiles.txt", []byte(write(t, Quantiles(logweights.Quantiles(rows, []float64{0.1, 0.5, 0.9})), table.Text)))
	f, err := LawFigure(&rows[0])
	if err != nil {
		t.Fatal(err)
	}
	golden(t, f.Name+".svg", svg(t, f))
}

func TestSamplesTable(t *testing.T) {
	longtest.NotShort(t)
	selection := experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{100}}
	rows, err := logweights.Samples().Run(context.Background(), cases(t, selection), logweights.SampleOptions{K: []int{1, 10, 100}}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "samples.txt", []byte(write(t, Samples(rows), table.Text)))
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
	rows, err := logweights.Laws().Run(context.Background(), cases(t, selection), logweights.Options{}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LawFigure(&rows[0]); err == nil {
		t.Error("a figure of a law without width")
	}
}

// TestOnlyKnownDigits: people see no digit that the bounds leave open, and no rounding.
func TestOnlyKnownDigits(t *testing.T) {
	for _, c := range []struct {
		bounds weights.Bracket
		want   string
	}{
		{weights.Bracket{Low: 0.02541, Value: 0.025424, High: 0.025438}, "0.0254"},
		{weights.Bracket{Low: 0.25, Value: 0.25, High: 0.25}, "0.25"},
		{weights.Bracket{Low: 0, Value: 2e-5, High: 3.41e-5}, "< 3.5e-5"},
		{weights.Bracket{Low: 0, Value: 0, High: 1.35e-13}, "< 1.4e-13"},
		{weights.Bracket{}, "0"},
	} {
		if got := probability(c.bounds, 4); got != c.want {
			t.Errorf("%v is written %s, want %s", c.bounds, got, c.want)
		}
	}
	if got := between(weights.Bracket{Low: 1, Value: 1.5, High: 2}) + ", " + between(weights.Bracket{Low: -1e-16}); got != "1 to 2, 0" {
		t.Error(got)
	}
	if got := table.People(table.Percent(noNoise(-1.378e-16)), 0); got != "0%" {
		t.Errorf("a gap of rounding is written %v", got)
	}
}
