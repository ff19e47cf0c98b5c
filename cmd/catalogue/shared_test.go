package catalogue

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"breadboard/chains/selector"
	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/forms"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

var update = flag.Bool("update", false, "write the golden files anew")

// checkGolden compares with a file in testdata, or writes it.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		longtest.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want := longtest.Must(selector.ReadFile(path, 1<<24))(t)
	if bytes.Equal(got, want) {
		return
	}
	gotLines := strings.Split(string(got), "\n")
	wantLines := strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("%s, line %d:\n%s\nwant\n%s\n(go test ./cmd/catalogue -update writes the files "+
				"anew; look at them)",
				path, i+1, gotLines[i], wantLines[i])
		}
	}
	t.Fatalf("%s has %d lines, want %d", path, len(gotLines), len(wantLines))
}

// writeTable returns a table in a format.
func writeTable(t *testing.T, from *table.Table, f table.Format) string {
	t.Helper()
	longtest.NoError(t, from.Validate())
	var b strings.Builder
	longtest.NoError(t, from.Write(&b, f))
	return b.String()
}

func casesOf(t *testing.T, s subject.Selection) []subject.Case {
	t.Helper()
	s.Reader.Forms = forms.All()
	if s.Schedule == "" {
		s.Schedule = "linear"
		s.Path = "geometric"
		s.Kernel = "metropolis"
	}
	return longtest.Must(s.Cases(context.Background()))(t)
}

func solvedRows(t *testing.T, lengths []int, names ...string) []tightness.Row {
	t.Helper()
	return longtest.Must(study.Run(context.Background(), tightness.Study(),
		casesOf(t, subject.Selection{Toys: names, Distributions: lengths}),
		tightness.Options{Check: true}, study.How{}))(t)
}

// encodeSVG returns a figure as its file has it.
func encodeSVG(t *testing.T, f *figure.Figure) []byte {
	t.Helper()
	checkLayout(t, f)
	return longtest.Must(f.Encode("svg"))(t)
}

// drawFigure draws a figure of a report, and compares it with a golden file of a name; an empty one
// stands for that of the figure.
func drawFigure(t *testing.T, from reports.Figure, name string) *figure.Figure {
	t.Helper()
	f := longtest.Must(from.Draw())(t)
	checkFigure(t, cmp.Or(name, f.Name), f)
	return f
}

// notesText returns the notes of a report, a line each.
func notesText(r *reports.Report) string {
	var lines []string
	for _, n := range r.Notes() {
		lines = append(lines, n.Error())
	}
	return strings.Join(lines, "\n")
}

var pictures = flag.String("pictures", "",
	"also write the figures that are checked to this folder: as PNG in every style, and their points as CSV")

// checkLayout looks for faults of a figure at the width of a column of a paper, which has the least
// room, and with -long in other styles too.
func checkLayout(t *testing.T, f *figure.Figure) {
	t.Helper()
	styles := map[string]figure.Style{"column": {Width: 3.25 * vg.Inch}}
	if longtest.More() || *pictures != "" {
		styles["own"] = figure.Style{}
		styles["print"], styles["mono column"] = figure.Style{Look: figure.Print},
			figure.Style{Look: figure.Mono, Width: 8.5 * vg.Centimeter}
		styles["page"], styles["slide"] = figure.Style{Width: 6.5 * vg.Inch},
			figure.Style{Width: 10 * vg.Inch, FontSize: 14}
	}
	if *pictures != "" && f.Data != nil {
		file := fmt.Sprintf("%s_%s.csv", f.Name, strings.ReplaceAll(t.Name(), "/", "_"))
		longtest.NoError(
			t,
			os.WriteFile(filepath.Join(*pictures, file), []byte(writeTable(t, f.Data, table.CSV)), 0o644),
		)
	}
	for name, s := range styles {
		for _, fault := range layoutFaults(t, longtest.Must(f.In(s).Encode("svg"))(t)) {
			t.Errorf("%s, width %s: %s", f.Name, name, fault)
		}
		if *pictures == "" {
			continue
		}
		data := longtest.Must(f.In(s).Encode("png"))(t)
		file := fmt.Sprintf("%s_%s_%s.png", f.Name, strings.ReplaceAll(t.Name(), "/", "_"), name)
		longtest.NoError(t, os.WriteFile(filepath.Join(*pictures, file), data, 0o644))
	}
}

// sweptStudies are those of which the tests of views make sweeps.
func sweptStudies() sweep.Studies {
	return sweep.Studies{Forms: forms.All(), List: []*subject.Question{
		tightness.Study().Declaration.Sweep(), gap.Study().Declaration.Sweep(),
		aide.Study().Declaration.Sweep(),
		evidence.Study().Declaration.Sweep(), kernel.Study().Declaration.Sweep()}}
}

// sweepResults runs a specification and returns its merged results.
func sweepResults(t *testing.T, text string) *sweep.Merged {
	t.Helper()
	dir := t.TempDir()
	longtest.Must(sweep.Run(context.Background(), planSweep(t, text), dir, sweep.Options{}))(t)
	m, err := sweep.Merge(sweptStudies(), dir)
	if err != nil || m.Missing > 0 {
		t.Fatalf("%v, %d missing", err, m.Missing)
	}
	return m
}

func planSweep(t *testing.T, text string) *sweep.Sweep {
	t.Helper()
	spec := longtest.Must(sweep.Parse(sweptStudies(), "test.toml", []byte(text)))(t)
	return longtest.Must(spec.Sweep())(t)
}
