package energies_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/energies"
)

// FuzzParse: whatever a file has, an energy that is read has at most 24 sites and no NaN, and its log f is finite.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		data := longtest.Must(os.ReadFile(file))(f)
		f.Add(data)
	}
	for _, text := range []string{"3 1\n1 2 1e308\n", "p qubo 0 9 2 1\n0 0 1\n1 1 1\n0 1 5\n", "1 2 -1e-320", "24 0\n", "1073741824 1073741824\n", "0 0 0\n0 0 0", "\ufeff1 1\n1 1 2\r\n"} {
		f.Add([]byte(text))
	}
	formats := energies.Formats()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range formats {
			e, err := format.Parse(data)
			if err != nil {
				continue
			}
			n := len(e.Numbers)
			if n < 1 || n > energies.MaxSites || len(e.Axes()) != n {
				t.Fatalf("%s: %d sites", format.Name, n)
			}
			if n > 10 {
				continue // the energies of so many states take long
			}
			g, err := e.LogF(format.Sign)
			for _, v := range g {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s: log f is %v", format.Name, v)
				}
			}
			if err == nil && len(g) != 1<<n {
				t.Fatalf("%s: %d states of %d sites", format.Name, len(g), n)
			}
		}
	})
}
