package annealing_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/experiments/annealing/frontier"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// routes returns the routes to toys, geometric from the uniform distribution.
func routes(t testing.TB, toys ...string) []subject.Route {
	t.Helper()
	return longtest.Must(subject.Selection{Toys: toys, Path: "geometric", Initial: "uniform"}.Routes(context.Background(), nil))(t)
}

// options returns the standard options with other kernels, repeats, schedules and budgets.
func options(kernels, schedules string, repeats []int, work ...float64) frontier.Options {
	o := frontier.Study().Standard
	o.Kernels, o.Schedules, o.Repeats, o.Work = strings.Split(kernels, ","), strings.Split(schedules, ","), repeats, work
	return o
}

// say writes all of a row.
func say(r *frontier.Row) string {
	return fmt.Sprint(r.Parts(), r.Budget, r.Spent, r.Value(), r.Worse, r.Note())
}

// TestEveryCombination: the rows are those of all combinations, each annealing made by hand with
// the largest T that counting its evaluations allows, in the order of their J, and by how much they
// are worse.
func TestEveryCombination(t *testing.T) {
	type answer struct {
		name string
		J, B float64
	}
	evaluations := map[string]int{"metropolis": 1, "barker": 1, "heatbath": 6}
	for _, toy := range subject.PaperToys() {
		target := longtest.Must(toys.Parse(toy))(t)
		path := longtest.Must(paths.NewGeometric(nil, target.G))(t)
		rows := casetest.Rows(t, frontier.Study(), routes(t, toy), options("metropolis,barker,heatbath", "linear,sigmoid", []int{1, 3}, 60, 400))
		for _, work := range []int{60, 400} {
			var want []answer
			for _, kernel := range []string{"metropolis", "barker", "heatbath"} {
				for _, repeat := range []int{1, 3} {
					for _, schedule := range []chains.Schedule{schedules.Linear{}, schedules.Sigmoid{Delta: 4}} {
						T := 2
						for 1+T*repeat*evaluations[kernel] <= work {
							T++
						}
						k := longtest.Must(kernels.Parse(kernel, target.Space))(t)
						if repeat > 1 {
							k = longtest.Must(kernels.Parse(fmt.Sprintf("repeat:%d:%s", repeat, kernel), target.Space))(t)
						}
						s := longtest.Must(exact.Solve(t.Context(), longtest.Must(chains.NewAnnealing(path, schedule, k, T))(t), exact.Options{}))(t)
						want = append(want, answer{fmt.Sprintf("%s %v %d", chains.NameOf(k), schedule, T), s.J, s.B})
					}
				}
			}
			slices.SortStableFunc(want, func(a, b answer) int {
				if a.J < b.J {
					return -1
				}
				return 1
			})
			for i, w := range want {
				r := &rows[0]
				if name := fmt.Sprintf("%s %s %s", r.Param("kernel"), r.Param("schedule"), r.Param("T")); name != w.name || r.J != w.J || r.B != w.B ||
					r.Budget != float64(work) {
					t.Fatalf("%s, work %d, place %d: %s %v %v, and by hand %+v", toy, work, i, name, r.J, r.B, w)
				}
				if worse := 100 * (w.J/want[0].J - 1); math.Abs(r.Worse-worse) > 1e-10*(1+worse) || r.Spent > r.Budget || r.Spent+
					float64(r.Repeat*evaluations[r.Move]) <= r.Budget {
					t.Errorf("%s: %v%% worse, not %v; it spends %v", w.name, r.Worse, worse, r.Spent)
				}
				rows = rows[1:]
			}
		}
	}
}

// TestRowsWithoutAnswer: what has no answer says why, is last, and takes no other row with it.
func TestRowsWithoutAnswer(t *testing.T) {
	path := casetest.File(t, "hostile.csv", "0,-700,-3\n-1,-inf,0\n")
	wide := casetest.File(t, "wide.csv", "0,-700,-3\n-1,-2,0\n")
	for _, c := range []struct {
		toy, kernels, schedules, why string
		work                         float64
		answers, rows                int
	}{
		{"easy", "metropolis,heatbath", "linear", "work 8 is less than the 13 evaluations of two distributions with kernel repeat:2:heatbath", 8, 3, 4},
		{"easy", "metropolis,barker", "linear", "work 0.5 is less than", 0.5, 0, 4},
		{"easy", "stay,lazy:0.5,metropolis", "linear", "stay takes no evaluation", 20, 4, 6},
		{"weight:9:pspin:3:1.5", "metropolis,moore", "linear", "classes of states", 20, 2, 4},
		{"easy", "metropolis,matrix:none.npy", "linear", "none.npy", 20, 2, 4},
		{"easy", "metropolis,lazy:2", "linear", "lazy", 20, 2, 4},
		{"easy", "metropolis", "linear,cess:0.9999", "give more work", 20, 2, 4},
		{"file:" + path, "metropolis", "linear,optimize", "J is +Inf on the linear schedule", 20, 2, 4},
		{"file:" + wide, "metropolis", "linear,optimize", "spans 700 nats", 20, 2, 4},
		{"easy", "metropolis,heatbath-axis:0", "linear,optimize", "", 20, 8, 8},
	} {
		rows := casetest.Rows(t, frontier.Study(), routes(t, c.toy), options(c.kernels, c.schedules, []int{1, 2}, c.work))
		if len(rows) != c.rows {
			t.Fatalf("%+v: %d rows", c, len(rows))
		}
		for i := range rows {
			r := &rows[i]
			answered := i < c.answers
			if answered != (r.Solution != nil) || answered == math.IsNaN(r.Value()) || answered == math.IsNaN(r.Worse) || answered == math.IsNaN(r.Spent) ||
				answered != (r.Why == nil) || !answered && !strings.Contains(r.Note(), c.why) {
				t.Errorf("%+v: row %d: %s", c, i, say(r))
			}
		}
	}
}

// TestRefusedToys: a toy that is refused keeps its name and its place, is ranked by itself, and
// takes no row of the others with it.
func TestRefusedToys(t *testing.T) {
	const wide, wider = "cells:0:-20000:3", "cells:0:-30000:3"
	for _, list := range [][]string{{wide, "barrier:3x3"}, {"barrier:3x3", wide}, {wide}, {wide, wider, "barrier:3x3"}} {
		rows := casetest.Rows(t, frontier.Study(), routes(t, list...), options("metropolis", "linear", []int{1, 2}, 50))
		for i := range rows {
			r := &rows[i]
			if r.Param("toy") != list[i/2] || r.Param("T") == "" || (r.Why == nil) != (list[i/2] == "barrier:3x3") || r.Why == nil && i%2 == 0 && r.Worse != 0 {
				t.Errorf("%v: row %d: %s", list, i, say(r))
			}
		}
		if len(rows) != 2*len(list) {
			t.Errorf("%v: %d rows", list, len(rows))
		}
	}
}

// TestNothingToLose: if the distributions do not differ all are the best, in the order in which
// they were asked for; values that are lost in rounding are alike, and how much worse others are is
// not known.
func TestNothingToLose(t *testing.T) {
	flat := casetest.File(t, "flat.csv", "0,0,0\n")
	rows := casetest.Rows(t, frontier.Study(), routes(t, "file:"+flat), options("metropolis,barker", "linear,optimize,sigmoid", []int{2, 1}, 30))
	for i := range rows {
		r := &rows[i]
		if r.J != 0 || r.Worse != 0 || r.Move != []string{"metropolis", "barker"}[i/6] || r.Repeat != []int{2, 1}[i/3%2] ||
			r.Schedule != []string{"linear", "optimize", "sigmoid"}[i%3] {
			t.Errorf("row %d: %s", i, say(r))
		}
	}
	rows = casetest.Rows(t, frontier.Study(), routes(t, "easy"), options("metropolis", "linear,curve:0:1:1:1:1,curve:0:0.9:1:1:1:1", []int{40}, 20000))
	if first, last := &rows[0], &rows[len(rows)-1]; first.ErrorJ < 0.1 || first.Worse != 0 || rows[1].Worse != 0 || last.ErrorJ > 0.1 || !math.IsNaN(last.Worse) {
		t.Errorf("%s\n%s\n%s", say(first), say(&rows[1]), say(last))
	}
}

func TestFrontierWorkers(t *testing.T) {
	longtest.Only(t)
	o := options("metropolis,heatbath", "linear,acceptance,friction,optimize", []int{1, 2}, 30, 100)
	casetest.SameForAnyWorkers(t, frontier.Study(), routes(t, "easy", "barrier"), o, say)
	casetest.Ends(t, frontier.Study(), routes(t, "easy"), o)
}

func TestFrontierRefuses(t *testing.T) {
	for want, change := range map[string]func(o *frontier.Options){
		"work 0; give evaluations":                        func(o *frontier.Options) { o.Work = []float64{10, 0} },
		"work -3; give evaluations":                       func(o *frontier.Options) { o.Work = []float64{-3} },
		"work NaN; give evaluations":                      func(o *frontier.Options) { o.Work = []float64{math.NaN()} },
		"hours on one core, and the limit is one":         func(o *frontier.Options) { o.Work = []float64{1e11} },
		"unknown kernel \"metropolys\"":                   func(o *frontier.Options) { o.Kernels = []string{"metropolis", "metropolys"} },
		"unknown schedule \"optimise\"":                   func(o *frontier.Options) { o.Schedules = []string{"optimise"} },
		"repeats 0; a stage has at least one kernel step": func(o *frontier.Options) { o.Repeats = []int{0} },
		"each need a value":                               func(o *frontier.Options) { o.Repeats = nil },
		"rows -1; give a number of rows":                  func(o *frontier.Options) { o.Best = -1 },
	} {
		o := frontier.Study().Standard
		change(&o)
		casetest.Refuses(t, frontier.Study(), routes(t, "easy"), o, want)
	}
}
