package views

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/paths"
	"breadboard/exact/stages"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/tightness"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/checks"
	"breadboard/reports/views/targets"
	"breadboard/toys"
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

// TestTargetsReadBack writes random targets as CSV and .npy and reads them as a toy.
func TestTargetsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(t, "sides")
		toy, err := toys.Random(rapid.Float64Range(0, 1e6).Draw(t, "sigma"), rapid.Uint32().Draw(t, "seed"), grid.MustNew(sides...))
		if err != nil {
			t.Fatal(err)
		}
		data, err := targets.TargetNPY(toy)
		if err != nil {
			t.Fatal(err)
		}
		same(t, toy, toy.Space.String(), func() (*grid.Lattice, []float64, error) { return toys.ParseNPY(data) })
		data, err = targets.TargetCSV(toy)
		if len(sides) > 2 || len(sides) == 2 && sides[0] == 1 { // which would be read back as a plane, or as one axis
			if err == nil {
				t.Fatalf("%v goes into CSV", toy.Space)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		same(t, toy, toy.Space.String(), func() (*grid.Lattice, []float64, error) { return toys.ParseCSV(data) })
	})
}

func same(t *rapid.T, toy *toys.Toy, size string, parse func() (*grid.Lattice, []float64, error)) {
	space, g, err := parse()
	if err != nil || space.String() != size {
		t.Fatalf("%v %v, want %s", space, err, size)
	}
	for x := range g {
		if g[x] != toy.G[x] {
			t.Fatalf("g[%d] = %v, want %v", x, g[x], toy.G[x])
		}
	}
}

func TestTextHeatMap(t *testing.T) {
	toy := longtest.Must(toys.Parse("barrier:5x5"))(t)
	path := longtest.Must(paths.NewGeometric(nil, toy.G))(t)
	m := longtest.Must(targets.TextHeatMap(toy, stages.Distribution(path, 1)))(t)
	want := "+----------+\n|░░░░··████|\n|░░░░··████|\n|··········|\n|░░░░··░░░░|\n|░░░░··░░░░|\n+----------+\n"
	if !strings.HasPrefix(m, want) {
		t.Errorf("%s\nwant\n%s", m, want)
	}
	for _, selector := range []string{"random:1:0:2x2x2", "random:1:0:2x101"} {
		toy := longtest.Must(toys.Parse(selector))(t)
		if _, err := targets.TextHeatMap(toy, make([]float64, toy.Space.States())); err == nil {
			t.Errorf("%s is drawn", selector)
		}
	}
}

func TestFileName(t *testing.T) {
	for selector, want := range map[string]string{
		"easy": "easy", "random:2:0:3x3": "random-2-0-3x3", "file:../../etc/passwd": "file-..-..-etc-passwd",
		"file:/a b.csv": "file--a-b.csv", "..": "toy", "": "toy", "-x": "x",
	} {
		if got := reports.FileName(selector); got != want {
			t.Errorf("FileName(%q) = %q, want %q", selector, got, want)
		}
	}
}

func TestDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	d := longtest.Must(reports.OpenDirectory(dir))(t)
	for range 2 { // the second time over the first
		longtest.Must(d.Write("x.txt", []byte("hello")))(t)
	}
	for _, name := range []string{"../x", "a/b", "", ".", ".."} {
		if _, err := d.Write(name, nil); err == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "x.txt" {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	file := filepath.Join(dir, "x.txt")
	if data, err := os.ReadFile(file); err != nil || string(data) != "hello" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := reports.OpenDirectory(file); err == nil {
		t.Error("a file is taken for a directory")
	}
	if _, err := reports.OpenDirectory("/proc/nonexistent/x"); err == nil {
		t.Error("a directory is made in /proc")
	}
}
