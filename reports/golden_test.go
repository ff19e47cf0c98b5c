package reports

import (
	"bytes"
	"context"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/experiments/tuning"
	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/toys"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file in testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("%s, line %d:\n%s\nwant\n%s\n(go test ./reports -update writes the files anew; look at them)", path, i+1, gotLines[i], wantLines[i])
		}
	}
	t.Fatalf("%s has %d lines, want %d", path, len(gotLines), len(wantLines))
}

// write returns a table in a format.
func write(t *testing.T, from *table.Table, f table.Format) string {
	t.Helper()
	if err := from.Check(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := from.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func cases(t *testing.T, s experiments.Selection) []experiments.Case {
	t.Helper()
	if s.Schedule == "" {
		s.Schedule, s.Path, s.Kernel = "linear", "geometric", "metropolis"
	}
	c, err := s.Cases(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func solved(t *testing.T, lengths []int, names ...string) []tightness.Row {
	t.Helper()
	rows, err := tightness.Study().Run(context.Background(), cases(t, experiments.Selection{Toys: names, Distributions: lengths}), tightness.Options{Check: true}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTightnessTables(t *testing.T) {
	longtest.NotShort(t)
	rows := solved(t, []int{100, 1000}, experiments.PaperToys()...)
	for _, f := range []table.Format{table.Text, table.Markdown, table.LaTeX} {
		golden(t, "tightness"+f.Extension(), []byte(write(t, Tightness(rows), f)))
	}
	notes := strings.Join(TightnessNotes(rows), "\n")
	for _, want := range []string{"26% is B/J - 1 of J = 1.84 and B = 2.31; unrounded it is 25.47%", "87% of the mass (printed: 87%)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes:\n%s", want, notes)
		}
	}
	if _, ok := Checks(rows); !ok {
		t.Error("an identity does not hold")
	}
}

func TestChecksReportFaults(t *testing.T) {
	rows := []tightness.Row{{
		Case:       experiments.Case{Toy: toys.Easy(), Params: experiments.Setting{T: 5}.Params()},
		Solution:   &exact.Solution{},
		Identities: []exact.Identity{{Name: "a", OK: true}, {Name: "b", Error: 1}},
	}}
	table, ok := Checks(rows)
	if ok || len(table.Rows) != 2 {
		t.Errorf("ok %v, %d rows", ok, len(table.Rows))
	}
}

// svg returns a figure as its file has it.
func svg(t *testing.T, f *figure.Figure) []byte {
	t.Helper()
	checkLayout(t, f)
	data, err := f.Encode("svg")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func figures(t *testing.T) []*figure.Figure {
	t.Helper()
	three, err := Figure3(solved(t, []int{10, 30, 100, 300, 1000}, experiments.PaperToys()...))
	if err != nil {
		t.Fatal(err)
	}
	panels := tightness.Intermediate(solved(t, []int{100}, experiments.PaperToys()...), tightness.PaperBetas())
	four, err := Figure4(panels)
	if err != nil {
		t.Fatal(err)
	}
	return []*figure.Figure{three, four}
}

func TestFigures(t *testing.T) {
	longtest.NotShort(t)
	for _, f := range figures(t) {
		golden(t, f.Name+".svg", svg(t, f))
	}
}

// TestSandwich draws the histograms of a run with a fixed seed.
func TestSandwich(t *testing.T) {
	runs, err := ais.Study().Run(context.Background(), cases(t, experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{30}}), ais.Options{Chains: 5000, Seed: 1}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Sandwich(&runs[0])
	if err != nil {
		t.Fatal(err)
	}
	golden(t, f.Name+".svg", svg(t, f))
	runs[0].Forward.LogW = []float64{math.Inf(-1)}
	runs[0].Reverse.LogW = nil
	if _, err := Sandwich(&runs[0]); err == nil {
		t.Error("no finite log weight is drawn")
	}
}

func TestKernelFigures(t *testing.T) {
	options := kernelcheck.Options{Kernel: "metropolis", Toys: []string{"easy", "barrier"}, Betas: []float64{0, 0.5, 1}, T: 5}
	checks, err := kernelcheck.Run(context.Background(), options, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	gap, err := GapFigure(checks)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "spectral_gap.svg", svg(t, gap))
	if _, err := DefectFigure(&checks[0]); err == nil {
		t.Error("the defect of a right kernel is drawn")
	}
	wrong := checks[1]
	wrong.Kernel = "wrong"
	if err := wrong.Examine(context.Background(), drift{}, 5); err != nil {
		t.Fatal(err)
	}
	defect, err := DefectFigure(&wrong)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "defect.svg", svg(t, defect))
	options.Betas = []float64{1}
	if checks, err = kernelcheck.Run(context.Background(), options, study.How{}); err != nil {
		t.Fatal(err)
	}
	if _, err := GapFigure(checks); err == nil {
		t.Error("one gap is drawn as a line")
	}
}

// drift moves to the next state whatever the distribution.
type drift struct{}

func (drift) Move(c chains.Chooser, logf []float64, x int) int {
	if c.Flip(0.5) {
		return x
	}
	return (x + 1) % len(logf)
}

// TestFiguresAreReproducible encodes each figure twice.
func TestFiguresAreReproducible(t *testing.T) {
	longtest.NotShort(t)
	for _, f := range figures(t) {
		for _, format := range figure.Formats() {
			first, err := f.Encode(format)
			if err != nil {
				t.Fatal(err)
			}
			again, err := f.Encode(format)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, again) {
				t.Errorf("%s.%s differs from one time to the next", f.Name, format)
			}
			magic := map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF"}[format]
			if !bytes.HasPrefix(first, []byte(magic)) {
				t.Errorf("%s.%s begins with %q", f.Name, format, first[:8])
			}
			if bytes.Contains(first, []byte("D:202")) {
				t.Errorf("%s.%s carries a date", f.Name, format)
			}
		}
		if _, err := f.Encode("bmp"); err == nil {
			t.Error("bmp is accepted")
		}
	}
}

func TestFiguresThatCannotBeDrawn(t *testing.T) {
	if _, err := Figure3(solved(t, []int{10, 20}, "random:0:0:3")); err == nil || !strings.Contains(err.Error(), "J of no toy is positive and finite at two") {
		t.Errorf("a J of zero at every T: %v", err)
	}
	if _, err := Figure3(solved(t, []int{10}, "easy")); err == nil || !strings.Contains(err.Error(), "at least two") {
		t.Errorf("one T: error %v", err)
	}
	if _, err := Figure4(nil); err == nil {
		t.Error("no toy is drawn")
	}
	// Infinite and zero values are left out, and do not take the rest with them.
	rows := solved(t, []int{10, 20, 30}, "easy")
	rows[1].J, rows[1].B = 0, rows[1].J/0
	if _, err := Figure3(rows); err != nil {
		t.Errorf("with a gap: %v", err)
	}
}

// TestScheduleFigures draws the three figures of a small study.
func TestScheduleFigures(t *testing.T) {
	longtest.NotShort(t)
	of := cases(t, experiments.Selection{Toys: []string{"easy", "barrier"}, Distributions: []int{3, 6}})
	rows, err := tuning.Compare().Run(context.Background(), of, tuning.CompareOptions{Schedules: []string{"linear", "power:2"}}, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	for _, draw := range []func([]tuning.Row) (*figure.Figure, error){BetasFigure, ConvergenceFigure, ContributionsFigure} {
		f, err := draw(rows)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, f.Name+".svg", svg(t, f))
	}
	if _, err := ConvergenceFigure(rows[:1]); err == nil {
		t.Error("a line through one point was drawn")
	}
}
