package tuning_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/placement"
	"breadboard/experiments/tuning"
)

// improvable returns the case of a toy with a schedule.
func improvable(t *testing.T, toy, schedule string, T int) experiments.Case {
	t.Helper()
	s := casetest.Selection([]int{T}, toy)
	s.Schedule = schedule
	return casetest.MustCases(t, s)[0]
}

// TestImprove: on the way come schedules of ever smaller objectives, each of which a solution confirms, the first of them the linear
// one; the end is what Optimize finds or better, and is set beside the schedule of the case.
func TestImprove(t *testing.T) {
	ctx := context.Background()
	for _, objective := range []gradient.Objective{gradient.ObjectiveB, gradient.ObjectiveJ} {
		c := improvable(t, "barrier", "power:3", 8)
		var steps []placement.Step
		got, err := tuning.Improve(ctx, c, objective, tuning.Options{Iterations: 300}, func(s placement.Step) { steps = append(steps, s) })
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for _, s := range steps {
			a, err := chains.NewAnnealing(c.Annealing().Path(), s.Points, c.Annealing().Kernel(), 8)
			if err != nil {
				t.Fatal(err)
			}
			sol, err := exact.Solve(ctx, a, exact.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if want := objective.Of(sol); !(s.Value < least) || math.Abs(s.Value-want) > 1e-11*want || s.Runs > got.Optimum.Runs {
				t.Errorf("%s: %v after %d gradients from %s, solved %v, before it %v", objective, s.Value, s.Runs, s.Start, want, least)
			}
			least = s.Value
		}
		if len(steps) < 5 || steps[0].Start != "linear" || math.Abs(steps[0].Value-got.Optimum.Linear) > 1e-12 {
			t.Errorf("%s: %d steps, the first is %+v", objective, len(steps), steps[0])
		}
		if math.Abs(least-got.Optimum.Value) > 1e-11*least {
			t.Errorf("%s: the last step has %v, the optimum %v", objective, least, got.Optimum.Value)
		}
		last := steps[len(steps)-1].Points
		for i, b := range got.After.Betas {
			if math.Abs(b-last.Beta(i+1, 8)) > 1e-6 || got.Before.Betas[i] != c.Annealing().Beta(i+1) || got.Before.Param("schedule") != "power:3" {
				t.Errorf("%s: before %v, after %v, the last step has %v", objective, got.Before.Betas[i], b, last.Beta(i+1, 8))
			}
		}
		own, best := got.Before.B, got.After.B
		ratio, other := got.Before.BOverOptimum, got.Before.JOverOptimum
		if objective == gradient.ObjectiveJ {
			own, best, ratio, other = got.Before.J, got.After.J, other, ratio
		}
		if !(own > best) || best != got.Optimum.Value || ratio != own/best || !math.IsNaN(other) {
			t.Errorf("%s: %v before, %v after, ratio %v, the other %v", objective, own, best, ratio, other)
		}
	}
}

// TestImproveNeverLoses: from a schedule that is the best already the search does not go to one that is worse.
func TestImproveNeverLoses(t *testing.T) {
	ctx := context.Background()
	c := improvable(t, "easy", "linear", 5)
	first, err := tuning.Improve(ctx, c, gradient.ObjectiveB, tuning.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Params, c.Algorithm = first.After.Params, first.After.Algorithm
	again, err := tuning.Improve(ctx, c, gradient.ObjectiveB, tuning.Options{Iterations: 1}, nil)
	if err != nil || again.After.B > again.Before.B*(1+1e-12) {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestImproveIsGivenUp: where the context ends within the search, it returns soon, also on a large space.
func TestImproveIsGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a search on 25x25")
	}
	c := improvable(t, "random:2:1:25x25", "linear", 1000)
	for _, wait := range []time.Duration{0, 200 * time.Millisecond, 2 * time.Second} {
		ctx, end := context.WithTimeout(context.Background(), wait)
		_, err := tuning.Improve(ctx, c, gradient.ObjectiveB, tuning.Options{Workers: 1}, nil)
		late := context.Cause(ctx)
		deadline, _ := ctx.Deadline()
		if took := time.Since(deadline); !errors.Is(err, context.DeadlineExceeded) || late == nil || took > time.Second {
			t.Errorf("after %v: %v, %v late", wait, err, took)
		}
		end()
	}
}

func TestImproveRefuses(t *testing.T) {
	ctx := context.Background()
	if _, err := tuning.Improve(ctx, improvable(t, "easy", "linear", 100_001), gradient.ObjectiveB, tuning.Options{}, nil); err == nil {
		t.Error("more distributions than are optimised are accepted")
	}
}
