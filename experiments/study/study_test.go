package study_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/exact"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/columns"
)

// TestSweep: what a sweep knows of a study is what the study declares, and a row of the sweep is a
// row of the study.
func TestSweep(t *testing.T) {
	ctx := context.Background()
	swept := scaledStudy().Declaration.Sweep()
	if swept.Name != "scaled" || len(swept.Values) != 1 || swept.Values[0].Name != "J_scaled" {
		t.Errorf("%+v", swept)
	}
	if names := subject.Names(swept.Parameters); names[len(names)-1] != "unit" ||
		len(names) != len(subject.Parameters())+1 {
		t.Errorf("parameters %v", names)
	}
	cases := casetest.MustCases(t, casetest.Selection([]int{20}, "barrier"))
	params := append(cases[0].Parts(), subject.Param{Name: "unit", Value: "4"})
	o := longtest.Must(swept.SolveRow(ctx, forms.Reader(), params))(t)
	rows, err := study.Run(ctx, scaledStudy(), cases, scaledOptions{Unit: 4}, study.How{})
	if err != nil || o.Numbers[0] != rows[0].J || swept.Validate(o) != nil {
		t.Errorf("the sweep says %v, and the study %v; %v", o.Numbers, rows, err)
	}
	o.Numbers[0] = math.Inf(1)
	longtest.Refused(t, swept.Validate(o), "J_scaled", "infinity is allowed")
	longtest.Refuses(swept.SolveRow(ctx, forms.Reader(), params.With("unit", "none")))(t,
		"unit",
		"a unit that is not a number",
	)
}

// TestSweepKeeps: what is derived is computed from the numbers of a file and not stored, what is
// true or not is 1 or 0, a comma divides no parameter, and the order of files is their own.
func TestSweepKeeps(t *testing.T) {
	type options struct{ Texts []string }
	type row struct {
		subject.Case
		Length float64
		IsLong bool
	}
	text := subject.Parameter{Name: "text", Doc: "a text", Defaults: subject.Just("a")}
	s := study.New(options{Texts: []string{"a", "b"}},
		func(_ context.Context, cases []subject.Case, o *options) (study.Plan[row], error) {
			return study.Each(cases, (*subject.Case).Distributions,
				func(_ context.Context, c *subject.Case, _ study.How) (row, error) {
					n := len(o.Texts[0])
					return row{Case: *c, Length: float64(n), IsLong: n > 2}, nil
				}), nil
		}, study.Declaration{
			Name: "texts", Asks: "How long is a text?",
			Options: study.OptionsOf(func(o *options) []study.Option {
				return []study.Option{{Name: "text", Swept: &text, To: study.Texts(&o.Texts)}}
			}),
			Columns: columns.List{
				columns.Of("twice", "", "", func(r *row) float64 { return 2 * r.Length }).Derived(),
				columns.Of("is_long", "", "", func(r *row) bool { return r.IsLong }).Within(0, 1),
				columns.Of("length", "", "", func(r *row) float64 { return r.Length }).Within(0, 10),
			},
			Swept: &study.Swept{
				Parameters: subject.Parameters(),
				Stored:     []string{"length", "is_long", "twice"},
				Subject:    study.TheCase,
				Note:       study.NoteOf(func(*row) (string, error) { return "", nil }),
				Restore:    func(k study.StoredRow) any { return &row{Length: k.Get("length")} },
			},
		})
	swept := s.Declaration.Sweep()
	params := append(casetest.MustCases(t, casetest.Selection([]int{2}, "easy"))[0].Parts(),
		subject.Param{Name: "text", Value: "a,b"})
	o, err := swept.SolveRow(context.Background(), forms.Reader(), params)
	if err != nil || !slices.Equal(o.Numbers, []float64{3, 1}) || swept.Value("twice", o.Numbers) != 6 ||
		swept.Value("length", o.Numbers) != 3 {
		t.Errorf("%v, twice %v; %v", o.Numbers, swept.Value("twice", o.Numbers), err)
	}
	longtest.NoError(t, swept.Validate(o))
}

// TestRun: rows are in the order of the subjects for any number of workers, progress adds up, and
// refusals come before any row.
func TestRun(t *testing.T) {
	ctx := context.Background()
	cases := casetest.MustCases(t, casetest.Selection([]int{2, 30, 5}, "easy", "barrier"))
	for _, workers := range []int{1, 2, 8} {
		var steps atomic.Int64
		plan := longtest.Must(scaledStudy().Plan(ctx, cases, &scaledOptions{Unit: 1}))(t)
		rows, err := plan.Run(ctx, study.How{Workers: workers, Progress: func(n int) { steps.Add(int64(n)) }})
		if err != nil || int(steps.Load()) != plan.Steps {
			t.Fatalf("%d of %d steps; %v", steps.Load(), plan.Steps, err)
		}
		for i := range cases {
			if rows[i].String() != cases[i].String() {
				t.Errorf("row %d is %s, want %s", i, &rows[i].Case, &cases[i])
			}
		}
	}
	longtest.Refuses(study.Run(ctx, scaledStudy(), cases, scaledOptions{}, study.How{}))(t, "the unit is 0", "unit 0")
	longtest.Refuses(study.Run(ctx, scaledStudy(), cases, scaledOptions{Unit: 1}, study.How{Workers: -1}))(t,
		"workers -1",
		"workers -1",
	)
	told := false
	jobs := study.Jobs([]study.Job[int]{{Rows: func(_ context.Context, h study.How) ([]int, error) {
		told = h.Figures && h.Workers > 0
		return nil, nil
	}}})
	if _, err := jobs.Run(ctx, study.How{Figures: true}); err != nil || !told {
		t.Errorf("a job is not told how it is run; %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	var unfinished subject.Unfinished
	if _, err := study.Run(ended, scaledStudy(), cases, scaledOptions{Unit: 1},
		study.How{}); !errors.As(err, &unfinished) || unfinished.Finished != 0 {
		t.Errorf("cancelled: %v", err)
	}
}

// TestValues: a list takes the place of the default, numbers may be written as 1e4, and what stands
// twice is told.
func TestValues(t *testing.T) {
	numbers := []int{7}
	list := []float64{0.5}
	text := []string{"a"}
	v := study.Wholes(&numbers, "N", 1, 1e6)
	if v.String() != "7" || v.Set("1,1e4") != nil || v.Set("1") != nil ||
		!slices.Equal(numbers, []int{1, 10_000, 1}) {
		t.Errorf("%v", numbers)
	}
	if again := v.(interface {
		Repeated() []string
	}).Repeated(); !slices.Equal(again, []string{"1"}) || !slices.Equal(numbers, []int{1, 10_000}) {
		t.Errorf("repeated %v of %v", again, numbers)
	}
	for _, refused := range []string{"0", "1.5", "1e7", "x", "", "1,"} {
		longtest.Refused(t, study.Wholes(&numbers, "N", 1, 1e6).Set(refused), "is not ", refused)
	}
	if x := study.Numbers(&list); x.Set(" 1e-3, 2") != nil || !slices.Equal(list, []float64{1e-3, 2}) ||
		x.String() != "0.001,2" {
		t.Errorf("%v", list)
	}
	named := func(text string) bool { return strings.HasPrefix(text, "point:") || text == "mode" }
	if x := study.Selectors(&text, named); x.Set("mode,point:a=1,b=2,mode,other,point:3") != nil ||
		x.Set("c=1") != nil ||
		!slices.Equal(text, []string{"mode", "point:a=1,b=2", "mode", "other", "point:3", "c=1"}) {
		t.Errorf("selectors %q", text)
	}
	text = []string{"a"}
	if x := study.Texts(&text); x.String() != "[a]" || x.Set(`"b,c",d`) != nil ||
		!slices.Equal(text, []string{"b,c", "d"}) {
		t.Errorf("%q", text)
	}
	seed := uint64(1)
	name := ""
	on := false
	if study.Seed(&seed).Set("18446744073709551615") != nil || seed != math.MaxUint64 ||
		study.Seed(&seed).Set("-1") == nil {
		t.Error(seed)
	}
	if s := study.Selector(&name, []string{"easy", "hard"}); s.Set("easy") != nil || s.Set("hard") != nil ||
		name != "hard" || s.Set("") == nil ||
		study.Selector(&name, []string{"easy", "hard"}).Set("easy,hard") == nil {
		t.Error(name)
	}
	seconds := 1.0
	if d := study.Seconds(&seconds); d.String() != "1s" || d.Set("1m0.1s") != nil || seconds != 60.1 ||
		d.String() != "1m0.1s" || d.Set("60") == nil ||
		seconds != 60.1 {
		t.Errorf("%v", seconds)
	}
	if study.Switch(&on).Set("true") != nil || !on {
		t.Error(on)
	}
}

// TestDistinct: the first of each kind stay in their order, and what stands again is named once.
func TestDistinct(t *testing.T) {
	kept, repeated := study.Distinct(strings.Fields("b a b c B b a"), strings.ToLower)
	if strings.Join(kept, " ") != "b a c" || strings.Join(repeated, " ") != "b a" {
		t.Errorf("%v, %v", kept, repeated)
	}
}

// scaled is a row of the study below: J of a case in another unit.
type scaled struct {
	subject.Case
	Unit, J float64
	Notes   []string
}

// scaledOptions are its options.
type scaledOptions struct{ Unit float64 }

// scaledStudy asks how large J is in a unit. It is all that a study has to say: a row, options,
// columns, and how a row is computed.
func scaledStudy() *study.Study[subject.Case, scaledOptions, scaled] {
	unit := subject.Parameter{Name: "unit", Doc: "a unit in nats", Defaults: subject.Just("1"),
		Number: &subject.Range{Low: 1e-3, High: 1e3, Real: true}}
	return study.New(scaledOptions{Unit: 1},
		func(_ context.Context, cases []subject.Case, o *scaledOptions) (study.Plan[scaled], error) {
			if !(o.Unit > 0) {
				return study.Plan[scaled]{}, fmt.Errorf("the unit is %v; give a number of nats above 0", o.Unit)
			}
			return study.Each(cases, (*subject.Case).Distributions,
				func(ctx context.Context, c *subject.Case, h study.How) (scaled, error) {
					solution, err := exact.Solve(ctx, c.Annealing(), exact.Options{Workers: h.Workers})
					if err != nil {
						return scaled{}, c.Wrong(err)
					}
					h.Add(c.Distributions())
					return scaled{Case: *c, Unit: o.Unit, J: solution.J / o.Unit, Notes: solution.Notes}, nil
				}), nil
		}, study.Declaration{
			Name:     "scaled",
			Asks:     "How large is J in a unit?",
			Help:     "scaled gives J in a unit.",
			Examples: "  breadboard scaled --unit 2",
			Counts:   "cases",
			Workers:  true,
			Options: study.OptionsOf(func(o *scaledOptions) []study.Option {
				return []study.Option{{
					Name: "unit", Doc: unit.Doc, Swept: &unit, To: study.Number(&o.Unit),
				}}
			}),
			Columns: append(
				subject.ShortCase((*scaled).TheCase),
				columns.Of("J_scaled", "J", "J in the unit", func(r *scaled) float64 { return r.J }).Within(
					0,
					1e6,
				).Shown(),
			),
			Swept: &study.Swept{
				Parameters: subject.Parameters(), Subject: study.TheCase,
				Note: study.NoteOf(func(r *scaled) (string, error) { return strings.Join(r.Notes, "; "), nil }),
			},
		})
}

// A study is run from Go on subjects that a selection has built.
func Example_studyStudy() {
	ctx := context.Background()
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"easy"},
		Distributions: []int{10, 100},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(ctx)
	rows, err := study.Run(ctx, scaledStudy(), cases, scaledOptions{Unit: 0.5}, study.How{})
	for _, r := range rows {
		fmt.Printf("T = %d: J is %.4f halves of a nat\n", r.Distributions(), r.J)
	}
	fmt.Println(err)
	// Output:
	// T = 10: J is 1.8091 halves of a nat
	// T = 100: J is 0.2603 halves of a nat
	// <nil>
}

// TestOneSubjectFails: a subject that the plan refuses, or whose row fails, costs no other row;
// what all are refused for is an error.
func TestOneSubjectFails(t *testing.T) {
	ctx := context.Background()
	cases := casetest.MustCases(t, casetest.Selection([]int{2, 3, 4, 5}, "easy"))
	s := scaledStudy()
	all := longtest.Must(study.Run(ctx, s, cases, scaledOptions{Unit: 1}, study.How{}))(t)
	s.Plan = func(_ context.Context, cases []subject.Case, o *scaledOptions) (study.Plan[scaled], error) {
		for i := range cases {
			if cases[i].Distributions() == 3 {
				return study.Plan[scaled]{}, errors.New("three is refused")
			}
		}
		return study.Each(cases, (*subject.Case).Distributions,
			func(ctx context.Context, c *subject.Case, _ study.How) (scaled, error) {
				if c.Distributions() == 4 {
					return scaled{}, c.Wrong(errors.New("four fails"))
				}
				return all[c.Distributions()-2], nil
			}), nil
	}
	rows, err := study.Run(ctx, s, cases, scaledOptions{Unit: 1}, study.How{})
	failed, _ := errors.AsType[subject.Failures](err)
	if len(rows) != 2 || rows[0].J != all[0].J || rows[1].J != all[3].J || !subject.Usable(err) ||
		len(failed) != 2 {
		t.Fatalf("%v, %v", rows, err)
	}
	if failed[0].Error() != "three is refused" || failed[0].Of.Get("T") != "3" ||
		failed[1].Of.Get("T") != "4" || failed[1].Of.Get("toy") != "easy" {
		t.Errorf("%+v", failed)
	}
	longtest.Refuses(study.Run(ctx, s, cases[1:3], scaledOptions{Unit: 1}, study.How{}))(t, "four fails", "all fail")
	longtest.Refuses(study.Run(ctx, scaledStudy(), cases, scaledOptions{Unit: -1}, study.How{}))(t,
		"the unit is -1",
		"a bad option",
	)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if rows, err := study.Run(cancelled, s, cases[2:], scaledOptions{Unit: 1}, study.How{}); len(rows) > 0 ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v, %v", rows, err)
	}
}

// TestShare: a part of the work tells of as many steps as were announced, whether it makes fewer or
// more than was expected.
func TestShare(t *testing.T) {
	for _, makes := range []int{0, 7, 20, 90} {
		told := 0
		add, done := study.How{Progress: func(n int) { told += n }}.Share(100, 20)
		for range makes {
			add(1)
		}
		if want := min(100, 5*makes); told != want {
			t.Errorf("%d steps of 20: told of %d of 100, want %d", makes, told, want)
		}
		done()
		if told != 100 {
			t.Errorf("%d steps of 20, and done: told of %d of 100", makes, told)
		}
	}
}
