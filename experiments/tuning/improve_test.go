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
	"breadboard/experiments/study"
	"breadboard/experiments/tuning"
	"breadboard/grid/longtest"
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
		got, err := tuning.Improve(ctx, c, tuning.OptimizeOptions{Objective: objective, Iterations: 300}, study.How{}, func(s placement.Step) { steps = append(steps, s) })
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
			if want := objective.Of(sol); !(s.Value < least) || math.Abs(s.Value-want) > 1e-11*want || s.Runs > got.After.Optimum.Runs {
				t.Errorf("%s: %v after %d gradients from %s, solved %v, before it %v", objective, s.Value, s.Runs, s.Start, want, least)
			}
			least = s.Value
		}
		if len(steps) < 5 || steps[0].Start != "linear" || math.Abs(steps[0].Value-got.After.Optimum.Linear) > 1e-12 {
			t.Errorf("%s: %d steps, the first is %+v", objective, len(steps), steps[0])
		}
		if math.Abs(least-got.After.Optimum.Value) > 1e-11*least {
			t.Errorf("%s: the last step has %v, the optimum %v", objective, least, got.After.Optimum.Value)
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
		if !(own > best) || best != got.After.Optimum.Value || ratio != own/best || !math.IsNaN(other) {
			t.Errorf("%s: %v before, %v after, ratio %v, the other %v", objective, own, best, ratio, other)
		}
	}
}

// TestImproveNeverLoses: from a schedule that is the best already the search does not go to one that is worse.
func TestImproveNeverLoses(t *testing.T) {
	ctx := context.Background()
	c := improvable(t, "easy", "linear", 5)
	first, err := tuning.Improve(ctx, c, tuning.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Params, c.Algorithm = first.After.Params, first.After.Algorithm
	again, err := tuning.Improve(ctx, c, tuning.OptimizeOptions{Objective: gradient.ObjectiveB, Iterations: 1}, study.How{}, nil)
	if err != nil || again.After.B > again.Before.B*(1+1e-12) {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestImproveIsGivenUp: where the context ends before the search, at its first schedule, within its first gradient or after some steps, it
// returns at once, also on a large space where the whole search would take hours.
func TestImproveIsGivenUp(t *testing.T) {
	longtest.NotShort(t)
	large, small := improvable(t, "random:2:1:25x25", "linear", 100_000), improvable(t, "barrier", "power:3", 8)
	for name, give := range map[string]struct {
		c            experiments.Case
		looks, steps int // after which it is given up
	}{
		"before": {large, 0, -1}, "within": {large, 300, -1}, "at once": {small, -1, 1}, "after some steps": {small, -1, 3},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		n, begin := 0, time.Now()
		_, err := tuning.Improve(&looking{ctx, cancel, give.looks}, give.c, tuning.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{Workers: 1}, func(placement.Step) {
			if n++; n == give.steps {
				cancel()
			}
		})
		if took := time.Since(begin); !errors.Is(err, context.Canceled) || give.steps > 0 && n > give.steps || took > longtest.Patience {
			t.Errorf("%s: %v after %d steps and %v", name, err, n, took)
		}
		cancel()
	}
}

// looking is a context that ends when it has been looked at so many times.
type looking struct {
	context.Context
	end   func()
	looks int
}

// Err implements context.Context.
func (l *looking) Err() error {
	if l.looks--; l.looks == -1 {
		l.end()
	}
	return l.Context.Err()
}

func TestImproveRefuses(t *testing.T) {
	ctx := context.Background()
	if _, err := tuning.Improve(ctx, improvable(t, "easy", "linear", 100_001), tuning.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{}, nil); err == nil {
		t.Error("more distributions than are optimised are accepted")
	}
}
