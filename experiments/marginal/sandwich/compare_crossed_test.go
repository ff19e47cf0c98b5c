package sandwich_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
)

// crossedTiny are options of a run that takes no time.
func crossedTiny() compare.CrossedOptions {
	return compare.CrossedOptions{
		Models:   []string{"clustering:2", "lowrank:2"},
		Rows:     6,
		Columns:  4,
		T:        20,
		Chains:   3,
		Datasets: 2,
		Seed:     1,
	}
}

// answers returns the rows of a study.
func answers[O, R any](t *testing.T, s *study.Study[study.NoSubjects, O, R], o O) []R {
	t.Helper()
	return longtest.Must(study.Run(t.Context(), s, nil, o, study.How{}))(t)
}

// stepsOf returns how many chains there are.
func stepsOf[O, R any](t *testing.T, s *study.Study[study.NoSubjects, O, R], o O) int {
	t.Helper()
	p := longtest.Must(s.Plan(t.Context(), nil, &o))(t)
	return p.Steps
}

// interrupted returns the rows of a run whose context ends when two thirds of the chains are done,
// within a block of data sets. It fails if the error is not the context's.
func interrupted[O, R any](t *testing.T, s *study.Study[study.NoSubjects, O, R], o O) []R {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	made := 0
	end := stepsOf(t, s, o) * 2 / 3
	rows, err := study.Run(ctx, s, nil, o, study.How{Workers: 1, Progress: func(n int) {
		made += n
		if made >= end {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || !chains.Ended(ctx, err) {
		t.Errorf("error %v", err)
	}
	return rows
}

// timeless returns rows without their seconds, of which no two runs have the same.
func timeless[R any](rows []R, seconds func(*R) *float64) []R {
	rows = slices.Clone(rows)
	for i := range rows {
		*seconds(&rows[i]) = 0
	}
	return rows
}

// crossedTimeless does so for rows of models that are fitted to the data of each other.
func crossedTimeless(rows []compare.CrossedRow) []compare.CrossedRow {
	return timeless(rows, func(r *compare.CrossedRow) *float64 { return &r.Seconds })
}

// TestCrossedRun: the rows stand in their order, differences are those on the same data, and all is
// the same for any number of workers.
func TestCrossedRun(t *testing.T) {
	o := crossedTiny()
	made := 0
	rows := longtest.Must(study.Run(context.Background(), compare.Crossed(), nil,
		o, study.How{Workers: 1, Progress: func(n int) { made += n }}))(t)
	if all := stepsOf(t, compare.Crossed(), o); made != all {
		t.Errorf("%d chains are reported of %d", made, all)
	}
	at := map[[2]string][]compare.CrossedRow{}
	i := 0
	for _, made := range o.Models {
		for _, fitted := range o.Models {
			for _, data := range []int{1, 2, 0} {
				r := rows[i]
				i++
				if r.Made != made || r.Fitted != fitted || r.Data != data || !(r.Seconds > 0) {
					t.Fatalf("row %d: %+v", i, r)
				}
				if r.LogMean.Value < r.Mean.Value {
					t.Errorf("the logarithm of the mean weight is below the mean log weight: %+v", r)
				}
				at[[2]string{made, fitted}] = append(at[[2]string{made, fitted}], r)
			}
		}
	}
	if i != len(rows) {
		t.Fatalf("%d rows, want %d", len(rows), i)
	}
	right := at[[2]string{"clustering:2", "clustering:2"}]
	wrong := at[[2]string{"clustering:2", "lowrank:2"}]
	sum := 0.0
	for data := range 2 {
		if right[data].MeanBehind != (ais.Estimate{}) || right[data].Behind != (ais.Estimate{}) {
			t.Errorf("a model is behind itself: %+v", right[data])
		}
		want := right[data].Mean.Value - wrong[data].Mean.Value
		if behind := right[data].LogMean.Value -
			wrong[data].LogMean.Value; wrong[data].Behind.Value != behind {
			t.Errorf("data set %d: behind by %+v, want %v", data+1, wrong[data].Behind, behind)
		}
		if wrong[data].MeanBehind.Value != want ||
			wrong[data].MeanBehind.StandardError != math.Hypot(right[data].Mean.StandardError,
				wrong[data].Mean.StandardError) {
			t.Errorf("data set %d: behind by %+v, want %v", data+1, wrong[data].MeanBehind, want)
		}
		sum += want / 2
	}
	d := wrong[1].MeanBehind.Value - wrong[0].MeanBehind.Value
	if all := wrong[2].MeanBehind; math.Abs(all.Value-sum) > 1e-12*math.Abs(sum) ||
		math.Abs(all.StandardError-math.Abs(d)/2) > 1e-12*math.Abs(d) {
		t.Errorf("over two data sets: behind by %+v, want %v with the error %v", all, sum, math.Abs(d)/2)
	}
	again, err := study.Run(context.Background(), compare.Crossed(), nil, o, study.How{Workers: 3})
	if err != nil || !reflect.DeepEqual(crossedTimeless(rows), crossedTimeless(again)) {
		t.Errorf("three workers find something else than one:\n%v\n%v", rows, again)
	}
}

// TestFindings: the nearest model, an error that tells nothing, a model that is ahead, and what is
// not known.
func TestFindings(t *testing.T) {
	row := func(made, fitted string, behind, se float64) compare.CrossedRow {
		return compare.CrossedRow{
			Made:     made,
			Fitted:   fitted,
			Datasets: 4,
			Chains:   3,
			Behind:   ais.Estimate{Value: behind, StandardError: se},
		}
	}
	nan := math.NaN()
	for want, rows := range map[string][]compare.CrossedRow{
		"data of a: the nearest other model is c, 10 nats below, 10 standard errors over 4 data sets": {
			row("a", "a", 0, 0),
			row("a", "b", 20, 1), row("a", "c", 10, 1)},
		"c, 3 nats below, with a standard error of 2 over 4 data sets; this does not distinguish them": {
			row("a", "a", 0, 0), row("a", "c", 3, 2)},
		"model b is 7 nats ahead of it, so that the model that made the data is not the likeliest, 7 standard errors": {
			row("a", "a", 0, 0),
			row("a", "b", -7, 1), row("a", "c", 3, 2)},
		"c, 3 nats below; its standard error is unknown: use more data sets or chains": {
			row("a", "a", 0, 0), row("a", "b", nan, nan),
			row("a", "c", 3, nan)},
		"data of b: the nearest other model is a, 30 nats below, 30 standard errors over 4 data sets": {
			row("b", "a", 30, 1), row("b", "b", 0, 0)},
	} {
		found, ahead := compare.CrossedFindings(rows)
		if len(found) != 1 || !strings.Contains(found[0], want) {
			t.Errorf("%q, want %q", found, want)
		}
		if certain := strings.HasPrefix(want, "data of"); certain != (ahead == 1) {
			t.Errorf("%q: %d models are certainly ahead", want, ahead)
		}
	}
	single := row("a", "b", 5, 1)
	single.Data = 1
	single.Datasets = 1
	if found, _ := compare.CrossedFindings(
		[]compare.CrossedRow{{Made: "a", Fitted: "a", Data: 1, Datasets: 1}, single},
	); len(found) != 1 ||
		!strings.Contains(found[0], "the 3 chains of the only data set") {
		t.Errorf("%q", found)
	}
	printed := slices.IndexFunc(
		compare.Crossed().Declaration.Columns,
		func(c columns.Field) bool { return c.Name == "paper" },
	)
	for rows, want := range map[int]any{sandwich.DefaultRows: -2241.7, 49: nil} {
		r := compare.CrossedRow{
			Made:    "binary",
			Fitted:  "lowrank",
			Rows:    rows,
			Columns: sandwich.DefaultColumns,
		}
		if got := compare.Crossed().Declaration.Columns[printed].Of(&r); got != want {
			t.Errorf("of %d rows the paper has %v, want %v", rows, got, want)
		}
	}
	// An interrupted run with rows of two data sets, none of which is whole.
	if found, _ := compare.CrossedFindings(
		[]compare.CrossedRow{{Made: "a", Fitted: "a", Data: 2, Datasets: 1}, single},
	); found != nil {
		t.Errorf("%q", found)
	}
}

// TestCrossedBadOptions: each is refused by a sentence that names what is wrong.
func TestCrossedBadOptions(t *testing.T) {
	for want, change := range map[string]func(*compare.CrossedOptions){
		"K must be below both": func(o *compare.CrossedOptions) {
			o.Models = []string{"clustering", "lowrank:4"}
		},
		"only one model":    func(o *compare.CrossedOptions) { o.Models = o.Models[:1] },
		"no model is given": func(o *compare.CrossedOptions) { o.Models = nil },
		"are the same when fitted": func(o *compare.CrossedOptions) {
			o.Models = []string{"lowrank:2", "lowrank:2"}
		},
		"unknown model": func(o *compare.CrossedOptions) {
			o.Models = []string{"tree", "lowrank"}
		},
		"T 1":        func(o *compare.CrossedOptions) { o.T = 1 },
		"chains 0":   func(o *compare.CrossedOptions) { o.Chains = 0 },
		"datasets 0": func(o *compare.CrossedOptions) { o.Datasets = 0 },
		"columns 0":  func(o *compare.CrossedOptions) { o.Columns = 0 },
		"chains in all": func(o *compare.CrossedOptions) {
			o.Chains = 200
			o.Datasets = 10_000
		},
	} {
		o := crossedTiny()
		change(&o)
		longtest.Refuses(study.Run(context.Background(), compare.Crossed(), nil, o, study.How{}))(t, want)
	}
}
