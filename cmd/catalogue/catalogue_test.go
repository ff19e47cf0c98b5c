package catalogue

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// checkTable checks the columns of a table of a report, for people and for programs.
func checkTable(t *testing.T, study string, part reports.Table) {
	machines := part.Content()
	if part.Machines != nil {
		machines = part.Machines
	}
	checkColumns(t, study, part.Content())
	checkColumns(t, study, machines)
	if !slices.ContainsFunc(machines.Columns, func(c table.Column) bool { return c.Name != "" }) {
		t.Errorf("%s: nothing for machines", study)
	}
	checkRegistered(t, part.Name, machines)
}

// checkRegistered: Schemas has a table with these columns, under this name unless that is of a toy.
func checkRegistered(t *testing.T, name string, of *table.Table) {
	got := (&reports.Schema{Of: of}).Columns()
	same := func(a, b table.Column) bool {
		return a.Name == b.Name && a.Type == b.Type && a.Unit == b.Unit && a.Meaning == b.Meaning
	}
	others := []string{"schedule", "spectrum"} // which the bench has
	if !slices.Contains(others, name) && !slices.ContainsFunc(Schemas(), func(s reports.Schema) bool {
		return (s.Table == name || s.Table == "TOY") && slices.EqualFunc(s.Columns(), got, same)
	}) {
		t.Errorf("Schemas has no table %s with the columns %v", name, got)
	}
}

// TestNotesOfToys: a table of a study about toys has a note, in which it says what classes of
// states leave out. Those of checks have verdicts, and those of what is chosen or planned have no
// numbers of the chains.
func TestNotesOfToys(t *testing.T) {
	named := func(s reports.Schema, name string) bool {
		return slices.ContainsFunc(s.Columns(), func(c table.Column) bool { return c.Name == name })
	}
	for _, s := range Schemas() {
		others := []string{"conform", "check", "corpus", "toys", "plan"}
		other := slices.ContainsFunc(
			strings.Fields(s.Command),
			func(word string) bool { return slices.Contains(others, word) },
		)
		if named(s, "toy") && !named(s, "note") && !named(s, "verdict") && !other {
			t.Errorf("%s: the table %s has no note", s.Command, s.Table)
		}
	}
}

// TestSchemas: each column has a type, and a sentence on what it means, and the tables of a command
// alone are those among all.
func TestSchemas(t *testing.T) {
	tables := map[string]int{}
	for _, s := range Schemas() {
		tables[s.Command]++
	}
	for command, n := range tables {
		if alone := SchemasOf(command); len(alone) != n {
			t.Errorf("%s: %d tables, and %d among all", command, len(alone), n)
		}
	}
	for _, s := range Schemas() {
		if len(s.Columns()) == 0 {
			t.Errorf("%s: the table %s has no columns", s.Command, s.Table)
		}
		longtest.NoError(t, (&table.Table{Columns: s.Columns()}).Validate())
		for _, c := range s.Columns() {
			if c.Meaning == "" || strings.HasSuffix(c.Meaning, ".") || strings.Contains(c.Meaning, "\n") {
				t.Errorf("%s: the meaning of %s is %q", s.Command, c.Name, c.Meaning)
			}
		}
	}
}

// checkColumns: columns have names of their own, which programs can use as names, and meanings, and
// the cells have the types of their columns.
func checkColumns(t *testing.T, study string, of *table.Table) {
	longtest.NoError(t, of.Validate())
	identifier := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	behind := regexp.MustCompile(`^\(|^and `) // a heading that goes on from the one before it
	names := map[string]bool{}
	titles := map[string]bool{}
	for _, c := range of.Columns {
		switch {
		case c.Name == "" && c.Title == "":
			t.Errorf("%s: a column that nobody sees", study)
		case names[c.Name] && c.Name != "",
			titles[c.Heading()] && c.Title != "" && !behind.MatchString(c.Title):
			t.Errorf("%s: two columns %q, %q", study, c.Name, c.Heading())
		case c.Name != "" && !identifier.MatchString(c.Name):
			t.Errorf("%s: %q is not a name for programs", study, c.Name)
		case c.Name != "" && c.Meaning == "":
			t.Errorf("%s: nothing says what %s means", study, c.Name)
		}
		names[c.Name], titles[c.Heading()] = true, true
	}
	for j, row := range of.Rows {
		if len(row) != len(of.Columns) {
			t.Errorf("%s: row %d has %d cells for %d columns", study, j, len(row), len(of.Columns))
		}
	}
}

// TestCatalogue: a study has a name of its own, a question, help and examples that name its
// command, and is swept, by the value that answers its question, or says why it is not. Its table
// keeps the columns that its sentence names, at any width.
func TestCatalogue(t *testing.T) {
	longtest.Only(t)
	names := map[string]bool{}
	list := Studies()
	for _, s := range list {
		if s.Name == "" || s.Asks == "" || names[s.Name] && s.Swept == nil {
			t.Errorf("%q asks %q", s.Name, s.Asks)
		}
		names[s.Name] = true
		first := list[slices.IndexFunc(list, func(e *study.Declaration) bool { return e.Name == s.Name })]
		if first.Name != s.Name || first.Asks != s.Asks && first.Unswept == "" {
			t.Errorf("%s is found as %s", s.Name, first.Name)
		}
		if s.Help != "" && !strings.Contains(s.Examples, "breadboard "+s.Name) {
			t.Errorf("%s: no example has its command:\n%s", s.Name, s.Examples)
		}
		if (s.Swept == nil) == (s.Unswept == "") {
			t.Errorf("%s: it is swept, or it says why not: %q", s.Name, s.Unswept)
		}
		names := true
		for _, f := range s.Columns {
			names = names && !f.Column.Answer
			if f.Name != "" && f.Title != "" && !names && !f.Column.Answer &&
				(f.Name == s.Says.Least || strings.Contains(s.Says.Text, "{"+f.Name+"}")) {
				t.Errorf("%s: a narrow table has no %s, which its sentence names", s.Name, f.Name)
			}
		}
	}
	if Studies()[0].Name != "tightness" {
		t.Error("a specification that names no study is of tightness")
	}
}

// small returns parameters of a case of a study that is solved in little time: each has its first
// default, and those that say how much is computed are small.
func small(s *subject.Question) (params subject.Params) {
	few := map[string]string{
		"toy": "random:1:0:2x2", "T": "3", "chains": "30", "K": "3", "particles": "2", "moves": "3",
		"meta": "2", "gold_meta": "2", "trials": "2",
		"budget": "20", "N": "9", "rows": "5", "columns": "4",
		"knob": "2", "beta": "0.5", "estimator": "lw", "frequencies": "64", "threshold": "0.5",
		"policy": "masked:exact",
	}
	for _, p := range s.Parameters {
		value, there := few[p.Name]
		if !there {
			value = p.Defaults()[0]
		}
		params = append(params, subject.Param{Name: p.Name, Value: value})
	}
	return params
}

// TestEveryStudyIsOne: what a sweep stores of a case stands in the columns of the study's report of
// the same case, and a context that has ended ends the study.
func TestEveryStudyIsOne(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range Studies() {
		sweep := s.Sweep()
		if sweep == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			if !longtest.Enabled() && s.Name != "gap" {
				t.Skip("go test without -short runs it")
			}
			params := small(sweep)
			cases := longtest.Must(sweep.Cases(t.Context(), forms.Reader(), params))(t)
			o := longtest.Must(sweep.Solve(t.Context(), &cases[0], params))(t)
			longtest.NoError(t, sweep.Validate(o))
			r := longtest.Must(s.Report(t.Context(), &cases[0], params, study.How{Workers: 2}))(t)
			checkStored(t, sweep, o, r.Tables()[0].In(table.JSON))
			longtest.Refuses(s.Report(ctx, &cases[0], params, study.How{}))(t, "context canceled")
			longtest.Refuses(s.Report(t.Context(), &cases[0], params, study.How{Workers: -1}))(t, "workers -1")
		})
	}
}

// otherRows says of studies what the rows of their reports are, if they are not what a sweep stores
// of a case.
func otherRows() map[string]string {
	return map[string]string{
		"gap": "stages", "ais": "quantities", "schedule optimize": "a schedule and the best one"}
}

// checkStored compares the numbers that a sweep stores with those of the first row of a table whose
// columns have their names.
func checkStored(t *testing.T, s *subject.Question, o subject.Reply, from *table.Table) {
	t.Helper()
	if otherRows()[s.Name] != "" {
		return
	}
	found := 0
	for i, v := range s.Stored() {
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
			want = "0"
			if cell {
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
		t.Errorf("the report has none of %v", s.Values)
	}
}

// TestPlotsOfStudies: the figures that a study declares are drawn of the table of its columns,
// beside its view or if it has none.
func TestPlotsOfStudies(t *testing.T) {
	s := tightness.Study()
	s.Declaration.Plots = []columns.Plot{{
		Name:  "b",
		Title: "B against T",
		Parts: []columns.Part{{X: "T", Y: []string{"B"}}},
		By:    []string{"toy"},
	}}
	for name, view := range map[string]reports.View{"a view": s.Declaration.View, "no view": nil} {
		s.Declaration.View = view
		c := &casesOf(t, subject.Selection{Toys: []string{"easy"}, Distributions: []int{3}})[0]
		r := longtest.Must(s.Declaration.Report(context.Background(), c, c.Parts(), study.How{}))(t)
		figures := r.Figures()
		if len(figures) == 0 || figures[len(figures)-1].Title != "B against T" {
			t.Fatalf("with %s there are %d figures", name, len(figures))
		}
		if f := longtest.Must(figures[len(figures)-1].Draw())(t); len(f.Data.Rows) != 1 ||
			f.Name != "b" {
			t.Errorf("with %s the figure %s has the points %v", name, f.Name, f.Data.Rows)
		}
	}
}

// TestNumbersNearZeroHaveBounds: divergences, biases, spreads and distances between bounds are
// differences of larger numbers on nearly flat targets, so that their columns take numbers with
// bounds. Those of simulations have standard errors instead.
func TestNumbersNearZeroHaveBounds(t *testing.T) {
	small := regexp.MustCompile(
		`^(J|B|kl_.*|(log_)?bias|sd|relative_(sd|variance)|.*_(below|above|bound)|log_(forward|reverse)|mean_log_[wz]_.*|log_z_ratio)$`,
	)
	exempt := regexp.MustCompile(
		`^(ais .*_(estimate|se|bias|z)|(weights|samples) error_bound|subjective is_bound|couple mixing_bound|` +
			`(samplers errors|sandwich compare|reproduce aide) sd|sandwich( compare| represent| pair)? ` +
			`(B|bias)|weights mean_log_w_.*|temper z log_z_ratio|couple unbiased bias|` +
			`(reproduce aide|policy best) [JB])$`,
	)
	for _, s := range Studies() {
		for _, f := range s.Columns {
			if small.MatchString(f.Name) && !f.CanLose() && !exempt.MatchString(s.Name+" "+f.Name) {
				t.Errorf("%s: column %s takes plain numbers", s.Name, f.Name)
			}
		}
	}
}

// TestSentences: what studies say of their tables names columns that they have, takes the row that
// it promises, and says nothing without finite numbers.
func TestSentences(t *testing.T) {
	name := regexp.MustCompile(`\{(\w+)\}`)
	has := func(list columns.List, name string) bool {
		return slices.ContainsFunc(list, func(f columns.Field) bool { return f.Name == name })
	}
	for _, e := range Studies() {
		for _, found := range append(name.FindAllStringSubmatch(e.Says.Text, -1), []string{"", e.Says.Least}) {
			if found[1] != "" && !has(e.Columns, found[1]) &&
				!slices.Contains([]string{"toy", "T", "stages"}, found[1]) {
				// parameters of the case, and the row of gap's table for people
				t.Errorf("%s: there is no column %s", e.Name, found[1])
			}
		}
	}
	type row struct{ x, y float64 }
	list := columns.List{columns.Of("x", "x", "a number", func(r *row) float64 { return r.x }),
		columns.Of("y", "y", "another", func(r *row) float64 { return r.y })}
	for want, rows := range map[string][]row{
		"x 2 y 3": {{5, 4}, {2, 3}, {7, 1}}, "": {{math.Inf(1), 2}}, "x 1 y +Inf": {{1, math.Inf(1)}}} {
		if got := (&columns.Sentence{Least: "x", Text: "x {x} y {y}"}).TextOf(list, rows); got != want {
			t.Errorf("%v: %q, want %q", rows, got, want)
		}
	}
	if got := (&columns.Sentence{Text: "y is {y}"}).TextOf(list, []row{{1, 2}, {3, 4}}); got != "y is 4" {
		t.Errorf("the last row: %q", got)
	}
}
