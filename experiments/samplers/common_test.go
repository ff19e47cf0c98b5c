package samplers_test

import (
	"context"
	"math"
	"testing"

	"breadboard/experiments/samplers"
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

// near compares a number with what it should be, by a tolerance relative to that, or absolute where it is below one.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
