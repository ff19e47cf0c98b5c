package views

import (
	"context"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// TestCatalogue: a study has a name of its own, a question, help and examples that name its command, and is swept, by the value that answers
// its question, or says why it is not.
func TestCatalogue(t *testing.T) {
	longtest.NotShort(t)
	names := map[string]bool{}
	for _, s := range Catalogue() {
		if s.Name == "" || s.Asks == "" || names[s.Name] && s.Swept == nil {
			t.Errorf("%q asks %q", s.Name, s.Asks)
		}
		names[s.Name] = true
		if first := Named(s.Name); first.Name != s.Name || first.Asks != s.Asks && first.Unswept == "" {
			t.Errorf("%s is found as %s", s.Name, first.Name)
		}
		if s.Help != "" && !strings.Contains(s.Examples, "breadboard "+s.Name) {
			t.Errorf("%s: no example has its command:\n%s", s.Name, s.Examples)
		}
		switch {
		case (s.Swept == nil) == (s.Unswept == ""):
			t.Errorf("%s: it is swept, or it says why not: %q", s.Name, s.Unswept)
		case s.Swept != nil && !slices.Contains(s.Swept.ValueNames(), s.Swept.MainValue()):
			t.Errorf("%s has no %s", s.Name, s.Swept.MainValue())
		case s.Swept != nil && s.Report == nil:
			t.Errorf("%s shows nothing", s.Name)
		}
	}
	if Catalogue()[0].Name != "tightness" {
		t.Error("a specification that names no study is of tightness")
	}
}

// small returns parameters of a case of a study that is solved in little time: each has its first default, and those that say how much is
// computed are small.
func small(s *experiments.Study) (params experiments.Params) {
	few := map[string]string{
		"toy": "random:1:0:2x2", "T": "3", "chains": "30", "K": "3", "particles": "2", "moves": "3", "meta": "2", "gold_meta": "2", "trials": "2", "work": "20", "N": "9", "rows": "5", "columns": "4",
		"knob": "2", "beta": "0.5", "estimator": "lw", "frequencies": "64", "threshold": "0.5",
	}
	for _, p := range s.Parameters {
		value, there := few[p.Name]
		if !there {
			value = p.Defaults()[0]
		}
		params = append(params, experiments.Param{Name: p.Name, Value: value})
	}
	return params
}

// TestEveryStudyIsOne: what a sweep stores of a case stands in the columns of the study's report of the same case, and a context that has
// ended ends the study.
func TestEveryStudyIsOne(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range Catalogue() {
		if s.Swept == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			if longtest.Short() && s.Name != "gap" {
				t.Skip("go test without -short runs it")
			}
			params := small(s.Swept)
			cases := longtest.Must(s.Swept.Cases(t.Context(), params))(t)
			o := longtest.Must(s.Swept.Solve(t.Context(), &cases[0], params))(t)
			if err := s.Swept.Validate(params, o); err != nil {
				t.Error(err)
			}
			r := longtest.Must(s.Report(t.Context(), &cases[0], params, study.How{Workers: 2}))(t)
			checkStored(t, s, o, r.Tables()[0].In(table.JSON))
			if _, err := s.Report(ctx, &cases[0], params, study.How{}); err == nil {
				t.Error("a study goes on whose context has ended")
			}
			if _, err := s.Report(t.Context(), &cases[0], params, study.How{Workers: -1}); err == nil || !strings.Contains(err.Error(), "workers -1") {
				t.Errorf("workers -1: %v", err)
			}
		})
	}
}

// otherRows says of studies what the rows of their reports are, where they are not what a sweep stores of a case.
func otherRows() map[string]string {
	return map[string]string{"gap": "stages", "ais": "quantities", "schedule optimize": "a schedule and the best one"}
}

// checkStored compares the numbers that a sweep stores with those of the first row of a table whose columns have their names.
func checkStored(t *testing.T, s *Study, o experiments.Outcome, from *table.Table) {
	t.Helper()
	if otherRows()[s.Name] != "" {
		return
	}
	found := 0
	for i, v := range s.Swept.Stored() {
		at := slices.IndexFunc(from.Columns, func(c table.Column) bool { return c.Name == v.Name })
		if at < 0 || v.Name == "seconds" {
			continue
		}
		found++
		got, want := table.Shortest(o.Numbers[i]), ""
		switch cell := from.Rows[0][at].(type) {
		case nil:
			want = "NaN"
		case float64:
			want = table.Shortest(cell)
		case int:
			want = table.Shortest(float64(cell))
		case bool:
			if want = "0"; cell {
				want = "1"
			}
		default:
			continue
		}
		if got != want {
			t.Errorf("%s is %s in a sweep, and %s in the report", v.Name, got, want)
		}
	}
	if found == 0 {
		t.Errorf("the report has none of %v", s.Swept.ValueNames())
	}
}
