package schedule_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// improvable returns the case of a toy with a schedule.
func improvable(t *testing.T, toy, schedule string, T int) subject.Case {
	t.Helper()
	s := casetest.Selection([]int{T}, toy)
	s.Schedule = schedule
	return casetest.MustCases(t, s)[0]
}

// TestImprove: on the way come schedules of ever smaller objectives, each of which a solution
// confirms, the first of them the linear one; the end is the last of them, beside the schedule of
// the case.
func TestImprove(t *testing.T) {
	longtest.Only(t)
	for _, objective := range []gradient.Objective{gradient.ObjectiveB, gradient.ObjectiveJ} {
		c := improvable(t, "barrier", "power:3", 8)
		var steps []placement.Step
		got := longtest.Must(
			schedule.Improve(t.Context(), c, schedule.OptimizeOptions{Objective: objective}, study.How{},
				func(s placement.Step) { steps = append(steps, s) }),
		)(t)
		least := math.Inf(1)
		for _, s := range steps {
			a := longtest.Must(chains.NewAnnealing(c.Annealing().Path(), s.Points, c.Annealing().Kernel(), 8))(t)
			want := objective.ValueOf(longtest.Must(exact.Solve(t.Context(), a, exact.Options{}))(t))
			if !(s.Value < least) || math.Abs(s.Value-want) > 1e-11*want || s.Runs > got.After.Optimum.Runs {
				t.Errorf("%s: %v after %d gradients from %s, solved %v, before it %v", objective, s.Value,
					s.Runs, s.Start, want, least)
			}
			least = s.Value
		}
		if len(steps) < 5 || steps[0].Start != "linear" ||
			math.Abs(steps[0].Value-got.After.Optimum.Linear.Value) > 1e-12 ||
			math.Abs(least-got.After.Optimum.Value) > 1e-11*least {
			t.Errorf("%s: %d steps from %+v to %v, the optimum is %v", objective, len(steps), steps[0],
				least, got.After.Optimum.Value)
		}
		own := got.Before.B
		best := got.After.B
		ratio := got.Before.BOverOptimum
		if objective == gradient.ObjectiveJ {
			own = got.Before.J
			best = got.After.J
			ratio = got.Before.JOverOptimum
		}
		if !(own.Value > best.Value) || best.Value != got.After.Optimum.Value ||
			ratio.Value != own.Value/best.Value || got.Before.Param("schedule") != "power:3" {
			t.Errorf("%s: %v before, %v after, ratio %v", objective, own, best, ratio)
		}
	}
}

func TestImproveRefuses(t *testing.T) {
	ctx := context.Background()
	if _, err := schedule.Improve(ctx, improvable(t, "easy", "linear", 100_001),
		schedule.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{},
		nil); err == nil {
		t.Error("more distributions than are optimised are accepted")
	}
	c := improvable(t, "easy", "linear", 10)
	c.Algorithm = casetest.MovedBy(t, c.Annealing(), casetest.Stuck{})
	longtest.Refuses(schedule.Improve(ctx, c, schedule.OptimizeOptions{Objective: gradient.ObjectiveB},
		study.How{}, nil))(t, "toy easy, T = 10: ")
}

// TestScheduleSwept: a sweep keeps the objective on the case's own schedule, on the linear one and
// on the best one, each of which the study of tightness confirms, and has their ratios.
func TestScheduleSwept(t *testing.T) {
	ctx := context.Background()
	swept := schedule.Optimize().Declaration.Sweep()
	cases := []subject.Case{
		improvable(t, "barrier:3x3", "power:3", 6), improvable(t, "barrier:3x3", "linear", 6)}
	exact := casetest.Rows(t, tightness.Study(), cases, tightness.Options{})
	longtest.Refuses(study.Run(ctx, schedule.Optimize(), cases, schedule.OptimizeOptions{}, study.How{}))(t,
		"unknown objective",
		"no objective",
	)
	for i, objective := range []gradient.Objective{gradient.ObjectiveB, gradient.ObjectiveJ} {
		o := longtest.Must(swept.SolveRow(ctx, forms.Reader(),
			append(cases[0].Parts(), subject.Param{Name: "objective", Value: string(objective)})))(t)
		rows := casetest.Rows(
			t,
			schedule.Optimize(),
			casetest.MustCases(t, casetest.Selection([]int{6}, "barrier:3x3")),
			schedule.OptimizeOptions{Objective: objective},
		)
		own := [2]float64{exact[0].B, exact[0].J}[i]
		linear := [2]float64{exact[1].B, exact[1].J}[i]
		best := rows[0].Value
		for name, want := range map[string]float64{
			"value": own, "optimum": best, "value_over_optimum": own / best,
			"linear_over_optimum": linear / best, "converged": 1,
		} {
			if got := swept.Value(name, o.Numbers); !(math.Abs(got-want) <= 1e-12*want) {
				t.Errorf("%s: %s is %v in a sweep, want %v", objective, name, got, want)
			}
		}
	}
}

// TestCompareSchedules: each problem has a row for each family and for the two optima, whose values
// no family beats; the linear schedule has the B of the tightness study. A family that is none is
// an error, and so is an end of the context.
func TestCompareSchedules(t *testing.T) {
	s := casetest.Selection([]int{4, 6}, "easy")
	cases := casetest.MustCases(t, s)
	of := func(schedules ...string) schedule.CompareOptions {
		return schedule.CompareOptions{Schedules: schedules}
	}
	compared, err := study.Run(context.Background(), schedule.Compare(), cases,
		of("linear", "power:2", "best:B", "best:J"), study.How{})
	if err != nil || len(compared) != 2*4 {
		t.Fatalf("%+v, %v", compared, err)
	}
	rows := casetest.Rows(t, tightness.Study(), cases, tightness.Options{})
	for i, r := range rows {
		linear := compared[4*i]
		bestB := compared[4*i+2]
		bestJ := compared[4*i+3]
		if bestB.Optimum == nil || bestJ.Optimum == nil || linear.Optimum != nil {
			t.Fatalf("T = %d: which schedules are the best is not said", r.Distributions())
		}
		if !(math.Abs(linear.B.Value-r.B) <= 1e-12*r.B) || linear.Distributions() != r.Distributions() {
			t.Errorf("T = %d: the linear schedule has B = %v, and %v in the tightness study",
				r.Distributions(), linear.B, r.B)
		}
		for _, row := range compared[4*i : 4*i+4] {
			if best := bestB.Optimum.Value; !(row.B.Value >= best*(1-1e-12)) || math.IsNaN(best) {
				t.Errorf("T = %d: schedule %s has B = %v, below the best, %v", r.Distributions(),
					row.Param("schedule"), row.B, best)
			}
		}
	}
	casetest.Ends(t, schedule.Compare(), cases, of("linear", "best:B"))
	plain, err := study.Run(context.Background(), schedule.Compare(), cases, of("power:2", "linear"), study.How{})
	if err != nil || len(plain) != 2*2 {
		t.Fatalf("plain schedules alone: %+v, %v", plain, err)
	}
	for i, r := range plain {
		if with := compared[4*(i/2)+1-i%2]; r.Optimum != nil || !math.IsNaN(r.BOverOptimum.Value) ||
			r.B != with.B || r.AsymptoticTB != with.AsymptoticTB {
			t.Errorf("%s alone: B %v, B/best %v; beside the best ones %v", &r.Case, r.B, r.BOverOptimum, with.B)
		}
	}
	casetest.Refuses(t, schedule.Compare(), cases, of("steep"), "steep")
	casetest.Refuses(t, schedule.Compare(), cases, of("best:C"), "best:C")
	// No best schedule is looked for of that many distributions.
	long := casetest.MustCases(t, casetest.Selection([]int{200_000}, "barrier:3x3"))
	if _, err := schedule.Compare().Plan(
		context.Background(),
		long,
		&schedule.CompareOptions{Schedules: []string{"linear"}},
	); err != nil {
		t.Errorf("a plain schedule over many distributions: %v", err)
	}
	if _, err := schedule.Compare().Plan(
		context.Background(),
		long,
		&schedule.CompareOptions{Schedules: []string{"best:J"}},
	); err == nil {
		t.Error("a best schedule of too many distributions is looked for")
	}
}

// TestCompareWhereFIsZero: schedules that need derivatives, or steps that can be compared, have
// rows that say so, and the others have B and J. B is finite where the start has the zeros of the
// target.
func TestCompareWhereFIsZero(t *testing.T) {
	file := longtest.File(t, "f.txt", "0 -inf 1 3 -2\n")
	for _, initial := range []string{"uniform", "tempered:0.1"} {
		s := casetest.Selection([]int{10}, "file:"+file)
		s.Initial = initial
		rows, err := study.Run(t.Context(), schedule.Compare(), casetest.MustCases(t, s), schedule.CompareOptions{
			Schedules: []string{"linear", "power:2", "friction", "cess", "best:B"},
		}, study.How{})
		if err == nil || len(rows) != 5 {
			t.Errorf("%d rows, %v", len(rows), err)
		}
		for i, r := range rows {
			solved := i < 2
			if solved != !math.IsNaN(r.J.Value) || !solved && r.Note == "" ||
				solved && math.IsInf(r.B.Value, 1) != (initial == "uniform") {
				t.Errorf("%s, %s: J %v, B %v, %q", initial, r.Param("schedule"), r.J, r.B, r.Note)
			}
		}
	}
}

// TestCompareLeavesTheLimitOut: on many states the limit of T B is there where a schedule needs the
// same integral, and else a note says how to have it.
func TestCompareLeavesTheLimitOut(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{3}, "random:1:1:12x12"))
	for i, of := range [][]string{{"linear"}, {"linear", "friction"}} {
		rows := longtest.Must(study.Run(
			t.Context(),
			schedule.Compare(),
			cases,
			schedule.CompareOptions{Schedules: of},
			study.How{},
		))(t)
		if left := math.IsNaN(rows[0].AsymptoticTB.Value) &&
			strings.Contains(rows[0].Note, "list friction among the schedules"); left != (i == 0) ||
			!(rows[0].B.Value > 0) {
			t.Errorf("%q: B %v, T B tends to %v, %s", of, rows[0].B, rows[0].AsymptoticTB, rows[0].Note)
		}
	}
}

// TestScheduleForSuccess: the least objective is -log of the probability at the end that success
// computes, which moves masses in another way. Classes of states are refused.
func TestScheduleForSuccess(t *testing.T) {
	o := schedule.OptimizeOptions{Objective: gradient.ObjectiveSuccess}
	for _, toy := range []string{"easy", "ising:2x2:0.6"} {
		r := casetest.Rows(t, schedule.Optimize(), []subject.Case{improvable(t, toy, "linear", 8)}, o)[0]
		if p := r.Success.End.Value; !r.Converged || math.Abs(r.Value+math.Log(p)) > 1e-12 ||
			math.Abs(r.Own.Value-r.Linear.Value) > 1e-12 || !(r.Value < r.Linear.Value) {
			t.Errorf("%s: %v ends in a best state, objective %v, linear %v and %v, converged %v", toy, p,
				r.Value, r.Own, r.Linear, r.Converged)
		}
	}
	classes := []subject.Case{improvable(t, "curie-weiss:6:1.2", "linear", 8)}
	longtest.Refuses(study.Run(t.Context(), schedule.Optimize(), classes, o, study.How{}))(t, "takes single states")
}

// TestScheduleForTTS: the least objective is -log of the probability on the way that success
// computes, and the time to solution is no longer than on the linear schedule, and on the one that
// most likely ends in a best state.
func TestScheduleForTTS(t *testing.T) {
	shorter := 0
	for _, toy := range []string{"ising:2x3:1", "qubo:../../../toys/energies/testdata/gaps6.qubo:1.5",
		"ising-file:../../../toys/energies/testdata/spins.txt:1", "easy"} {
		for _, T := range []int{12, 30} {
			if (T > 12 || toy == "easy") && !longtest.Enabled() {
				continue
			}
			c := improvable(t, toy, "linear", T)
			o := schedule.OptimizeOptions{Objective: gradient.ObjectiveTTS}
			r := casetest.Rows(t, schedule.Optimize(), []subject.Case{c}, o)[0]
			linear := casetest.Rows(t, success.Study(), []subject.Case{c}, success.Options{Levels: 1})[0]
			o.Objective = gradient.ObjectiveSuccess
			end := casetest.Rows(t, schedule.Optimize(), []subject.Case{c}, o)[0].Success.TTS().Value
			if math.Abs(r.Value+math.Log(r.Success.Seen.Value)) > 1e-12 ||
				math.Abs(r.Linear.Value+math.Log(linear.Seen.Value)) > 1e-12 {
				t.Errorf("%s, T = %d: p_seen %v and linear %v, objectives %v and %v", toy, T, r.Success.Seen,
					linear.Seen, r.Value, r.Linear)
			}
			if v := r.Success.TTS().Value; v > linear.TTS().Value || v > end {
				t.Errorf("%s, T = %d: TTS %v, linear %v, and for success at the end %v", toy, T,
					v, linear.TTS().Value, end)
			} else if v < end {
				shorter++
			}
		}
	}
	if shorter == 0 {
		t.Error("no schedule has a shorter time than that for success at the end")
	}
}

// The schedule of ten distributions on EASY whose bound is least, and the bound of the linear one.
func Example_scheduleOptimize() {
	ctx := context.Background()
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"easy"},
		Distributions: []int{10},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(ctx)
	rows, err := study.Run(ctx, schedule.Optimize(), cases,
		schedule.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("B = %.4f nats, linear %.4f\n", rows[0].Value, rows[0].Linear.Value)
	// Output:
	// B = 1.5972 nats, linear 1.6806
}

// A schedule that is not the best for B, and how the search comes to the one that is.
func Example_scheduleImprove() {
	ctx := context.Background()
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"easy"},
		Distributions: []int{10},
		Path:          "geometric",
		Schedule:      "power:2",
		Kernel:        "metropolis",
	}.Cases(ctx)
	steps := 0
	least := 0.0
	best, err := schedule.Improve(ctx, cases[0], schedule.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{},
		func(s placement.Step) {
			steps = steps + 1
			least = s.Value
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("B = %.4f nats before, %.4f after; the last of several steps had %.4f: %t\n",
		best.Before.B.Value, best.After.B.Value, least, steps > 3)
	// Output:
	// B = 1.7516 nats before, 1.5972 after; the last of several steps had 1.5972: true
}
