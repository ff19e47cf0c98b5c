package conform_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/exact/kernel"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file in testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		longtest.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want := longtest.Sure(os.ReadFile(path))
	gotLines := strings.Split(string(got), "\n")
	wantLines := strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("%s differs from line %d on (go test ./experiments/checks/conform -update writes the "+
				"files anew; look at them):\n%s",
				path, i+1, strings.Join(gotLines[min(i, len(gotLines)-1):], "\n"))
		}
	}
}

// TestGolden: the documents of a small grid, and of a graph with zeros and a kernel that is not
// reversible.
func TestGolden(t *testing.T) {
	files := contents(t, mustNew(t, selection("barrier:3x3", 3)))
	golden(t, "barrier_task.golden", files["task.json"])
	golden(t, "barrier_readme.golden", files["README.md"])
	golden(t, "barrier_example.golden", files["example.json"])
	s := selection("file:testdata/zeros.csv", 4)
	s.Kernel = "compose:barker+suwa-todo-axis:0"
	s.Initial = "tempered:0.5"
	s.Schedule = "power:2"
	made := mustNew(t, s)
	made.Columns.Path = true
	made.Columns.Increments = true
	files = contents(t, made)
	golden(t, "zeros_task.golden", files["task.json"])
	golden(t, "zeros_readme.golden", files["README.md"])
}

// array reads an array of float64 back by the reader of toys.
func array(t testing.TB, data []byte) []float64 {
	t.Helper()
	_, values, err := toys.ParseNPY(data)
	longtest.NoError(t, err)
	return values
}

// bits returns numbers as their bits, by which zeros of either sign and infinities are told apart.
func bits(values []float64) []uint64 {
	out := make([]uint64, len(values))
	for i, v := range values {
		out[i] = math.Float64bits(v)
	}
	return out
}

// TestLogFInAllForms: .npy, CSV and JSON hold the same numbers, bit for bit, with zeros of f and
// hostile magnitudes.
func TestLogFInAllForms(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	for text, first := range map[string]int{
		"1e12,-inf,999999999999.3\n1e12,1000000000000.7,-inf\n": 2,
		"-1e12,-999999999999.1,-inf,-1e12\n":                    4, "1e-300,0.1\n-0,-1e-12\n": 2,
		"300\n-300.7\n-inf\n": 3,
	} {
		writeFile(t, filepath.Join(dir, "g.csv"), text)
		made := mustNew(t, selection("file:"+filepath.Join(dir, "g.csv"), 3))
		g := made.Case.Toy.G
		want := bits(g)
		files := contents(t, made)
		if is := array(t, files["logf.npy"]); !slices.Equal(bits(is), want) {
			t.Fatalf("logf.npy holds %v, want %v", is, g)
		}
		space, is, err := toys.ParseCSV(files["logf.csv"])
		if err != nil || !slices.Equal(bits(is), want) || space.Side(0) != first {
			t.Fatalf("logf.csv holds %v (%v), want %v", is, err, g)
		}
		var list []any
		longtest.NoError(t, json.Unmarshal(files["logf.json"], &list))
		for x, v := range list {
			if number, is := v.(float64); is && math.Float64bits(number) != want[x] ||
				!is && (v != "-Inf" || !math.IsInf(g[x], -1)) {
				t.Fatalf("logf.json holds %v at state %d, want %v", v, x, g[x])
			}
		}
		a := made.Case.Annealing()
		var stages []float64
		for stage := 1; stage <= 3; stage++ {
			logf := make([]float64, len(g))
			a.LogF(logf, stage)
			stages = append(stages, logf...)
		}
		if is := array(t, files["logf_stages.npy"]); !slices.Equal(bits(is), bits(stages)) {
			t.Fatalf("logf_stages.npy holds %v, want %v", is, stages)
		}
		write(t, made, dir)
		longtest.Must(conform.ReadTask(context.Background(), dir, forms.Reader()))(t)
	}
}

// TestGraphFiles: a graph has its labels in the order of the states.
func TestGraphFiles(t *testing.T) {
	made := mustNew(t, selection("graph:permutations:3:random:2:0", 3))
	files := contents(t, made)
	space := made.Case.Toy.Space
	records, err := csv.NewReader(bytes.NewReader(files["logf.csv"])).ReadAll()
	if err != nil || len(records) != space.States()+1 {
		t.Fatalf("%d lines, error %v", len(records), err)
	}
	for x := range space.States() {
		if r := records[x+1]; r[0] != strconv.Itoa(x) || r[1] != space.Label(x) ||
			r[2] != strconv.FormatFloat(made.Case.Toy.G[x], 'g', -1, 64) {
			t.Errorf("state %d has the line %v", x, r)
		}
	}
	if !bytes.HasPrefix(files["neighbours.npy"],
		[]byte("\x93NUMPY\x01\x00\x76\x00{'descr': '<i8', 'fortran_order': False, 'shape': (6, 2), }")) {
		t.Errorf("neighbours.npy begins with %q", files["neighbours.npy"][:80])
	}
}

// TestNeighbours: on a grid, -1 stands for a wall.
func TestNeighbours(t *testing.T) {
	files := contents(t, mustNew(t, selection("random:1:0:2x3", 2)))
	const want = "-1,3,-1,1\n-1,4,0,2\n-1,5,1,-1\n0,-1,-1,4\n1,-1,3,5\n2,-1,4,-1\n"
	if string(files["neighbours.csv"]) != want {
		t.Errorf("neighbours.csv is %q, want %q", files["neighbours.csv"], want)
	}
	data := files["neighbours.npy"]
	numbers := make([]int64, 24)
	longtest.NoError(t, binary.Read(bytes.NewReader(data[len(data)-8*24:]), binary.LittleEndian, numbers))
	text := strings.NewReplacer("[", "", "]", "", " ", ",").Replace(fmt.Sprint(numbers))
	if flat := strings.TrimSuffix(strings.ReplaceAll(want, "\n", ","), ","); text != flat {
		t.Errorf("neighbours.npy holds %s, want %s", text, flat)
	}
}

// TestMatrices: those of the folder are the kernel's rows, leave p_t invariant, and have the flows
// of the reversals turned round.
func TestMatrices(t *testing.T) {
	for _, selector := range []string{
		"metropolis", "heatbath-scan", "suwa-todo", "compose:suwa-todo-axis:0+barker", "lazy:0.5:heatbath"} {
		s := selection("random:2:0:3x4", 5)
		s.Kernel = selector
		made := mustNew(t, s)
		a := made.Case.Annealing()
		files := contents(t, made)
		n := a.States()
		forward := array(t, files["kernel.npy"])
		back := forward
		if data, irreversible := files["reversal.npy"]; irreversible {
			back = array(t, data)
		} else if selector != "metropolis" && selector != "lazy:0.5:heatbath" {
			t.Errorf("%s: no reversal.npy", selector)
		}
		for stage := 2; stage <= 5; stage++ {
			p := make([]float64, n)
			a.LogF(p, stage)
			rows := longtest.Sure(kernel.NewRows(context.Background(), a.KernelAt(stage), p))
			chains.Normalize(p)
			at := (stage - 2) * n * n
			for y := range n {
				total := 0.0
				for x := range n {
					v := forward[at+x*n+y]
					total += p[x] * v
					if d := math.Abs(v - rows.EntryAt(x, y)); d > 1e-15 {
						t.Errorf("%s, stage %d: from %d to %d %v, and the kernel has %v", selector, stage,
							x, y, v, rows.EntryAt(x, y))
					}
					if d := math.Abs(p[x]*v - p[y]*back[at+y*n+x]); d > 1e-15 {
						t.Errorf("%s, stage %d: the flow from %d to %d and its reversal differ by %g",
							selector, stage, x, y, d)
					}
				}
				if math.Abs(total-p[y]) > 1e-15 {
					t.Errorf("%s, stage %d: state %d has %v, and %v after a move", selector, stage, y, p[y], total)
				}
			}
		}
	}
}

// TestReversalOfAKernelFromOutside: it is taken from the rows, and left out if the kernel is its
// own.
func TestReversalOfAKernelFromOutside(t *testing.T) {
	rows := func(on, back float64) chains.Kernel {
		return chains.NewTabulated("table", 3, func(x int) []chains.Entry {
			return []chains.Entry{
				{To: (x + 1) % 3, P: on}, {To: (x + 2) % 3, P: back}, {To: x, P: 1 - on - back}}
		})
	}
	for _, c := range []struct {
		toy        string
		kernel     chains.Kernel
		reversible bool
	}{
		{"random:1:0:3", turning{}, false},
		{"random:1:0:3", still{}, true},
		{"random:0:0:3", rows(0.5, 0.25), false},
		{"random:0:0:3", rows(0.25, 0.25), true},
	} {
		of := caseOf(t, selection(c.toy, 4))
		a := longtest.Sure(chains.NewAnnealing(of.Annealing().Path(), of.Annealing().Schedule(), c.kernel, 4))
		of.Algorithm = a
		made := longtest.Sure(conform.New(of))
		files := contents(t, made)
		if _, there := files["reversal.npy"]; there == c.reversible {
			t.Errorf("%T: reversal.npy is there: %v", c.kernel, there)
		}
		if !strings.Contains(string(files["README.md"]), "It is given by its matrix") {
			t.Errorf("%T: the README has other words", c.kernel)
		}
	}
}

// turning goes around three states and leaves each distribution invariant: the rates at which
// states are left make all flows alike.
type turning struct{}

func (turning) Move(c chains.Chooser, logf []float64, x int) int {
	least := slices.Min(logf)
	if c.Flip(math.Exp(least-logf[x]) / 2) {
		return (x + 1) % len(logf)
	}
	return x
}

// still is a kernel that is not of the library and never moves.
type still struct{}

func (still) Move(_ chains.Chooser, _ []float64, x int) int { return x }

// TestTooLarge: what does not fit is left out, and the README says so.
func TestTooLarge(t *testing.T) {
	for _, c := range []struct {
		toy     string
		T       int
		there   []string
		missing []string
		readme  []string
	}{
		{"easy", 4000, []string{"kernel_2.npy", "kernel_4000.npy", "logf_stages.npy", "example.json"},
			[]string{"kernel.npy"},
			[]string{"The matrices of all 3999 stages would take more than 64 MB. Those of stages 2 and 4000 are here.",
				"With T = 4000 it is too long to show here."}},
		{"random:1:0:60x60", 3, []string{"logf_stages.npy"}, []string{"kernel.npy", "kernel_2.npy"},
			[]string{"even that of one stage would take more than 64 MB"}},
		{"random:1:0:30x30", 20000, []string{"logf.npy"}, []string{"logf_stages.npy", "example.json"},
			[]string{"They read log f_t from a file that is too large for this folder",
				"too large to work one out"}},
	} {
		made := mustNew(t, selection(c.toy, c.T))
		files := longtest.Sure(made.Files(context.Background()))
		names := map[string]bool{}
		for _, f := range files {
			names[f.Name] = true
			if f.Name != "README.md" {
				continue
			}
			text := longtest.Sure(f.Content())
			for _, want := range c.readme {
				if !strings.Contains(string(text), want) {
					t.Errorf("%s, T = %d: the README lacks %q", c.toy, c.T, want)
				}
			}
		}
		for _, name := range slices.Concat(c.there, c.missing) {
			if names[name] != slices.Contains(c.there, name) {
				t.Errorf("%s, T = %d: %s is there: %v", c.toy, c.T, name, names[name])
			}
		}
	}
}

// TestNewRefuses: what can be no task.
func TestNewRefuses(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		of   subject.Case
		want string
	}{
		{subject.Case{Toy: toys.Easy()}, "the case has none"},
		{caseOf(t, selection("easy", conform.MaxDistributions+1)),
			"a task writes out all distributions, and the limit is 100000; give a smaller T"},
		{caseOf(t, selection("random:1:0:1025x1024", 2)),
			"a task writes out all states, at most 1048576, and this toy has 1049600"},
	} {
		longtest.Refuses(conform.New(c.of))(t, c.want)
	}
}

// TestFilesEndWithTheContext: no content is computed after the context has ended.
func TestFilesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	files := longtest.Must(mustNew(t, selection("easy", 5)).Files(ctx))(t)
	cancel()
	for _, f := range files {
		_, err := f.Content()
		if slow := slices.Contains([]string{"logf_stages.npy", "kernel.npy", "example.json", "README.md"},
			f.Name); slow != errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", f.Name, err)
		}
	}
}
