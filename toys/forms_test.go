package toys_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// middle writes a file of g on 3x3 and returns its path.
func middle(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "g:1.csv")
	longtest.NoError(tb, os.WriteFile(path, []byte("0,1,2\n1,0,-1\n-2,2,0.5\n"), 0o644))
	return path
}

// weights writes a file of probabilities on 3x3, without their normalisation, and returns its path.
func weights(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "p:1.csv")
	longtest.NoError(tb, os.WriteFile(path, []byte("4 1 2\n1 7 1e-9\n3 2 0.5\n"), 0o644))
	return path
}

func TestForms(t *testing.T) {
	longtest.NotShort(t)
	selectortest.Run(t, selectortest.Check[selector.Nothing, *toys.Toy]{
		Set: toys.Forms(), Examples: map[string]string{"file": "file:" + middle(t), "prob": "prob:" + weights(t), "model": "model:" + modelFile(t, clu4File, clu4Data),
			"rudy": "rudy:energies/testdata/torus3x4.rud:0.5", "qubo": "qubo:energies/testdata/gaps6.qubo:3", "bq": "bq:energies/testdata/four.bq:1", "ising-file": "ising-file:energies/testdata/spins.txt:2",
			"weight": "weight:8:file:" + middle(t), "bif": "bif:networks/testdata/asia.bif", "uai": "uai:networks/testdata/asia.uai"},
		Name: func(toy *toys.Toy) string { return toy.Name },
		Same: func(a, b *toys.Toy) bool { return reflect.DeepEqual(a, b) },
	})
}

func sameInitial(a, b toys.Initial) bool { return reflect.DeepEqual(a, b) }

// on returns what an initial distribution on 3x3 must know.
func on(tb testing.TB) toys.Start {
	tb.Helper()
	toy := longtest.Sure(toys.Parse("barrier:3x3"))
	return toys.Start{Context: context.Background(), Toy: toy}
}

func TestInitialForms(t *testing.T) {
	start := on(t)
	start.Toy.LogPrior = make([]float64, len(start.Toy.G))
	for x := range start.Toy.LogPrior {
		start.Toy.LogPrior[x] = -math.Log(float64(len(start.Toy.G)))
	}
	selectortest.Run(t, selectortest.Check[toys.Start, toys.Initial]{
		Set: toys.InitialForms(), Env: start, Examples: map[string]string{"file": "file:" + middle(t), "prob": "prob:" + weights(t)},
		Name: func(i toys.Initial) string { return i.Name }, Same: sameInitial,
	})
}

// TestPathForms: paths between the ends of a toy are those of chains, with files on the toy's space.
func TestPathForms(t *testing.T) {
	start := on(t)
	initial := longtest.Sure(toys.ParseInitial(start.Context, "tempered:0.5", start.Toy))
	file := middle(t)
	for _, f := range paths.Forms().All() {
		if f.Name() == "tempered" {
			continue // it is for models: see TestTemperedPath
		}
		text := strings.Replace(f.Example, "middle.csv", file, 1)
		p, err := toys.ParsePath(text, initial.Ends, start.Toy)
		if err != nil || p.String() != text {
			t.Errorf("%s: %v, %v", text, p, err)
		}
		if named := toys.FileOf(text); (named == file) != (f.File != nil) {
			t.Errorf("%s names the file %q", text, named)
		}
	}
}

// FuzzParseInitial: an initial distribution that is parsed has a name that is parsed back to the same, and it has mass
// and is no infinity anywhere.
func FuzzParseInitial(f *testing.F) {
	for _, text := range append(toys.InitialForms().Syntaxes(), "tempered:1e-300", "smoothed:0", "smoothed:100000", "smoothed:+3", "tempered:-0", "uniform:") {
		f.Add(text)
	}
	start := on(f)
	f.Fuzz(func(t *testing.T, text string) {
		if name, path, _ := strings.Cut(text, ":"); path != "" && (name == "file" || name == "prob") {
			return // reads what it names
		}
		initial, err := toys.ParseInitial(start.Context, text, start.Toy)
		if err != nil {
			return
		}
		if again, err := toys.ParseInitial(start.Context, initial.Name, start.Toy); err != nil || !sameInitial(initial, again) {
			t.Errorf("%q calls itself %q, which is another one (%v)", text, initial.Name, err)
		}
		path := longtest.Sure(paths.GeometricBetween(initial.Ends))
		logf := make([]float64, path.States())
		path.LogF(logf, chains.At(0))
		for x, v := range logf {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%q: log f(%d) is %v", text, x, v)
			}
		}
	})
}
