package samplers_test

import (
	"context"
	"math"
	"sync/atomic"
	"testing"

	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// problemsOf builds the problems of a selection.
func problemsOf(t testing.TB, s samplers.Selection) []samplers.Problem {
	t.Helper()
	out, err := s.Problems(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rowsOf runs a study, and compares its progress with the steps of its plan.
func rowsOf[O, R any](t testing.TB, s *study.Study[samplers.Problem, O, R], problems []samplers.Problem, o O, h study.How) []R {
	t.Helper()
	plan, err := s.Plan(t.Context(), problems, &o)
	if err != nil {
		t.Fatal(err)
	}
	var steps atomic.Int64
	h.Progress = func(n int) { steps.Add(int64(n)) }
	rows, err := plan.Run(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	if int(steps.Load()) != plan.Steps {
		t.Errorf("progress adds up to %d steps of %d", steps.Load(), plan.Steps)
	}
	return rows
}

// near compares a number with what it should be, by a tolerance relative to that, or absolute where it is below one.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
