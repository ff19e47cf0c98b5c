package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// small are options of a comparison of two estimators and of those that make the ground truth.
func small() Options {
	return Options{Models: []string{"clustering:2", "binary:2"}, Rows: 6, Columns: 4, Datasets: 2, Estimators: []string{"smc", "lw"}, Trials: 3, Budget: 0.01, Seed: 4}
}

// TestPlanFollowsTheBudget: a ladder goes on as long as all trials of all its steps together take no more than the budget, by the study's own estimate.
func TestPlanFollowsTheBudget(t *testing.T) {
	o := small()
	for _, budget := range []float64{0.001, 0.01, 0.1, 1} {
		o.Budget = budget
		plan := longtest.Must(o.Plan(trials()))(t)
		knobs := map[string][]int{}
		for i := range plan.Sweep.Len() {
			a := longtest.Must(sandwich.AttemptOf(experiments.Params(plan.Sweep.Cell(i))))(t)
			if key := a.Model.Name + " " + a.By.Name; !slices.Contains(knobs[key], a.Knob) {
				knobs[key] = append(knobs[key], a.Knob)
			}
		}
		total := 0
		for _, model := range o.Models {
			for _, name := range []string{"lw", "ais", "rais", "smc"} {
				by := longtest.Must(sandwich.ChoiceNamed(name))(t)
				got := knobs[model+" "+name]
				slices.Sort(got)
				if len(got) == 0 || !slices.Equal(got, by.Ladder[:len(got)]) {
					t.Fatalf("%v s, %s on %s: %v of the ladder %v", budget, name, model, got, by.Ladder)
				}
				total += len(got)
				m, _ := sandwich.ParseModel(model)
				set := sandwich.Set{Model: m, Rows: o.Rows, Columns: o.Columns}
				cost := 0.0
				for _, knob := range got {
					cost += float64(o.Trials) * set.Seconds(by, knob)
				}
				if cost > budget {
					t.Errorf("%v s, %s on %s: the steps take %v s", budget, name, model, cost)
				}
				if len(got) < len(by.Ladder) && cost+float64(o.Trials)*set.Seconds(by, by.Ladder[len(got)]) <= budget {
					t.Errorf("%v s, %s on %s: there is time for %d", budget, name, model, by.Ladder[len(got)])
				}
			}
		}
		if want := total * o.Trials * o.Datasets; plan.Sweep.Len() != want {
			t.Errorf("%v s: %d trials, want %d", budget, plan.Sweep.Len(), want)
		}
	}
}

// TestPlanIsTheSame: equal options give one sweep, and others another one.
func TestPlanIsTheSame(t *testing.T) {
	identity := func(change func(*Options)) string {
		o := small()
		change(&o)
		plan := longtest.Must(o.Plan(trials()))(t)
		return fmt.Sprint(plan.Sweep.ID())
	}
	first := identity(func(*Options) {})
	if again := identity(func(*Options) {}); again != first {
		t.Errorf("%s, and again %s", first, again)
	}
	for name, change := range map[string]func(*Options){
		"models": func(o *Options) { o.Models = o.Models[:1] }, "rows": func(o *Options) { o.Rows++ }, "columns": func(o *Options) { o.Columns++ },
		"data sets": func(o *Options) { o.Datasets++ }, "estimators": func(o *Options) { o.Estimators = nil; o.Budget = 10 }, "trials": func(o *Options) { o.Trials++ },
		"budget": func(o *Options) { o.Budget *= 10 }, "seed": func(o *Options) { o.Seed = maxSeed },
	} {
		if identity(change) == first {
			t.Errorf("%s: the sweep is the same", name)
		}
	}
}

// TestPlanRefuses: what makes no sense, and a budget that does not pay for the trials of a first step. That is said with what they cost.
func TestPlanRefuses(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"no model is named":      func(o *Options) { o.Models = nil },
		"did you mean binary?":   func(o *Options) { o.Models = []string{"binry"} },
		"K must be below both":   func(o *Options) { o.Models = []string{"lowrank:4"} },
		"rows 0 and":             func(o *Options) { o.Rows = 0 },
		"columns 0;":             func(o *Options) { o.Columns = 0 },
		"datasets 0;":            func(o *Options) { o.Datasets = 0 },
		"trials 1;":              func(o *Options) { o.Trials = 1 },
		"budget 0 seconds":       func(o *Options) { o.Budget = 0 },
		"budget -1 seconds":      func(o *Options) { o.Budget = -1 },
		"budget 1e+08 seconds":   func(o *Options) { o.Budget = 1e8 },
		"seed 1000000000000001":  func(o *Options) { o.Seed = maxSeed + 1 },
		"did you mean smc?":      func(o *Options) { o.Estimators = []string{"sm"} },
		"of the kind clustering": func(o *Options) { o.Models, o.Estimators = []string{"lowrank:2"}, []string{"vb:truth"} },
		"from 2 to":              func(o *Options) { o.Estimators = []string{"ns:1"} },
		"budget 1e-09s is too small: one trial of lw with K = 1 on clustering:2 takes about": func(o *Options) { o.Budget = 1e-9 },
	} {
		o := small()
		change(&o)
		plan, err := o.Plan(trials())
		if err == nil || plan != nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestStudyRuns: the trials are made in memory, each of them counts as a step, and what is done where the context ends is returned.
func TestStudyRuns(t *testing.T) {
	longtest.NotShort(t)
	o, made := small(), 0
	o.Models, o.Datasets = o.Models[:1], 1
	p := longtest.Must(Study().Plan(t.Context(), nil, &o))(t)
	rows, err := p.Run(t.Context(), study.How{Workers: 2, Progress: func(n int) { made += n }})
	if err != nil || made != p.Steps || len(rows) == 0 {
		t.Fatalf("%d rows, %v; %d trials are counted of %d", len(rows), err, made, p.Steps)
	}
	for _, r := range rows {
		if r.Trials != o.Trials || math.IsNaN(r.Mean) {
			t.Errorf("%+v", r)
		}
	}
	for _, after := range []int{0, p.Steps / 2} {
		ctx, cancel := context.WithCancel(t.Context())
		if made = 0; after == 0 {
			cancel()
		}
		some, err := p.Run(ctx, study.How{Workers: 1, Progress: func(n int) {
			if made += n; made == after {
				cancel()
			}
		}})
		if u, is := errors.AsType[experiments.Unfinished](err); !is || u.Finished != after || u.Jobs != p.Steps || len(some) >= len(rows) || (len(some) > 0) != (after > 0) {
			t.Errorf("ended after %d trials: %d rows, %v", after, len(some), err)
		}
	}
}
