package reports

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments"
	"breadboard/experiments/conform"

	"breadboard/experiments/planted"
	"breadboard/experiments/samples"
	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// chainSource is a source of chains that are there already.
type chainSource struct {
	name    string
	columns samples.Columns
	all     samples.Batch
	read    int
}

func (s *chainSource) Name() string                          { return s.name }
func (s *chainSource) Columns() samples.Columns              { return s.columns }
func (s *chainSource) Precision() samples.Precision          { return samples.Precision{} }
func (s *chainSource) IncrementPrecision() samples.Precision { return samples.Precision{} }

func (s *chainSource) Next(_ context.Context, rows int) (*samples.Batch, error) {
	from, to := s.read, min(s.read+rows, s.all.Rows)
	if s.read = to; from == to {
		return nil, io.EOF
	}
	b := &samples.Batch{First: from, Rows: to - from}
	if s.columns.LogW {
		b.LogW = slices.Clone(s.all.LogW[from:to])
	}
	if s.columns.XFirst {
		b.XFirst = s.all.XFirst[from:to]
	}
	if s.columns.XLast {
		b.XLast = s.all.XLast[from:to]
	}
	for _, states := range s.all.Path {
		b.Path = append(b.Path, states[from:to])
	}
	if s.columns.Transitions {
		b.Beta, b.From, b.To = s.all.Beta[from:to], s.all.From[from:to], s.all.To[from:to]
	}
	return b, nil
}

// allColumns are those of chains without their paths.
func allColumns() samples.Columns { return samples.Columns{LogW: true, XFirst: true, XLast: true} }

// conformTask returns the task of an annealing.
func conformTask(t *testing.T, toy string, T int) *conform.Task {
	t.Helper()
	k, err := conform.New(cases(t, experiments.Selection{Toys: []string{toy}, Distributions: []int{T}})[0])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// rightChains returns chains of the package's own simulation.
func rightChains(t *testing.T, k *conform.Task, d chains.Direction, rows int, columns samples.Columns) *chainSource {
	t.Helper()
	b, err := simulate.Run(k.Case.Annealing(), d, chains.NewSampler(simulate.NewStream(1, "right "+d.String(), 0)), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &chainSource{name: d.String() + ".csv", columns: columns, all: samples.Batch{Rows: rows, LogW: b.LogW, XFirst: b.First, XLast: b.Last}}
}

// plantedChains returns chains with a bug, with their paths where the columns have them.
func plantedChains(t *testing.T, k *conform.Task, d chains.Direction, rows int, columns samples.Columns, bug func(*planted.Annealer)) *chainSource {
	t.Helper()
	r, err := planted.Of(k.Case.Annealing(), d)
	if err != nil {
		t.Fatal(err)
	}
	bug(r)
	s := &chainSource{name: d.String() + ".csv", columns: columns, all: samples.Batch{Rows: rows}}
	sampler := chains.NewSampler(simulate.NewStream(1, "planted "+d.String(), 0))
	T := r.Last()
	path := make([][]int32, T)
	for i := range path {
		path[i] = make([]int32, rows)
	}
	for i := range rows {
		x, logw := r.Start(sampler), 0.0
		states := []int{x}
		for step := 1; step <= r.Steps(); step++ {
			y, increment := r.Step(sampler, step, x)
			x, logw = y, logw+increment
			states = append(states, x)
		}
		for j, x := range states {
			if d == chains.Reverse {
				j = T - 1 - j
			}
			path[j][i] = int32(x)
		}
		s.all.LogW = append(s.all.LogW, logw)
	}
	s.all.XFirst, s.all.XLast = path[0], path[T-1]
	if columns.Path {
		s.all.Path = path
	}
	return s
}

func conformed(t *testing.T, k *conform.Task, in conform.Input) *conform.Outcome {
	t.Helper()
	o, err := conform.Check(context.Background(), k, in, conform.Options{Alpha: conform.DefaultAlpha})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// written returns what people see of a report without files.
func written(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	out := Output{Results: &b, Messages: &b, Format: table.Text, Words: inFlags}
	if err := out.Write(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rightInput has right chains of both directions.
func rightInput(t *testing.T, k *conform.Task) conform.Input {
	return conform.Input{
		Forward: rightChains(t, k, chains.Forward, 4000, allColumns()),
		Reverse: rightChains(t, k, chains.Reverse, 4000, allColumns()),
	}
}

// wrongInput has paths with a bug forward, and right chains in reverse.
func wrongInput(t *testing.T, k *conform.Task) conform.Input {
	columns := allColumns()
	columns.Path = true
	return conform.Input{
		Forward: plantedChains(t, k, chains.Forward, 4000, columns, planted.OtherSide),
		Reverse: rightChains(t, k, chains.Reverse, 4000, allColumns()),
	}
}

// conformFigures are the figures of an outcome, by the functions that draw them.
func conformFigures() []func(*conform.Outcome) (*figure.Figure, error) {
	return []func(*conform.Outcome) (*figure.Figure, error){ConformLawFigure, EvidenceFigure, OddsFigure, PITFigure}
}

func TestConform(t *testing.T) {
	longtest.NotShort(t)
	k := conformTask(t, "random:2:1:4x4", 5)
	laws := conform.NewLaws(k)
	for name, in := range map[string]conform.Input{"right": rightInput(t, k), "wrong": wrongInput(t, k)} {
		t.Run(name, func(t *testing.T) {
			o, err := laws.Check(t.Context(), in, conform.Options{Alpha: conform.DefaultAlpha})
			if err != nil {
				t.Fatal(err)
			}
			r := ConformReport(o)
			if (r.Fault != nil) != (name == "wrong") {
				t.Errorf("fault %v", r.Fault)
			}
			golden(t, "conform_"+name+".txt", []byte(written(t, r)))
			for _, draw := range conformFigures() {
				f, err := draw(o)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, f.Name+"_"+name+".svg", svg(t, f))
			}
			everyRowForMachines(t, o)
		})
	}
}

// everyRowForMachines: a program that reads the results gets one table with all tests and all hypotheses, and files have all rows of
// every table, also those for people.
func everyRowForMachines(t *testing.T, o *conform.Outcome) {
	for _, format := range []table.Format{table.CSV, table.JSON, table.Text} {
		dir := t.TempDir()
		files, err := OpenDirectory(dir)
		if err != nil {
			t.Fatal(err)
		}
		var results strings.Builder
		r := ConformReport(o)
		out := Output{Results: &results, Messages: io.Discard, Format: format, Files: files}
		for _, of := range r.Tables() {
			if err := out.Write(context.Background(), &Report{Parts: []Part{of}}); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(dir, of.Name+format.Extension()))
			if err != nil {
				t.Fatal(err)
			}
			if want := write(t, of.In(format), format); string(got) != want {
				t.Errorf("the file of %s has not all rows as %s", of.Name, format)
			}
		}
		if want := write(t, Conform(o), format); format.ForMachines() && results.String() != want {
			t.Errorf("as %s the results are\n%s\nwant\n%s", format, results.String(), want)
		}
	}
	hypotheses := 0
	for _, s := range o.Sides {
		hypotheses += len(s.Odds)
	}
	if n := len(Conform(o).Rows); n != len(o.Results)+hypotheses {
		t.Errorf("%d rows of %d tests and %d hypotheses", n, len(o.Results), hypotheses)
	}
	seen := map[string]bool{}
	for _, row := range strings.Split(column(t, Conform(o), "test"), "|") {
		if row == "" || seen[row] {
			t.Errorf("the row %q has no name of its own", row)
		}
		seen[row] = true
	}
	if n := len(Hypotheses(o).Rows); n != hypotheses {
		t.Errorf("%d rows of %d hypotheses", n, hypotheses)
	}
}
