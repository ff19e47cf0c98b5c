package sandwich

import (
	"context"
	"math"
	"slices"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
)

// mustModel returns the model of a selector.
func mustModel(t *testing.T, text string) Model {
	t.Helper()
	return longtest.Must(ParseModel(text))(t)
}

// mustChoice returns the estimator with a name.
func mustChoice(t *testing.T, name string) Choice {
	t.Helper()
	return longtest.Must(ChoiceNamed(name))(t)
}

// mustDraw returns a data set.
func mustDraw(t *testing.T, set Set) *Data {
	t.Helper()
	return longtest.Must(set.Draw(t.Context()))(t)
}

// mustEstimate makes a trial.
func mustEstimate(t *testing.T, set Set, data *Data, by Choice, knob, trial int) Estimate {
	t.Helper()
	return longtest.Must(set.Estimate(t.Context(), data, by, knob, trial))(t)
}

// drawn returns a small data set of a model.
func drawn(t *testing.T, model string) (Set, *Data) {
	t.Helper()
	set := Set{mustModel(t, model), 6, 4, 1, 3}
	return set, mustDraw(t, set)
}

// TestEveryChoiceRunsOnEveryModel: an estimate is a number and its work is positive, both with the
// smallest knob and with that above, whose work is more. A trial is the same when it is made again,
// and another one is not.
func TestEveryChoiceRunsOnEveryModel(t *testing.T) {
	for _, model := range []string{"clustering:2", "lowrank:2", "binary:2"} {
		set, data := drawn(t, model)
		estimate := func(by Choice, knob, trial int) Estimate {
			e, err := set.Estimate(context.Background(), data, by, knob, trial)
			if err != nil {
				t.Fatalf("%s on %s: %v", by.Name, model, err)
			}
			if math.IsNaN(e.LogZ) || math.IsInf(e.LogZ, 0) || !(e.Work > 0) || !(e.Seconds > 0) {
				t.Errorf("%s on %s with %s = %d: %+v", by.Name, model, by.Knob, knob, e)
			}
			return e
		}
		for _, by := range Choices() {
			small := estimate(by, by.Least, 1)
			again := estimate(by, by.Least, 1)
			other := estimate(by, by.Least+1, 1)
			if again.LogZ != small.LogZ || again.Work != small.Work {
				t.Errorf("%s on %s: %+v, and again %+v", by.Name, model, small, again)
			}
			if !(other.Work > small.Work) && by.Name != "ns" {
				t.Errorf("%s on %s: the work %v with %s = %d, and %v with one more", by.Name, model,
					small.Work, by.Knob, by.Least, other.Work)
			}
			// With the smallest knob, estimates from the one exact draw have little to draw, or
			// nothing.
			if one, two := estimate(by, by.Least+5, 1), estimate(by, by.Least+5, 2); one.LogZ == two.LogZ &&
				by.Combination != estimators.Maximum {
				t.Errorf("%s on %s: trials 1 and 2 both say %v", by.Name, model, one.LogZ)
			}
			longtest.Refuses(set.Estimate(context.Background(), data, by, by.Least-1, 1))(t,
				by.Knob+" must be at least",
				by.Name,
				model,
				by.Knob,
				by.Least-1,
			)
			if seconds := set.Seconds(by, by.Least+9); !(seconds > set.Seconds(by, by.Least)) {
				t.Errorf("%s on %s: about %v seconds with nine more", by.Name, model, seconds)
			}
		}
	}
}

// TestLaddersAndNames: ladders go up by 1, 3, 10, 30 from a knob that is allowed, and each
// estimator is found by its name.
func TestLaddersAndNames(t *testing.T) {
	for _, c := range Choices() {
		if !slices.IsSorted(c.Ladder) || len(c.Ladder) < 5 || c.Ladder[0] < c.Least {
			t.Errorf("%s: ladder %v from %d", c.Name, c.Ladder, c.Least)
		}
		if found, err := ChoiceNamed(c.Name); err != nil || found.Legend != c.Legend {
			t.Errorf("%s: %v, %v", c.Name, found.Legend, err)
		}
	}
	if got := ladder(1000); !slices.Equal(got, []int{1, 3, 10, 30, 100, 300, 1000}) {
		t.Errorf("ladder %v", got)
	}
	if ten, err := ChoiceNamed("ns:1e1"); err != nil || ten.Name != "ns:10" ||
		ten.seconds(pace{within: 1, steps: 3}, size{}, 2) != 30 {
		t.Errorf("nested sampling with ten particles: %+v, %v", ten.Name, err)
	}
	if truth, err := ChoiceNamed("vb:truth"); err != nil || !truth.Exact || truth.Name != variationalTruth {
		t.Errorf("variational Bayes from the truth: %+v, %v", truth.Name, err)
	}
	if two, err := ChoiceNamed("ns:2"); err != nil || two.Name != Nested {
		t.Errorf("nested sampling with two particles: %v, %v", two.Name, err)
	}
	longtest.Refuses(ChoiceNamed("ns:1"))(t, "from 2 to")
	longtest.Refuses(ChoiceNamed("aiss"))(t, "did you mean ais?")
	exact := []string{"hme", "rais", "shme"}
	for _, c := range Choices() {
		if c.Exact != slices.Contains(exact, c.Name) {
			t.Errorf("%s: exact start %v", c.Name, c.Exact)
		}
	}
}

// TestVariationalTruth: from the state that made the data variational Bayes comes to what the
// ascent from its clusters comes to, in every trial; a model that has no clusters has none.
func TestVariationalTruth(t *testing.T) {
	set, data := drawn(t, "clustering:3")
	by := mustChoice(t, variationalTruth)
	first := longtest.Must(set.Estimate(t.Context(), data, by, 1, 0))(t)
	second := longtest.Must(set.Estimate(t.Context(), data, by, 1, 1))(t)
	random := longtest.Must(set.Estimate(t.Context(), data, mustChoice(t, "vb"), 30, 0))(t)
	if first.LogZ != second.LogZ || math.Abs(first.LogZSymmetric-first.LogZ-math.Log(6)) > 1e-12 ||
		!(math.Abs(first.LogZ-random.LogZ) < 20) {
		t.Errorf("from the truth %v and %v, the best of random starts %v", first, second, random)
	}
	set, data = drawn(t, "lowrank:2")
	longtest.Refuses(set.Estimate(t.Context(), data, by, 1, 0))(t, "is for clusterings", "low rank")
}

// TestInterruptedEstimate: an estimate that would take hours ends with the context.
func TestInterruptedEstimate(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	set, data := drawn(t, "binary:2")
	for _, by := range Choices() {
		if by.Knob == "K" {
			continue // it keeps a number for each draw
		}
		if e, err := set.Estimate(ctx, data, by, maxScans, 1); err == nil {
			t.Errorf("%s: %+v", by.Name, e)
		}
	}
}
