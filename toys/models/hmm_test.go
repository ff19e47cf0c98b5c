package models_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

const weather = `pi = [0.5, 0.5]
A = [[0.9, 0.1], [0.2, 0.8]]
E = [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]]
y = [0, 0, 1, 2, 2, 0, 2, 2, 1, 0]
`

// TestDialectsOfHMM: TOML, whole numbers, JSON, words for letters, the names of hmmlearn, and
// observations by name are the same model.
func TestDialectsOfHMM(t *testing.T) {
	want := longtest.Must(models.ParseHMM([]byte(weather)))(t)
	whole := longtest.Must(
		models.ParseHMM([]byte("pi = [1, 0]\nA = [[0, 1], [0.5, 0.5]]\nE = [[1], [1.0]]\ny = [0]")),
	)(t)
	if fmt.Sprint(*want) != fmt.Sprint(*models.Weather()) || fmt.Sprint(whole.Pi) != "[1 0]" {
		t.Errorf("%v and %v", want, whole)
	}
	for _, text := range []string{
		`{"initial": [0.5, 0.5], "transition": [[0.9, 0.1], [0.2, 0.8]], "emission": [[0.6, 0.3, 0.1], ` +
			`[0.1, 0.3, 0.6]], "observations": [0, 0, 1, 2, 2, 0, 2, 2, 1, 0]}`,
		`{"startprob_": [0.5, 0.5], "transmat_": [[0.9, 0.1], [0.2, 0.8]], "emissionprob_": [[0.6, 0.3, ` +
			`0.1], [0.1, 0.3, 0.6]], "observations": [0, 0, 1, 2, 2, 0, 2, 2, 1, 0.0]}`,
		strings.Replace(weather, "y = [0, 0, 1, 2, 2, 0, 2, 2, 1, 0]",
			"y = ['sun', 0, 'cloud', 2, 'rain', 0, 2, 2, 1, 'sun']\nsymbols = ['sun', 'cloud', 'rain']", 1),
		`{"pi": [0.5, 0.5], "A": [[0.9, 0.1], [0.2, 0.8]], "B": [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]], "y": ` +
			`[0, 0, 1, 2, 2, 0, 2, 2, 1, 0]}`,
		"# UMDHMM\nM= 3\nN=2\nA:\n0.9 0.1\r\n0.2 0.8 \nB:\n0.6 0.3 0.1\n0.1 0.3 0.6\npi:\n0.5 0.5\nT= 10\n" +
			"1 1 2 3 3\n1 3 3 2 1\n",
	} {
		h := longtest.Must(models.ParseHMM([]byte(text)))(t)
		h.Symbols = nil
		if !reflect.DeepEqual(h, want) {
			t.Errorf("%s is %+v", text, h)
		}
	}
}

func TestParseHMMRefuses(t *testing.T) {
	change := func(old, new string) string {
		if !strings.Contains(weather, old) {
			t.Fatalf("%q is not there", old)
		}
		return strings.Replace(weather, old, new, 1)
	}
	for _, c := range [][2]string{
		{change("0.9, 0.1", "0.9, 0.2"), "row 1 of A sums to 1.1"},
		{change("[0.5, 0.5]", "[0.5, 0.4999]"), "pi sums to 0.9999"},
		{change("0.1, 0.3, 0.6", "0.1, 0.3, 0.6000001"), "row 2 of E sums to 1.0000001"},
		{change("0.9, 0.1", "1.1, -0.1"), "row 1 of A: entry 1 is 1.1, which is not a probability; divide each row by its sum"},
		{change("0.9, 0.1", "nan, 0.1"), "row 1 of A: entry 1 is NaN, which is not a probability"},
		{change("0.9, 0.1", "0.9"), "row 1 of A has 1 entries, and should have 2"},
		{change("[0.1, 0.3, 0.6]]", "[0.4, 0.6]]"), "row 2 of E has 2 entries, and should have 3"},
		{change(", [0.2, 0.8]", ""), "A 1 rows"},
		{change("[0, 0, 1,", "[0, 3, 1,"), "observation 1 of y is 3; the rows of E have symbols 0 to 2"},
		{change("[0, 0, 1,", "[0, -1, 1,"), "observation 1 of y is -1"},
		{change("[0, 0, 1,", "[0, 0.5, 1,"), "is not a symbol; give whole numbers from 0"},
		{change("[0, 0, 1,", "[0, 1e300, 1,"), "is not a symbol; give whole numbers from 0"},
		{change("[0, 0, 1,", "[0, 'sun', 1,"), "is not a symbol; give whole numbers from 0"},
		{change("y = [0, 0, 1, 2, 2, 0, 2, 2, 1, 0]", "y = []"), "y has no observation"},
		{change("y = [0, 0, 1, 2, 2, 0, 2, 2, 1, 0]", ""), "there is no y"},
		{change("pi = [0.5, 0.5]", "pi = 0.5"), "pi is not a list"},
		{change("pi = [0.5, 0.5]", "pi = ['0.5', 0.5]"), "pi: entry 1 is not a number"},
		{change("pi", "start"), `unknown key "start"; choices: A, E, pi, states, symbols, y`},
		{`{"nodes": {}, "edges": []}`,
			"its keys are edges, nodes, and none is that of a hidden Markov model"},
		{change("pi", "initial = [1, 0]\npi"), "initial and pi are the same; give one of them"},
		{weather + "states = ['dry']", "states has 1 names, and there are 2 of them"},
		{weather + "states = ['dry', 'dry']", `states: "dry" stands twice`},
		{weather + "symbols = ['sun', '', 'rain']", "symbols: entry 2 is not a name"},
		{`{"pi": [1], "A": [[1]], "E": [[1]], "y": [0], "pi": [1]}`, "line 1: the key pi stands twice"},
		{"{\n\"pi\": [1],\n", "line 2: the file ends within the object"},
		{`{"pi": [1], "A": [[1]], "E": [[1]], "y": [0]} 1`, "something stands behind the closing brace"},
		{`{"pi": [1], "A": [[1]], "E": [[1]], "y": ["0"]}`,
			"observation 0 of y, 0, is not a symbol; give whole numbers from 0, or names that the key symbols lists"},
		{change("]]\nE", "]\nE"), "line 3, column "},
		{"pi = [1.0, 0.0]\nA = [[1.0, 0.0], [0.0, 1.0]]\nE = [[1.0, 0.0], [0.0, 1.0]]\ny = [0, 0, 1]",
			"log Z = -Inf: the model gives observation 2 of y probability zero"},
	} {
		longtest.Refuses(models.ParseHMM([]byte(c[0])))(t, c[1])
	}
}

func TestParsePoints(t *testing.T) {
	for _, text := range []string{
		"-2.1\n-1.9\n0.1\n1.8\n2.2\n", "-2.1, -1.9,0.1\n\n1.8,2.2", "\ufeff-2.1,-1.9,0.1,1.8,2.2"} {
		points, err := models.ParsePoints([]byte(text), models.ExactPoints)
		if err != nil || fmt.Sprint(points) != fmt.Sprint(models.FivePoints().Y) {
			t.Errorf("%q: %v, %v", text, points, err)
		}
	}
	for _, c := range [][2]string{
		{"", "the file is empty"},
		{"1\nnan\n", `line 2, column 1: "nan" is not a number`},
		{"1,NaN\n", `line 1, column 2: "NaN" is not a number`},
		{"1,+Inf\n", `line 1, column 2: "+Inf" is not a number`},
		{"1,,2\n", "line 1, column 2: the cell is empty"},
		{"1e101\n", "line 1, column 1: 1e101; points are at most 1e+100 from zero"},
		{"\"1\n", "line"},
		{strings.Repeat("1\n", 101),
			"101 points; the partitions of at most 12 are counted one by one, and those of at most 100 are drawn from"},
	} {
		longtest.Refuses(models.ParsePoints([]byte(c[0]), models.SampledPoints))(t, c[1])
	}
	_, err := models.ParsePoints([]byte(strings.Repeat("1\n", 13)), models.ExactPoints)
	if many, ok := errors.AsType[*models.TooManyPoints](err); !ok || many.Points != 13 {
		t.Errorf("13 points: %v", err)
	}
	longtest.Must(models.ParsePoints([]byte(strings.Repeat("1\n", 12)), models.ExactPoints))(t)
}

// TestModelFiles: files are read to a limit, and errors name them.
func TestModelFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	write := func(text string) { longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	write(weather)
	longtest.Refuses(models.ReadPoints(path, 12))(t, "points "+path+": line 1, column 1: ")
	for name, want := range map[string]float64{
		"weather": -11.742861, "wear": -3.727408579, path: -11.742861} {
		// that of wear is a sum over its 243 paths
		if _, logZ := longtest.Must(models.NamedHMM(name))(t).Forward(); math.Abs(logZ-want) > 1e-6 {
			t.Errorf("%s: log Z = %v, want %v", name, logZ, want)
		}
	}
	longtest.Refuses(models.NamedHMM(filepath.Join(dir, "none")))(t, "those that need no file are weather and wear")
	write("1\n2\n")
	if points := longtest.Must(models.ReadPoints(path, 12))(t); len(points) != 2 {
		t.Errorf("points %v", points)
	}
	longtest.Refuses(models.ReadHMM(path))(t, "hidden Markov model "+path+": line 1")
	write(strings.Repeat(" ", 4<<20+1))
	for name, want := range map[string]string{
		path: "are read of such a file", "": "no path", dir: "a folder"} {
		longtest.Refuses(models.ReadHMM(name))(t, want)
		longtest.Refuses(models.ReadPoints(name, 12))(t, want)
	}
}

func second[T any](_ T, err error) error { return err }

// FuzzParseHMM: what is parsed is a model with a posterior, and errors are one line.
func FuzzParseHMM(f *testing.F) {
	f.Add([]byte(weather))
	f.Add([]byte("pi = [1]\nA = [[1]]\nE = [[1.0]]\ny = [0, 0]"))
	f.Add([]byte("pi = [[]]\n[A]\n"))
	f.Add([]byte("M= 2\nN= 1\nA:\n1\nB:\n0.5 0.5\npi:\n1\nT= 2\n1 2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := models.ParseHMM(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if err := h.Validate(); err != nil {
			t.Error(err)
		}
		if _, logZ := h.Forward(); math.IsInf(logZ, 0) || math.IsNaN(logZ) {
			t.Errorf("log Z = %v", logZ)
		}
	})
}

// FuzzParsePoints: points that are parsed make a model.
func FuzzParsePoints(f *testing.F) {
	f.Add("1,2\n3")
	f.Add("-1e100\n\n+0")
	f.Fuzz(func(t *testing.T, text string) {
		points, err := models.ParsePoints([]byte(text), models.ExactPoints)
		if err != nil {
			return
		}
		if err := models.Mixture(points).Validate(); err != nil {
			t.Error(err)
		}
	})
}

// generatives are the models whose data can be drawn anew.
func generatives() map[string]models.Generative {
	return map[string]models.Generative{"clu6": models.Clu6(), "clu4": models.Clu4(), "bin4": models.Bin4()}
}

// TestSimulateHasTheModelsCovariances: given z, two entries in one column have the covariance of
// the model, and those in different columns none. Each of the 3,000 sums of squares or products of
// 20,000 draws is within 6 standard deviations, which a right one leaves with a probability of some
// 1e-8.
func TestSimulateHasTheModelsCovariances(t *testing.T) {
	longtest.Only(t)
	const draws = 20000
	for name, m := range generatives() {
		rng := rand.New(rand.NewPCG(1, 2))
		n := len(m.Rows())
		columns := len(m.Rows()[0])
		z := m.Space().States() * 2 / 3
		sums := make([]float64, n*columns*n*columns)
		for range draws {
			y := m.Simulate(z, rng)
			if len(y) != n || len(y[0]) != columns {
				t.Fatalf("%s: %d rows of %d", name, len(y), len(y[0]))
			}
			for a := range n * columns {
				for b := range n * columns {
					sums[a*n*columns+b] += y[a/columns][a%columns] * y[b/columns][b%columns]
				}
			}
		}
		for a := range n * columns {
			for b := range n * columns {
				want := covariance(m, z, a/columns, b/columns, a%columns == b%columns)
				va, vb := covariance(m, z, a/columns, a/columns, true),
					covariance(m, z, b/columns, b/columns, true)
				if got := sums[a*n*columns+b] / draws; math.Abs(got-want) >
					6*math.Sqrt((va*vb+want*want)/draws) {
					t.Errorf("%s: covariance of entries %d and %d is %v, want %v", name, a, b, got, want)
				}
			}
		}
	}
}

// covariance returns the covariance of entries of rows i and k, in one column or in two, given a
// state.
func covariance(m models.Generative, z, i, k int, sameColumn bool) (v float64) {
	p := problemOf(m)
	at := m.Space().Coords(z)
	for c := 0; c < p.k && sameColumn; c++ {
		v += p.signal * p.assigned(at, i, c) * p.assigned(at, k, c)
	}
	if sameColumn && i == k {
		v += p.noise
	}
	return v
}

// TestWithChangesTheDataAlone, and not the model that it is asked of.
func TestWithChangesTheDataAlone(t *testing.T) {
	for name, m := range generatives() {
		before := m.LogLikelihood(1)[0]
		y := m.Simulate(0, rand.New(rand.NewPCG(3, 4)))
		other := m.With(y)
		if &other.Rows()[0][0] != &y[0][0] || other.LogLikelihood(1)[0] == before ||
			m.LogLikelihood(1)[0] != before {
			t.Errorf("%s: the data are not those that were given, or the model has changed", name)
		}
		if back := other.With(m.Rows()).LogLikelihood(1)[0]; back != before {
			t.Errorf("%s: with its own data again it is %v, want %v", name, back, before)
		}
	}
}
