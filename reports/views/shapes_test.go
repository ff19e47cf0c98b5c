package views

import (
	"os"
	"strings"
	"testing"

	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/tightness"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/checks"
)

// TestCollageFigures draws slices and marginals in Figure 4, which says what they are.
func TestCollageFigures(t *testing.T) {
	for selector, want := range map[string]string{"random:2:7:3x4x5": "slices of fixed x", "random:2:7:2x2x2x2x2x2x2": "marginals of pairs of axes"} {
		f := longtest.Must(annealing.Figure4(tightness.Intermediate(reporttest.Solved(t, []int{10}, selector), []float64{0.5})))(t)
		if text := string(reporttest.SVG(t, f)); !strings.Contains(text, want) {
			t.Errorf("%s: nothing says %q", selector, want)
		}
	}
}

// kite returns a toy on a triangle with a tail, with places for its states or without.
func kite(t *testing.T, places bool) string {
	t.Helper()
	t.Chdir(t.TempDir())
	text := "ann,0,0,0\nbob,1.5,0,2\ncat,-2,1.5,1\ndan,2,3,1\neve,0.5,4,2\n"
	if !places {
		text = "ann,0\nbob,1.5\ncat,-2\ndan,2\neve,0.5\n"
	}
	for name, text := range map[string]string{"kite.csv": "ann,bob\nbob,cat\ncat,ann\ncat,dan\ndan,eve\n", "g.csv": text} {
		longtest.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return "graph:kite.csv:g.csv"
}

// TestGraphFigures draws a graph with places beside a plane, and one without beside another: Figure 4, and the defect of
// a wrong kernel.
func TestGraphFigures(t *testing.T) {
	longtest.NotShort(t)
	here := longtest.Must(os.Getwd())(t)
	for name, places := range map[string]bool{"nodes": true, "bars": false} {
		rows := reporttest.Solved(t, []int{100}, kite(t, places), "easy", "graph:permutations:3:random:2:0")
		four := longtest.Must(annealing.Figure4(tightness.Intermediate(rows, tightness.PaperBetas())))(t)
		k := kernelcheck.Row{Kernel: "wrong", Toy: rows[0].Toy, Defect: []float64{0.01, -0.03, 0.1, -0.09, 0.01}, DefectBeta: 0.5}
		defect := longtest.Must(checks.DefectFigure(&k))(t)
		t.Chdir(here)
		reporttest.Golden(t, "figure4_"+name+".svg", reporttest.SVG(t, four))
		reporttest.Golden(t, "defect_"+name+".svg", reporttest.SVG(t, defect))
	}
}
