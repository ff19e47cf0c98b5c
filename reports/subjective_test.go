package reports

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/subjective"
	"breadboard/reports/table"
)

func subjectiveRuns(t *testing.T, moves ...int) []subjective.Row {
	t.Helper()
	o := subjective.Options{References: []string{"uniform", "mode"}, Moves: moves}
	runs, err := subjective.Run(context.Background(), cases(t, experiments.Selection{Toys: []string{"easy"}, Distributions: []int{300}}), o)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

func TestSubjective(t *testing.T) {
	runs := subjectiveRuns(t, 0, 1, 10, 100, 1000)
	golden(t, "subjective.txt", []byte(write(t, Subjective(runs), table.Text)))
	notes := SubjectiveNotes(runs)
	if len(notes) != 2 || !strings.Contains(notes[0], "reference uniform: a bound on J from S = 4 to 1000") || !strings.Contains(notes[1], "from S = 0 to 1000") {
		t.Errorf("%q", notes)
	}
	f, err := SubjectiveFigure(runs)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, f.Name+".svg", svg(t, f))
	runs = subjectiveRuns(t, 1)
	if _, err := SubjectiveFigure(runs); err == nil {
		t.Error("one number of moves is drawn")
	}
	if notes := SubjectiveNotes(runs); !strings.Contains(notes[0], "no bound on J up to S = 1") {
		t.Errorf("%q", notes)
	}
}
