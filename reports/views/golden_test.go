package views

import (
	"bytes"
	"context"
	"math"
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
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/checks"
	"breadboard/toys"
)

func TestTightnessTables(t *testing.T) {
	longtest.NotShort(t)
	rows := reporttest.Solved(t, []int{100, 1000}, experiments.PaperToys()...)
	for _, f := range []table.Format{table.Text, table.Markdown, table.LaTeX} {
		reporttest.Golden(t, "tightness"+f.Extension(), []byte(reporttest.Write(t, annealing.Tightness(rows), f)))
	}
	notes := strings.Join(annealing.TightnessNotes(rows), "\n")
	for _, want := range []string{"the printed error 26% is that of J and B at three digits each, 1.84 and 2.31; of J and B themselves it is 25.47%", "87% of the mass (printed: 87%)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes:\n%s", want, notes)
		}
	}
	if _, ok := annealing.Checks(rows); !ok {
		t.Error("an identity does not hold")
	}
}

func TestChecksReportFaults(t *testing.T) {
	rows := []tightness.Row{{
		Case:       experiments.Case{Toy: toys.Easy(), Params: experiments.Setting{T: 5}.Params()},
		Solution:   &exact.Solution{},
		Identities: []exact.Identity{{Name: "a", OK: true}, {Name: "b", Error: 1}},
	}}
	table, ok := annealing.Checks(rows)
	if ok || len(table.Rows) != 2 {
		t.Errorf("ok %v, %d rows", ok, len(table.Rows))
	}
}

func figures(t *testing.T) []*figure.Figure {
	t.Helper()
	three := longtest.Must(annealing.Figure3(reporttest.Solved(t, []int{10, 30, 100, 300, 1000}, experiments.PaperToys()...)))(t)
	panels := tightness.Intermediate(reporttest.Solved(t, []int{100}, experiments.PaperToys()...), tightness.PaperBetas())
	four := longtest.Must(annealing.Figure4(panels))(t)
	return []*figure.Figure{three, four}
}

func TestFigures(t *testing.T) {
	longtest.NotShort(t)
	for _, f := range figures(t) {
		reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
	}
}

// TestSandwich draws the histograms of a run with a fixed seed.
func TestSandwich(t *testing.T) {
	runs := longtest.Must(ais.Study().Run(context.Background(), reporttest.Cases(t, experiments.Selection{Toys: []string{"barrier"}, Distributions: []int{30}}), ais.Options{Chains: 5000, Seed: 1}, study.How{}))(t)
	f := longtest.Must(annealing.Sandwich(&runs[0]))(t)
	reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
	runs[0].Forward.LogW = []float64{math.Inf(-1)}
	runs[0].Reverse.LogW = nil
	if _, err := annealing.Sandwich(&runs[0]); err == nil {
		t.Error("no finite log weight is drawn")
	}
}

func TestKernelFigures(t *testing.T) {
	options := kernelcheck.Options{Kernel: "metropolis", Toys: []string{"easy", "barrier"}, Betas: []float64{0, 0.5, 1}, T: 5}
	rows, err := kernelcheck.Run(context.Background(), options, study.How{})
	if err != nil {
		t.Fatal(err)
	}
	gap, err := checks.GapFigure(rows)
	if err != nil {
		t.Fatal(err)
	}
	reporttest.Golden(t, "spectral_gap.svg", reporttest.SVG(t, gap))
	if _, err := checks.DefectFigure(&rows[0]); err == nil {
		t.Error("the defect of a right kernel is drawn")
	}
	wrong := rows[1]
	wrong.Kernel = "wrong"
	if err := wrong.Examine(context.Background(), drift{}, 5); err != nil {
		t.Fatal(err)
	}
	defect, err := checks.DefectFigure(&wrong)
	if err != nil {
		t.Fatal(err)
	}
	reporttest.Golden(t, "defect.svg", reporttest.SVG(t, defect))
	options.Betas = []float64{1}
	if rows, err = kernelcheck.Run(context.Background(), options, study.How{}); err != nil {
		t.Fatal(err)
	}
	if _, err := checks.GapFigure(rows); err == nil {
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
			first := longtest.Must(f.Encode(format))(t)
			again := longtest.Must(f.Encode(format))(t)
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
	if _, err := annealing.Figure3(reporttest.Solved(t, []int{10, 20}, "random:0:0:3")); err == nil || !strings.Contains(err.Error(), "J of no toy is positive and finite at two") {
		t.Errorf("a J of zero at every T: %v", err)
	}
	if _, err := annealing.Figure3(reporttest.Solved(t, []int{10}, "easy")); err == nil || !strings.Contains(err.Error(), "at least two") {
		t.Errorf("one T: error %v", err)
	}
	if _, err := annealing.Figure4(nil); err == nil {
		t.Error("no toy is drawn")
	}
	// Infinite and zero values are left out, and do not take the rest with them.
	rows := reporttest.Solved(t, []int{10, 20, 30}, "easy")
	rows[1].J, rows[1].B = 0, rows[1].J/0
	if _, err := annealing.Figure3(rows); err != nil {
		t.Errorf("with a gap: %v", err)
	}
}

// TestScheduleFigures draws the three figures of a small study.
func TestScheduleFigures(t *testing.T) {
	longtest.NotShort(t)
	of := reporttest.Cases(t, experiments.Selection{Toys: []string{"easy", "barrier"}, Distributions: []int{3, 6}})
	rows := longtest.Must(tuning.Compare().Run(context.Background(), of, tuning.CompareOptions{Schedules: []string{"linear", "power:2", "optimal:B", "optimal:J"}}, study.How{}))(t)
	for _, draw := range []func([]tuning.Row) (*figure.Figure, error){annealing.BetasFigure, annealing.ConvergenceFigure, annealing.ContributionsFigure} {
		f := longtest.Must(draw(rows))(t)
		reporttest.Golden(t, f.Name+".svg", reporttest.SVG(t, f))
	}
	if _, err := annealing.ConvergenceFigure(rows[:1]); err == nil {
		t.Error("a line through one point was drawn")
	}
}
