package catalogue

import (
	"context"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/table"
)

// plantedChains returns chains with a bug, with their paths where the columns have them.
func plantedChains(t *testing.T, k *conform.Task, d chains.Direction, rows int, columns draws.Columns,
	bug func(*planted.Annealer)) *chainSource {
	t.Helper()
	r := longtest.Must(planted.AnnealerOf(k.Case.Annealing(), d))(t)
	bug(r)
	s := &chainSource{Label: d.String() + ".csv", Has: columns, All: draws.Batch{Rows: rows}}
	sampler := chains.NewSampler(simulate.NewStream(1, "planted "+d.String(), 0))
	T := r.Last()
	path := make([][]int32, T)
	for i := range path {
		path[i] = make([]int32, rows)
	}
	for i := range rows {
		x := r.Start(sampler)
		logw := 0.0
		states := []int{x}
		for step := 1; step <= r.Steps(); step++ {
			y, increment := r.Step(sampler, step, x)
			x = y
			logw = logw + increment
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
	s.All.XFirst = path[0]
	s.All.XLast = path[T-1]
	if columns.Path {
		s.All.Path = path
	}
	return s
}

// written returns what people see of a report without files.
func written(t *testing.T, r *reports.Report) string {
	t.Helper()
	var b strings.Builder
	out := reports.Output{
		Results:  &b,
		Messages: &b,
		Format:   table.Text,
		Words:    func(option string) string { return "--" + option },
	}
	longtest.NoError(t, out.Write(context.Background(), r))
	return b.String()
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

func TestConform(t *testing.T) {
	longtest.Only(t)
	k := conformTask(t, "random:2:1:4x4", 5)
	laws := conform.NewLaws(k)
	for name, in := range map[string]conform.Input{
		"right": rightInput(t, k), "wrong": wrongInput(t, k)} {
		t.Run(name, func(t *testing.T) {
			o := longtest.Must(laws.Check(t.Context(), in, conform.Options{Alpha: conform.DefaultAlpha}))(t)
			r := conform.Report(o)
			if (r.Fault != nil) != (name == "wrong") {
				t.Errorf("fault %v", r.Fault)
			}
			checkGolden(t, "conform_"+name+".txt", []byte(written(t, r)))
			for _, part := range r.Figures() {
				f := longtest.Must(part.Draw())(t)
				checkFigure(t, f.Name+"_"+name, f)
			}
			seen := map[string]bool{} // a row for each test and each hypothesis, with a name of its own
			for _, row := range strings.Split(column(t, conform.Table(o), "test"), "|") {
				seen[row] = row != ""
			}
			if n := len(o.Results) + len(conform.Hypotheses(o).Rows); len(seen) != n || seen[""] ||
				len(conform.Table(o).Rows) != n {
				t.Errorf("%d names of %d rows", len(seen), n)
			}
		})
	}
}

// column returns the cells of a column by its name, or for people by its title, as text.
func column(t *testing.T, from *table.Table, name string) string {
	t.Helper()
	for i, c := range from.Columns {
		if c.Name == name || c.Name == "" && c.Title == name {
			var cells []string
			for _, row := range from.Rows {
				cells = append(cells, table.People(row[i], 4))
			}
			return strings.Join(cells, "|")
		}
	}
	t.Fatalf("no column %s", name)
	return ""
}

// TestSingleMoves: single moves alone have a report without odds, and of the figures that of the
// e-values.
func TestSingleMoves(t *testing.T) {
	k := conformTask(t, "random:2:1:3x3", 4)
	a := k.Case.Annealing()
	for _, right := range []bool{true, false} {
		var kernel chains.Kernel = kernels.Metropolis{Space: k.Case.Toy.Space}
		if !right {
			kernel = planted.AlwaysAccepted{Space: k.Case.Toy.Space}
		}
		s := &chainSource{Label: "moves.csv", Has: draws.Columns{Transitions: true}}
		sampler := chains.NewSampler(simulate.NewStream(1, "moves", 0))
		logf := make([]float64, a.States())
		for i := range 2000 {
			stage := 2 + i%3
			a.LogF(logf, stage)
			x := i % a.States()
			s.All.Beta, s.All.From = append(s.All.Beta, a.Beta(stage)), append(s.All.From, int32(x))
			s.All.To = append(s.All.To, int32(kernel.Move(sampler, logf, x)))
			s.All.Rows++
		}
		o := checkChains(t, k, conform.Input{Moves: s})
		r := conform.Report(o)
		if (r.Fault == nil) != right {
			t.Errorf("right %v: fault %v", right, r.Fault)
		}
		if text := written(t, r); !strings.Contains(text, "2000 single moves of the kernel were read") ||
			strings.Contains(text, "hypothesis") {
			t.Errorf("the report is\n%s", text)
		}
		for i, part := range r.Figures() {
			if _, err := part.Draw(); (err == nil) != (i == 1) {
				t.Errorf("figure %d: %v", i, err)
			}
		}
	}
}
