package checks

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/conform"

	"breadboard/experiments/planted"
	"breadboard/experiments/samples"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/internal/conformtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
)

// plantedChains returns chains with a bug, with their paths where the columns have them.
func plantedChains(t *testing.T, k *conform.Task, d chains.Direction, rows int, columns samples.Columns, bug func(*planted.Annealer)) *conformtest.ChainSource {
	t.Helper()
	r := longtest.Must(planted.Of(k.Case.Annealing(), d))(t)
	bug(r)
	s := &conformtest.ChainSource{Label: d.String() + ".csv", Has: columns, All: samples.Batch{Rows: rows}}
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
		s.All.LogW = append(s.All.LogW, logw)
	}
	s.All.XFirst, s.All.XLast = path[0], path[T-1]
	if columns.Path {
		s.All.Path = path
	}
	return s
}

// written returns what people see of a report without files.
func written(t *testing.T, r *reports.Report) string {
	t.Helper()
	var b strings.Builder
	out := reports.Output{Results: &b, Messages: &b, Format: table.Text, Words: func(option string) string { return "--" + option }}
	longtest.NoError(t, out.Write(context.Background(), r))
	return b.String()
}

// wrongInput has paths with a bug forward, and right chains in reverse.
func wrongInput(t *testing.T, k *conform.Task) conform.Input {
	columns := conformtest.AllColumns()
	columns.Path = true
	return conform.Input{
		Forward: plantedChains(t, k, chains.Forward, 4000, columns, planted.OtherSide),
		Reverse: conformtest.RightChains(t, k, chains.Reverse, 4000, conformtest.AllColumns()),
	}
}

// conformDrawings are the figures of an outcome, by the functions that draw them.
func conformDrawings() []func(*conform.Outcome) (*figure.Figure, error) {
	return []func(*conform.Outcome) (*figure.Figure, error){ConformLawFigure, EvidenceFigure, OddsFigure, PITFigure}
}

func TestConform(t *testing.T) {
	longtest.NotShort(t)
	k := conformtest.ConformTask(t, "random:2:1:4x4", 5)
	laws := conform.NewLaws(k)
	for name, in := range map[string]conform.Input{"right": conformtest.RightInput(t, k), "wrong": wrongInput(t, k)} {
		t.Run(name, func(t *testing.T) {
			o := longtest.Must(laws.Check(t.Context(), in, conform.Options{Alpha: conform.DefaultAlpha}))(t)
			r := ConformReport(o)
			if (r.Fault != nil) != (name == "wrong") {
				t.Errorf("fault %v", r.Fault)
			}
			reporttest.Golden(t, "conform_"+name+".txt", []byte(written(t, r)))
			for _, draw := range conformDrawings() {
				f := longtest.Must(draw(o))(t)
				reporttest.Golden(t, f.Name+"_"+name+".svg", reporttest.SVG(t, f))
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
		files := longtest.Must(reports.OpenDirectory(dir))(t)
		var results strings.Builder
		r := ConformReport(o)
		out := reports.Output{Results: &results, Messages: io.Discard, Format: format, Files: files}
		for _, of := range r.Tables() {
			longtest.NoError(t, out.Write(context.Background(), &reports.Report{Parts: []reports.Part{of}}))
			got := longtest.Must(os.ReadFile(filepath.Join(dir, of.Name+format.Extension())))(t)
			if want := reporttest.Write(t, of.In(format), format); string(got) != want {
				t.Errorf("the file of %s has not all rows as %s", of.Name, format)
			}
		}
		if want := reporttest.Write(t, Conform(o), format); format.ForMachines() && results.String() != want {
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
