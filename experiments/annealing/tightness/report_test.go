package tightness_test

import (
	"slices"
	"testing"

	"breadboard/exact"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// solved returns the rows of toys at numbers of distributions.
func solved(t *testing.T, lengths []int, names ...string) []tightness.Row {
	t.Helper()
	return casetest.Rows(t, tightness.Study(), casetest.MustCases(t, casetest.Selection(lengths, names...)),
		tightness.Options{Check: true})
}

func TestFiguresThatCannotBeDrawn(t *testing.T) {
	longtest.Refuses(tightness.Report(solved(t, []int{10, 20}, "random:0:0:3")).
		Figures()[0].Draw())(t, "J+B has no numbers at two values")
	longtest.Refuses(tightness.Report(solved(t, []int{10}, "easy")).Figures()[0].Draw())(t,
		"at two values")
	longtest.Refuses(tightness.DistributionMaps(nil))(t, "give at least one toy")
	// Infinite and zero values are left out, and do not take the rest with them.
	rows := solved(t, []int{10, 20, 30}, "easy")
	rows[1].J, rows[1].B = 0, rows[1].J/0
	longtest.Must(tightness.Report(rows).Figures()[0].Draw())(t)
}

// TestTightnessNotesOnce: a note on several rows of a toy comes once, and a note on one row names
// it.
func TestTightnessNotesOnce(t *testing.T) {
	row := func(toy *toys.Toy, T int, notes ...string) tightness.Row {
		return tightness.Row{
			Case:     subject.Case{Toy: toy, Params: subject.Setting{T: T}.Params()},
			Solution: &exact.Solution{Notes: notes},
		}
	}
	easy := toys.Easy()
	hard := toys.Hard()
	got := tightness.Notes([]tightness.Row{row(easy, 5, "a", "b"), row(easy, 10, "a"), row(hard, 5, "a")})
	if want := []string{"toy easy, 2 rows: a", "toy easy, T = 5: b", "toy hard, T = 5: a"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
