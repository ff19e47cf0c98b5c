package views

import (
	"slices"
	"testing"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/tightness"
	"breadboard/reports/views/annealing"
	"breadboard/toys"
)

// TestTightnessNotesOnce: what holds of several rows of a toy is said once, and what holds of one is said of that.
func TestTightnessNotesOnce(t *testing.T) {
	row := func(toy *toys.Toy, T int, notes ...string) tightness.Row {
		return tightness.Row{Case: experiments.Case{Toy: toy, Params: experiments.Setting{T: T}.Params()}, Solution: &exact.Solution{Notes: notes}}
	}
	easy, hard := toys.Easy(), toys.Hard()
	got := annealing.TightnessNotes([]tightness.Row{row(easy, 5, "a", "b"), row(easy, 10, "a"), row(hard, 5, "a")})
	if want := []string{"toy easy, 2 rows: a", "toy easy, T = 5: b", "toy hard, T = 5: a"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
