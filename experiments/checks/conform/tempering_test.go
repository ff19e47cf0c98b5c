package conform_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains/tempering"
	"breadboard/experiments/checks/conform/records"
	tempered "breadboard/experiments/checks/conform/tempering"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid/longtest"
)

func lawsOf(t testing.TB, made *tempered.Task) *records.Laws {
	t.Helper()
	return longtest.Must(made.Laws(context.Background(), 0, nil))(t)
}

// endless returns a source of records that are made one by one.
func endless(columns []string, one func() records.Record) *records.Source {
	return &records.Source{Name: "a sampler", Columns: columns, Next: func(_ context.Context, n int) (list []records.Record, err error) {
		for range n {
			list = append(list, one())
		}
		return list, nil
	}}
}

// sampled returns a source of records that a way has.
func sampled(t *testing.T, made *tempered.Task, kind int, way records.Way, seed uint64) *records.Source {
	t.Helper()
	var sums []float64
	atoms, rng := longtest.Must(way.Law(t.Context()))(t), rand.New(rand.NewPCG(seed, 1))
	for i, a := range atoms {
		if sums = append(sums, a.P); i > 0 {
			sums[i] += sums[i-1]
		}
	}
	return endless(made.Kinds()[kind].Columns(), func() records.Record {
		at, _ := slices.BinarySearch(sums, rng.Float64()*sums[len(sums)-1])
		var whole []int8
		for _, b := range []byte(atoms[at].Whole) {
			whole = append(whole, int8(b))
		}
		return records.Record{Reals: atoms[at].Reals, Whole: whole}
	})
}

// TestEveryTemperingBugIsNamed draws records of every known way to get it wrong, and holds the
// number of runs at which it is found and named to what Needs says: that many are enough with a
// probability of 0.99, and four times as many nearly always.
func TestEveryTemperingBugIsNamed(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	schemes := []tempering.Scheme{tempering.DEO, tempering.SEO}[:longtest.Times(1, 2)]
	for _, scheme := range schemes {
		made := newTask(t, "random:2:0:2", scheme, 3, 5, 0, 0.3, 1)
		l, named := lawsOf(t, made), map[string]bool{}
		for _, need := range l.Needs(records.DefaultAlpha) {
			kind := slices.IndexFunc(made.Kinds(), func(k records.Kind) bool { return k.Name == need.Of })
			if slices.Contains(need.Alike, records.Specification) {
				continue
			}
			sources := make([]*records.Source, 2)
			ways := made.Kinds()[kind].Ways
			sources[kind] = sampled(t, made, kind, ways[slices.IndexFunc(ways, func(w records.Way) bool { return w.Name == need.Hypothesis })], 1)
			found := longtest.Must(l.Check(context.Background(), sources, records.Options{Alpha: records.DefaultAlpha, Runs: 4 * int(need.Named)}))(t)
			if side := found.Sides[0]; !found.Fault() || !slices.Contains(side.Named, need.Hypothesis) || len(side.Named) != 1+len(need.Alike) {
				t.Errorf("%s, %s: %q is named %q after %d, fault %v; %+v", scheme, need.Of, need.Hypothesis, side.Named, side.Runs, found.Fault(), need)
			}
			named[need.Hypothesis] = true
		}
		if want := len(made.Page().Ways); len(named) != want {
			t.Errorf("%s: of %d ways to get it wrong %d are not the specification", scheme, want, len(named))
		}
	}
}

// TestTemperingInPython: the NumPy example passes, and its swaps with the inverted ratio are named.
func TestTemperingInPython(t *testing.T) {
	python := casetest.Python(t, "numpy")
	t.Parallel()
	source := longtest.Must(os.ReadFile("examples/tempering.py"))(t)
	inverted := replaced(t, source, "self.betas[i + 1] - self.betas[i]) * (self.g", "self.betas[i] - self.betas[i + 1]) * (self.g")
	made := newTask(t, "random:2:0:2", tempering.DEO, 3, 3, 0, 0.3, 1)
	l, dir, sampler := lawsOf(t, made), t.TempDir(), tempered.Sampler()
	for _, f := range longtest.Must(sampler.Folder(made))(t) {
		writeFile(t, filepath.Join(dir, f.Name), string(f.Content))
	}
	for name, program := range map[string][]byte{"": source, "swap ratio inverted": inverted} {
		for kind, trips := range [][]string{nil, {"--trips"}} {
			path := filepath.Join(t.TempDir(), "tempering.py")
			writeFile(t, path, string(program))
			args := append([]string{path, "--task", dir, "--runs", strconv.Itoa(longtest.Times(4000, 50_000))}, trips...)
			out := longtest.Must(exec.Command(python, args...).Output())(t)
			sources := make([]*records.Source, 2)
			sources[kind] = longtest.Must(made.Kinds()[kind].Read(longtest.Must(files.StreamCells(t.Context(), "the output", bytes.NewReader(out)))(t)))(t)
			side := longtest.Must(l.Check(t.Context(), sources, records.Options{Alpha: records.DefaultAlpha}))(t).Sides[0]
			if side.Fault != (name != "") || side.Fault && !slices.Contains(side.Named, name) {
				t.Errorf("%q: fault %v, named %q after %d; %+v", name, side.Fault, side.Named, side.Runs, side.Odds)
			}
		}
	}
}

// TestTemperingFolder: the task of a folder is the one that was written, and the README says what
// its scheme is.
func TestTemperingFolder(t *testing.T) {
	sampler := tempered.Sampler()
	for scheme, says := range map[tempering.Scheme]string{tempering.DEO: "Scans 1, 3, ... offer", tempering.SEO: "a fair coin"} {
		made, dir := newTask(t, "random:2:0:2", scheme, 2, 3, 0, 0.3, 1), t.TempDir()
		made.Names = nil
		for _, f := range longtest.Must(sampler.Folder(made))(t) {
			writeFile(t, filepath.Join(dir, f.Name), string(f.Content))
		}
		if again, err := sampler.ReadFolder(dir); err != nil || !reflect.DeepEqual(again, made) {
			t.Errorf("%s: error %v, %+v", scheme, err, again)
		}
		readme := string(longtest.Must(os.ReadFile(filepath.Join(dir, records.ReadmeFile)))(t))
		for _, want := range []string{says, "b_(i+1)", "log_z,rejection_0,rejection_1,swap_1_0,", "swap_3_1,trips\n", "runs of 3 scans",
			"swap by stale states (breaks invariance)"} {
			if !strings.Contains(readme, want) {
				t.Errorf("%s: the README does not have %q", scheme, want)
			}
		}
	}
}

// TestTamperedTempering: a task.json in which something was changed is refused, with a sentence
// that says what.
func TestTamperedTempering(t *testing.T) {
	sampler := tempered.Sampler()
	data := string(longtest.Must(records.Encode(newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.5, 1).Document()))(t))
	longtest.Must(sampler.Decode([]byte(data)))(t)
	for _, c := range []struct{ old, new, says string }{
		{"conform tempering task", "conform task", "conform tempering spec writes such a task"},
		{`"version": 1`, `"version": 2`, "a later version of breadboard wrote it"},
		{`"scheme": "deo"`, `"scheme": "dea"`, "deo"},
		{`"scheme": "deo"`, `"scheme": "seo"`, "contradict one another"},
		{`"states": 2`, `"states": 3`, "contradict one another"},
		{"  0.5,", "  0,", "betas that rise"},
		{`"scans": 2`, `"scans": 9`, "9 scans"},
		{`"logf": [`, `"logg": [`, "unknown field"},
		{`"logf": [`, `"logf": [[0, 0],`, "log f is not given"},
	} {
		changed := strings.Replace(data, c.old, c.new, 1)
		if changed == data {
			t.Errorf("%q is not in the file", c.old)
		}
		longtest.Refuses(sampler.Decode([]byte(changed)))(t, c.says, c.new)
	}
}

// TestRefusedTempering: numbers of which no task is made.
func TestRefusedTempering(t *testing.T) {
	for says, change := range map[string]func(made *tempered.Task){
		"range of 400 nats":  func(made *tempered.Task) { made.LogF[0], made.LogF[1] = []float64{0, 0}, []float64{0, 400} },
		"sum to 1.5":         func(made *tempered.Task) { made.Propose = [][]float64{{0.5, 1}, {1, 0.5}} },
		"must equal that of": func(made *tempered.Task) { made.Propose = [][]float64{{0.5, 0.5}, {0.25, 0.75}} },
		"1 entries of 2":     func(made *tempered.Task) { made.Propose[0] = []float64{1} },
		"long runs":          func(made *tempered.Task) { made.Long = 2 },
		"give 3 or 4":        func(made *tempered.Task) { made.Betas = []float64{0, 1} },
		"betas that rise":    func(made *tempered.Task) { made.Betas, made.Long = []float64{0, 0.5, 0.4, 1}, 4 },
		"from 0 to 1":        func(made *tempered.Task) { made.Betas = []float64{0, 0.5, 0.9} },
	} {
		made := newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.3, 1)
		change(made)
		sampler := tempered.Sampler()
		longtest.Refuses(sampler.Decode(longtest.Must(records.Encode(made.Document()))(t)))(t, says)
	}
	longtest.Refuses(tempered.New(context.Background(), annealed(t, "random:2:0:9"), []float64{0, 0.5, 1}, tempering.DEO, 2, 3))(t, "9 states")
	// A uniform reference makes a swap by the target alone right.
	made := newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.3, 1)
	made.LogF[0] = []float64{0, 0}
	for _, n := range lawsOf(t, made).Needs(records.DefaultAlpha) {
		if n.Hypothesis == "swap ratio without the reference" && !math.IsInf(n.Found, 1) {
			t.Errorf("%+v", n)
		}
	}
}
