package toys_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

func TestBadPaths(t *testing.T) {
	dir := t.TempDir()
	small := filepath.Join(dir, "small.csv")
	longtest.NoError(t, os.WriteFile(small, []byte("0,1\n"), 0o644))
	start := longtest.Sure(toys.ParseInitial(context.Background(), "uniform", toys.Easy()))
	for selector, want := range map[string]string{
		"geometry": "did you mean geometric?", "geometric:1": "takes no argument", "q": "give the order",
		"q:x": "no number", "q:1e9": "from -100 to 100", "arithmetic:0": "takes no argument",
		"via": "give the file", "via:": "give the file", "via:0.3:": "no path", "via:nowhere.csv": "no such file",
		"via:" + small: "must be on one space", "via:1.5:" + small: "must be on one space",
	} {
		if _, err := toys.ParsePath(selector, start.Ends, toys.Easy()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", selector, err, want)
		}
	}
}

func TestBadInitials(t *testing.T) {
	for selector, want := range map[string]string{
		"uniform:1": "no argument", "unifrom": "did you mean uniform?", "tempered": "give the power", "tempered:2": "from 0 to 1",
		"tempered:x": "from 0 to 1", "smoothed": "number of passes", "smoothed:-1": "from 0 to", "smoothed:1e9": "from 0 to",
		"file": "give the path", "file:": "no path", "file:nowhere.csv": "no such file",
	} {
		if _, err := toys.ParseInitial(context.Background(), selector, toys.Easy()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", selector, err, want)
		}
	}
}

// TestFilesThatAreTooLarge: a file that cannot be on the space of the toy is refused before it is read.
func TestFilesThatAreTooLarge(t *testing.T) {
	for _, name := range []string{"g.csv", "g.npy"} {
		path := filepath.Join(t.TempDir(), name)
		longtest.NoError(t, os.WriteFile(path, make([]byte, 100_000), 0o644))
		const want = "are read of such a file"
		if _, err := toys.ParseInitial(context.Background(), "file:"+path, toys.Easy()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("initial %s: %v", name, err)
		}
		ends := longtest.Sure(paths.NewEnds(nil, toys.Easy().G))
		if _, err := toys.ParsePath("via:"+path, ends, toys.Easy()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("path via %s: %v", name, err)
		}
	}
}

func TestInitials(t *testing.T) {
	barrier := longtest.Sure(toys.Parse("barrier"))
	if path := start(t, "uniform", barrier); !path.Uniform() {
		t.Error("uniform is not")
	}
	f := make([]float64, barrier.Space.States())
	start(t, "tempered:0.1", barrier).LogF(f, chains.At(0))
	for x, v := range f {
		if math.Abs(v-0.1*barrier.G[x]) > 1e-15 {
			t.Errorf("tempered at state %d: %v", x, v)
		}
	}
	start(t, "smoothed:0", barrier).LogF(f, chains.At(0))
	if math.Abs(f[1]-f[0]-(barrier.G[1]-barrier.G[0])) > 1e-12 {
		t.Errorf("no pass changes the target: %v", f)
	}
}

// start returns the geometric path from an initial distribution to a toy.
func start(t *testing.T, selector string, toy *toys.Toy) *paths.Geometric {
	t.Helper()
	initial := longtest.Sure(toys.ParseInitial(context.Background(), selector, toy))
	path := longtest.Sure(paths.GeometricBetween(initial.Ends))
	return path
}

// TestSmooth: one pass on a line by hand, and mass is kept.
func TestSmooth(t *testing.T) {
	zero := math.Inf(-1)
	f := longtest.Sure(toys.Smooth(context.Background(), grid.MustNew(4), []float64{0, zero, zero, math.Log(2)}, 1))
	for x, want := range []float64{3. / 4, 1. / 4, 2. / 4, 6. / 4} {
		if got := math.Exp(f[x]) * 2; math.Abs(got-want) > 1e-15 {
			t.Errorf("state %d: %v, want %v", x, got, want)
		}
	}
	toy := toys.Hard()
	f = longtest.Sure(toys.Smooth(context.Background(), toy.Lattice(), toy.G, 7))
	before, after := 0.0, 0.0
	for x := range f {
		before, after = before+math.Exp(toy.G[x]), after+math.Exp(f[x])
	}
	top := 0.0
	for _, g := range toy.G {
		top = max(top, g)
	}
	if math.Abs(before*math.Exp(-top)/after-1) > 1e-13 {
		t.Errorf("mass went from %v to %v", before*math.Exp(-top), after)
	}
}

// TestSmoothFar: below what float64 holds the filter is the same, by its definition in logarithms.
func TestSmoothFar(t *testing.T) {
	f := longtest.Sure(toys.Smooth(context.Background(), grid.MustNew(5), []float64{0, -800, -1500, math.Inf(-1), -3000}, 1))
	for x, want := range []float64{math.Log(0.75), math.Log(0.25), -800 + math.Log(0.25), -1500 + math.Log(0.25), -3000 + math.Log(0.75)} {
		if math.Abs(f[x]-want) > 1e-12 {
			t.Errorf("state %d: %v, want %v", x, f[x], want)
		}
	}
}

func TestFileOf(t *testing.T) {
	for selector, want := range map[string]string{
		"easy": "", "file:a:b.csv": "a:b.csv", "via:m.csv": "m.csv", "via:0.3:m.csv": "m.csv", "via:x:m.csv": "x:m.csv", "q:0.5": "",
	} {
		if got := toys.FileOf(selector); got != want {
			t.Errorf("%s names %q, want %q", selector, got, want)
		}
	}
}
