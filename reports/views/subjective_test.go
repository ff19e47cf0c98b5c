package views

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/experiments/subjective"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
)

func subjectiveRuns(t *testing.T, moves ...int) []subjective.Row {
	t.Helper()
	o := subjective.Options{References: []string{"uniform", "mode"}, Moves: moves}
	runs := longtest.Must(subjective.Study().Run(context.Background(), reporttest.Cases(t, experiments.Selection{Toys: []string{"easy"}, Distributions: []int{300}}), o, study.How{}))(t)
	return runs
}

func TestSubjective(t *testing.T) {
	longtest.NotShort(t)
	runs := subjectiveRuns(t, 0, 1, 10, 100, 1000)
	reporttest.Golden(t, "subjective.txt", []byte(reporttest.Write(t, annealing.Subjective(runs), table.Text)))
	notes := annealing.SubjectiveNotes(runs)
	if len(notes) != 2 || !strings.Contains(notes[0], "reference uniform: a bound on J from S = 4 to 1000") || !strings.Contains(notes[1], "from S = 0 to 1000") {
		t.Errorf("%q", notes)
	}
	f := longtest.Must(annealing.SubjectiveFigure(runs))(t)
	reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
	if _, err := annealing.SubjectiveFigure(subjectiveRuns(t, 0)); err == nil {
		t.Error("a curve without moves is drawn")
	}
	runs = subjectiveRuns(t, 1)
	if notes := annealing.SubjectiveNotes(runs); !strings.Contains(notes[0], "no bound on J up to S = 1") {
		t.Errorf("%q", notes)
	}
}

// TestFittedFigure: the value from a fitted hyperparameter against the number of moves, with B as a line that it comes to from above and
// from below.
func TestFittedFigure(t *testing.T) {
	s := experiments.Selection{Toys: []string{"hyper"}, Distributions: []int{10}, Path: "geometric", Schedule: "sigmoid:4", Kernel: "heatbath-scan"}
	o := subjective.Options{References: []string{"fitted:eta=0.25", "fitted:eta=4"}, Moves: []int{0, 1, 2, 5, 10, 100}}
	f := longtest.Must(annealing.SubjectiveFigure(longtest.Must(subjective.Study().Run(context.Background(), reporttest.Cases(t, s), o, study.How{}))(t)))(t)
	reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
}
