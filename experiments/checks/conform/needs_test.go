package conform

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
)

// TestPowerfulSelections: what is left open is tried, and what is given is kept.
func TestPowerfulSelections(t *testing.T) {
	given := casetest.Selection([]int{7}, "easy")
	given.Schedule = "sigmoid"
	text := ""
	for _, s := range append(
		PowerfulSelections(given, false, false, false),
		PowerfulSelections(given, true, true, true)...,
	) {
		text += fmt.Sprintln(len(s.Toys), s.Schedule, s.Distributions, len(casetest.MustCases(t, s)))
	}
	if text != "3 linear [3 4] 6\n3 power:2 [3 4] 6\n1 sigmoid [7] 1\n" {
		t.Errorf("toys, schedules, numbers of distributions and of cases: %s", text)
	}
}

// TestPowerful: if the schedule is not linear all bugs can be told apart, and the candidate that
// hides the fewest comes first.
func TestPowerful(t *testing.T) {
	longtest.Only(t)
	linear := taskOf(t, "random:2:3:3x4", 4, "linear").Case
	bent := smallLaws(t).task.Case
	seen := 0
	list := longtest.Must(Powerful(context.Background(), []subject.Case{linear, bent}, DefaultAlpha, 0,
		func(cases int) { seen += cases }))(t)
	if seen != 2 || !slices.Equal(list[0].Task.Case.Params, bent.Params) || list[0].Hidden != 0 ||
		list[1].Hidden == 0 {
		t.Errorf("%d cases; %v hides %d, %v hides %d", seen, list[0].Task.Case.Params, list[0].Hidden,
			list[1].Task.Case.Params, list[1].Hidden)
	}
	for _, c := range list {
		hidden := 0
		most := 0.0
		for _, h := range c.Needs {
			if len(h.Alike) > 0 {
				hidden++
			}
			if !math.IsInf(h.Both(), 1) {
				most = max(most, h.Both())
			}
			if alike := slices.Contains(h.Alike, "the specification"); alike != math.IsInf(h.Found, 1) {
				t.Errorf("%s is found after %v chains, and is like %q", h.Hypothesis, h.Found, h.Alike)
			}
		}
		if hidden != c.Hidden || most != c.Chains || c.Worst.Both() != most {
			t.Errorf("%v: %d hidden and %v chains, want %d and %v", c.Task.Case.Params, c.Hidden, c.Chains,
				hidden, most)
		}
	}
	// Increments one stage early and late are the same as the right ones if all stages are as far
	// apart.
	if !slices.ContainsFunc(list[1].Needs, func(h verdicts.Need) bool {
		return h.Hypothesis == "increment one stage early" && slices.Contains(h.Alike, "the specification")
	}) {
		t.Error("on a linear schedule an increment of another stage is told from the right one")
	}
	longtest.Refuses(Powerful(longtest.EndsAfter(0), []subject.Case{bent}, DefaultAlpha, 0, nil))(t, "canceled")
}
