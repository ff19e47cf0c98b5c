package sandwich_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/grid/longtest"
)

// trial is the result of a trial: log Z, with a second on the clock and 10 evaluations.
func trial(model string, data int, estimator string, knob, number int, logZ float64) sweep.Row {
	numbers := make([]float64, len(sandwich.TrialStudy().Declaration.Sweep().Values))
	for i := range numbers {
		numbers[i] = math.NaN()
	}
	numbers[0], numbers[7], numbers[8] = logZ, 10, 1
	return result(model, data, estimator, knob, number, numbers)
}

// result is the result of a trial with all its numbers, or one that has failed if there are none.
func result(model string, data int, estimator string, knob, number int, numbers []float64) sweep.Row {
	cell := sweep.Cell{}
	for _, p := range [][2]string{
		{sandwich.ParamModel, model}, {sandwich.ParamRows, "6"}, {sandwich.ParamColumns, "4"},
		{sandwich.ParamSeed, "1"}, {sandwich.ParamData, fmt.Sprint(data)},
		{sandwich.ParamEstimator, estimator}, {sandwich.ParamKnob, fmt.Sprint(knob)},
		{sandwich.ParamTrial, fmt.Sprint(number)},
	} {
		cell = append(cell, subject.Param{Name: p[0], Value: p[1]})
	}
	if numbers == nil {
		return sweep.Row{Cell: cell, Error: "it ran out of luck"}
	}
	return sweep.Row{Cell: cell, Values: &sweep.Values{Numbers: numbers}}
}

// results are those of an estimator with one setting on one data set.
func results(model string, data int, estimator string, knob int, logs ...float64) (out []sweep.Row) {
	for i, l := range logs {
		out = append(out, trial(model, data, estimator, knob, i+1, l))
	}
	return out
}

// byHand are the results of a comparison on two data sets: the truth of the first is -10, of the
// second -21.
func byHand() (all []sweep.Row) {
	const m = "clustering"
	for _, some := range [][]sweep.Row{
		results(m, 1, "lw", 1, -12, -16), results(m, 2, "lw", 1, -40, -50),
		results(m, 1, "lw", 3, -13, -11), results(m, 2, "lw", 3, -25, -25),
		results(m, 1, "ais", 10, -14, -12), results(m, 2, "ais", 10, -25, -23),
		results(m, 1, "ais", 30, -11, -10), results(m, 2, "ais", 30, -22, -21),
		results(m, 1, "rais", 10, -7, -7), results(m, 2, "rais", 10, -18, -16),
		results(m, 1, "rais", 30, -10, -9), results(m, 2, "rais", 30, -20.5, -20.5),
		results(m, 1, "smc", 0, -8.5, -6.5), results(m, 2, "smc", 0, -21, -21),
	} {
		all = append(all, some...)
	}
	return all
}

func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
}

// mustRows sums up results.
func mustRows(t *testing.T, results []sweep.Row) []compare.Row {
	t.Helper()
	return longtest.Must(compare.Rows(results))(t)
}

// find returns the row of an estimator with a setting on a data set.
func find(t *testing.T, rows []compare.Row, estimator string, setting, data int) compare.Row {
	t.Helper()
	for _, r := range rows {
		if r.Estimator == estimator && r.Setting == setting && r.Data == data {
			return r
		}
	}
	t.Fatalf("no row of %s with %d on data set %d", estimator, setting, data)
	return compare.Row{}
}

// TestRowsByHand: means, the truth and its doubt, errors of single trials and of all together, and
// shares above the truth.
func TestRowsByHand(t *testing.T) {
	rows := mustRows(t, byHand())
	if len(rows) != 14 {
		t.Fatalf("%d rows", len(rows))
	}
	lw := find(t, rows, "lw", 1, 1)
	combined := math.Log((math.Exp(-12) + math.Exp(-16)) / 2)
	for name, pair := range map[string][2]float64{
		"mean": {lw.Mean, -14}, "se": {lw.SE, 2}, "sd": {lw.SD, math.Sqrt(8)}, "truth": {lw.Truth, -10},
		"doubt": {lw.Doubt, 0.5}, "bias": {lw.Bias, -4},
		"rmse": {lw.RMSE, math.Sqrt((4 + 36) / 2.0)}, "combined": {lw.Combined, combined},
		"combined error": {lw.CombinedError, combined + 10},
		"above 1":        {lw.Above1, 0}, "above 3": {lw.Above3, 0}, "work": {lw.Work, 10},
		"seconds": {lw.Seconds, 1}, "steps": {lw.Steps, math.NaN()},
	} {
		if !near(pair[0], pair[1]) {
			t.Errorf("lw: %s is %v, want %v", name, pair[0], pair[1])
		}
	}
	if lw.Model != "clustering" || lw.Rows != 6 || lw.Columns != 4 || lw.Trials != 2 || lw.Knob != "K" ||
		lw.Exact || lw.Legend != "LW" || len(lw.Notes) != 0 {
		t.Errorf("%+v", lw)
	}
	// The largest T of each direction makes the truth, and has no error. A smaller one has.
	for _, name := range []string{"ais", "rais"} {
		if r := find(t, rows, name, 30, 2); !near(r.Truth, -21) || !near(r.Doubt, 0.5) ||
			!math.IsNaN(r.RMSE) || !math.IsNaN(r.CombinedError) ||
			!math.IsNaN(r.Above1) || len(r.Notes) != 1 ||
			r.Notes[0] != "the ground truth comes from these trials" {
			t.Errorf("%+v", r)
		}
	}
	if r := find(t, rows, "rais", 10, 1); !near(r.RMSE, 3) || r.Above1 != 1 || r.Above3 != 0 ||
		!near(r.Combined, -7) || !r.Exact {
		t.Errorf("%+v", r)
	}
	// M = 0 is a setting as any other.
	if r := find(t, rows, "smc", 0, 1); !near(r.RMSE, math.Sqrt((2.25+12.25)/2)) || r.Above1 != 1 ||
		r.Above3 != 0.5 || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestMissingTrials: a setting with fewer than two trials has no row, one with a failure says so,
// and without annealing in both directions there is no truth.
func TestMissingTrials(t *testing.T) {
	all := []sweep.Row{}
	for _, r := range byHand() {
		if r.Cell.Get(sandwich.ParamEstimator) != "rais" &&
			(r.Cell.Get(sandwich.ParamKnob) != "3" || r.Cell.Get(sandwich.ParamTrial) == "1") {
			all = append(all, r)
		}
	}
	all = append(all, result("clustering", 1, "smc", 0, 3, nil))
	rows := mustRows(t, all)
	if len(rows) != 2*4 {
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		if r.Estimator == "lw" && r.Setting == 3 {
			t.Errorf("of one trial there is a row %+v", r)
		}
		if !math.IsNaN(r.Truth) || !math.IsNaN(r.Bias) || !math.IsNaN(r.RMSE) ||
			!strings.Contains(strings.Join(r.Notes, ";"), "no ground truth: annealing has not run in both directions") {
			t.Errorf("%+v", r)
		}
	}
	if r := find(t, rows, "smc", 0, 1); r.Trials != 2 ||
		!strings.Contains(strings.Join(r.Notes, ";"), "1 trials failed: it ran out of luck") {
		t.Errorf("%+v", r)
	}
	if rows, err := compare.Rows(nil); err != nil || len(rows) != 0 || len(compare.Thresholds(rows)) != 0 ||
		len(compare.SeriesOf(rows)) != 0 || len(compare.Doubtful(rows)) != 0 {
		t.Errorf("of nothing: %v, %v", rows, err)
	}
}

// TestVariants: nested sampling gives four rows with their own steps, and variational Bayes two.
func TestVariants(t *testing.T) {
	var all []sweep.Row
	for i := range 2 {
		all = append(all,
			result("clustering", 1, "ns", 3, i+1, []float64{-1, math.NaN(), -2, -3, -4, 100, 50, 7, 1}),
			result("clustering", 1, "vb", 1, i+1,
				[]float64{-5, -6, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), 7, 1}))
	}
	rows := mustRows(t, all)
	for name, want := range map[string][2]float64{
		"ns": {-1, 100}, "ns:unbiased": {-2, 100}, "ns:early": {-3, 50}, "ns:unbiased:early": {-4, 50},
		"vb": {-5, math.NaN()}, "vb:sym": {-6, math.NaN()},
	} {
		setting := 3
		if strings.HasPrefix(name, "vb") {
			setting = 1
		}
		if r := find(t, rows, name, setting, 1); r.Mean != want[0] || !near(r.Steps, want[1]) || r.SD != 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if len(rows) != 6 {
		t.Errorf("%d rows", len(rows))
	}
}

// TestCombine: what trials give together, by hand.
func TestCombine(t *testing.T) {
	for estimator, want := range map[string]float64{
		"lw": math.Log(2), "hme": math.Log(1.5), "vb": math.Log(3), "ns": math.Log(3) / 2} {
		r := find(t, mustRows(t, results("clustering", 1, estimator, 3, 0, math.Log(3))), estimator, 3, 1)
		if !near(r.Combined, want) || !near(r.Mean, math.Log(3)/2) {
			t.Errorf("%s: %v, want %v, and the mean is %v", estimator, r.Combined, want, r.Mean)
		}
	}
}

// trialStudies lists the study of the trials alone.
func trialStudies() sweep.Studies {
	return sweep.Studies{List: []*subject.Question{sandwich.TrialStudy().Declaration.Sweep()}}
}

// TestThresholds: over both data sets, the best setting and the first that is accurate, and the
// rest of the largest that has errors.
func TestThresholds(t *testing.T) {
	rows := mustRows(t, byHand())
	all := compare.Thresholds(rows)
	at := map[string]compare.Threshold{}
	for _, th := range all {
		at[th.Estimator] = th
	}
	if len(all) != 4 {
		t.Fatalf("%d rows", len(all))
	}
	// Squared errors with K = 1 are (4 + 36)/2 and (361 + 841)/2, and with K = 3 (9 + 1)/2 and 16.
	lw := at["lw"]
	combined := [2]float64{math.Log((math.Exp(-13)+math.Exp(-11))/2) + 10, -4}
	for name, pair := range map[string][2]float64{
		"best": {lw.Best, math.Sqrt((5 + 16) / 2.0)}, "setting": {float64(lw.Setting), 3},
		"first seconds": {lw.FirstSeconds, 1},
		"bias":          {lw.Bias, -3}, "bias se": {lw.BiasSE, 1},
		"combined": {lw.CombinedRMSE, math.Sqrt((combined[0]*combined[0] + 16) / 2)},
		"above":    {lw.Above1, 0},
	} {
		if !near(pair[0], pair[1]) {
			t.Errorf("lw: %s is %v, want %v", name, pair[0], pair[1])
		}
	}
	if ais := at["ais"]; ais.Setting != 10 || !near(ais.Bias, -3) || ais.Datasets != 2 {
		t.Errorf("%+v", ais)
	}
	// If no setting is accurate there is no first one.
	far := mustRows(t, append(byHand(),
		append(results("clustering", 1, "hme", 1, 5, 5), results("clustering", 2, "hme", 1, -21, -21)...)...))
	for _, th := range compare.Thresholds(far) {
		if th.Estimator == "hme" &&
			(!near(th.Best, math.Sqrt(225.0/2)) || !math.IsNaN(th.FirstSeconds) || !near(th.Above3, 0.5)) {
			t.Errorf("%+v", th)
		}
	}
	// Doubt of half a nat each way is an agreement to one nat.
	if doubtful := compare.Doubtful(rows); len(doubtful) != 0 {
		t.Errorf("%+v", doubtful)
	}
	wider := mustRows(t, append(byHand(), results("clustering", 2, "rais", 100, -20.4, -20.4)...))
	if doubtful := compare.Doubtful(wider); len(doubtful) != 1 || doubtful[0].Data != 2 {
		t.Errorf("%+v", doubtful)
	}
}

// fewMoves are options of a comparison of two estimators and of those that make the ground truth.
func small() compare.Options {
	return compare.Options{
		Models:     []string{"clustering:2", "binary:2"},
		Rows:       6,
		Columns:    4,
		Datasets:   2,
		Estimators: []string{"smc", "lw"},
		Trials:     3,
		Budget:     0.01,
		Seed:       4,
	}
}

// TestPlanFollowsTheBudget: a ladder goes on as long as all trials of all its steps together take
// no more than the budget, by the study's own estimate.
func TestPlanFollowsTheBudget(t *testing.T) {
	o := small()
	for _, budget := range []float64{0.001, 0.01, 0.1, 1} {
		o.Budget = budget
		plan := longtest.Must(o.Plan(trialStudies()))(t)
		knobs := map[string][]int{}
		for i := range plan.Sweep.Len() {
			a := longtest.Must(sandwich.AttemptOf(subject.Params(plan.Sweep.Cell(i))))(t)
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
				if len(got) < len(by.Ladder) &&
					cost+float64(o.Trials)*set.Seconds(by, by.Ladder[len(got)]) <= budget {
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
	identity := func(change func(*compare.Options)) string {
		o := small()
		change(&o)
		plan := longtest.Must(o.Plan(trialStudies()))(t)
		return fmt.Sprint(plan.Sweep.ID())
	}
	first := identity(func(*compare.Options) {})
	if again := identity(func(*compare.Options) {}); again != first {
		t.Errorf("%s, and again %s", first, again)
	}
	for name, change := range map[string]func(*compare.Options){
		"models":     func(o *compare.Options) { o.Models = o.Models[:1] },
		"rows":       func(o *compare.Options) { o.Rows++ },
		"columns":    func(o *compare.Options) { o.Columns++ },
		"data sets":  func(o *compare.Options) { o.Datasets++ },
		"estimators": func(o *compare.Options) { o.Estimators = nil; o.Budget = 10 },
		"trials":     func(o *compare.Options) { o.Trials++ },
		"budget":     func(o *compare.Options) { o.Budget *= 10 },
		"seed":       func(o *compare.Options) { o.Seed = subject.MaxNumber },
	} {
		if identity(change) == first {
			t.Errorf("%s: the sweep is the same", name)
		}
	}
}

// TestPlanRefuses: what makes no sense, and a budget that does not pay for the trials of a first
// step. That is said with what they cost.
func TestPlanRefuses(t *testing.T) {
	for want, change := range map[string]func(*compare.Options){
		"no model is given":     func(o *compare.Options) { o.Models = nil },
		"did you mean binary?":  func(o *compare.Options) { o.Models = []string{"binry"} },
		"K must be below both":  func(o *compare.Options) { o.Models = []string{"lowrank:4"} },
		"rows 0 and":            func(o *compare.Options) { o.Rows = 0 },
		"columns 0;":            func(o *compare.Options) { o.Columns = 0 },
		"datasets 0;":           func(o *compare.Options) { o.Datasets = 0 },
		"chains 1;":             func(o *compare.Options) { o.Trials = 1 },
		"time 0 seconds":        func(o *compare.Options) { o.Budget = 0 },
		"time -1 seconds":       func(o *compare.Options) { o.Budget = -1 },
		"time 1e+08 seconds":    func(o *compare.Options) { o.Budget = 1e8 },
		"seed 1000000000000001": func(o *compare.Options) { o.Seed = subject.MaxNumber + 1 },
		"did you mean smc?":     func(o *compare.Options) { o.Estimators = []string{"sm"} },
		"of the kind clustering": func(o *compare.Options) {
			o.Models = []string{"lowrank:2"}
			o.Estimators = []string{"vb:truth"}
		},
		"from 2 to": func(o *compare.Options) { o.Estimators = []string{"ns:1"} },
		"time 1e-09s is too small: one trial of lw with K = 1 on clustering:2 takes about": func(o *compare.Options) {
			o.Budget = 1e-9
		},
	} {
		o := small()
		change(&o)
		plan, err := o.Plan(trialStudies())
		if err == nil || plan != nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
