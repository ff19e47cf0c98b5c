package ladders

import (
	"bytes"
	"context"
	"maps"
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

	"breadboard/chains"
	"breadboard/chains/tempering"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid/longtest"
)

const (
	example = "../examples/tempering.py"
	runs    = 0 // the places of the kinds
	trips   = 1
)

func lawsOf(t testing.TB, made *Task) *records.Laws {
	t.Helper()
	return longtest.Must(made.Laws(context.Background(), 0, nil))(t)
}

// endless returns a source of records that are made one by one.
func endless(made *Task, kind int, one func() records.Record) *records.Source {
	return &records.Source{Name: "a sampler", Columns: made.Kinds()[kind].Columns(), Next: func(_ context.Context, n int) (list []records.Record, err error) {
		for range n {
			list = append(list, one())
		}
		return list, nil
	}}
}

// sampled returns a source of records of a program with a bug.
func sampled(made *Task, kind int, seed uint64, bug func(*planted.Tempering)) *records.Source {
	p := made.program(kind == runs)
	bug(p)
	c := chains.NewSampler(rand.NewPCG(seed, 1))
	return endless(made, kind, func() records.Record {
		_, last, _ := chains.Run(p, c)
		return made.record(p, p.Record(last))
	})
}

// TestEveryBugIsNamed plants every known way to get it wrong in a program that samples, and holds
// the number of runs at which it is found and named to what Needs says: that many are enough with a
// probability of 0.99, and four times as many nearly always.
func TestEveryBugIsNamed(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	schemes := []tempering.Scheme{tempering.DEO, tempering.SEO}[:longtest.Times(1, 2)]
	for _, scheme := range schemes {
		made := newTask(t, "random:2:0:2", scheme, 3, 5, 0, 0.3, 1)
		l, named := lawsOf(t, made), map[string]bool{}
		for _, need := range l.Needs(records.DefaultAlpha) {
			kind := slices.IndexFunc(made.Kinds(), func(k records.Kind) bool { return k.Name == need.Kind })
			at := slices.IndexFunc(ways(), func(w way) bool { return w.Name == need.Hypothesis })
			if slices.Contains(need.Alike, records.Specification) {
				continue
			}
			sources := make([]*records.Source, 2)
			sources[kind] = sampled(made, kind, 1, ways()[at].bug)
			found := longtest.Must(l.Check(context.Background(), sources, records.Options{Alpha: records.DefaultAlpha, Runs: 4 * int(need.Named)}))(t)
			if side := found.Sides[0]; !found.Fault() || !slices.Contains(side.Named, need.Hypothesis) || len(side.Named) != 1+len(need.Alike) {
				t.Errorf("%s, %s: %q is named %q after %d, fault %v; %+v", scheme, need.Kind, need.Hypothesis, side.Named, side.Runs, found.Fault(), need)
			}
			named[need.Hypothesis] = true
		}
		for _, w := range ways() {
			if !named[w.Name] {
				t.Errorf("%s: %q has the distribution of the specification", scheme, w.Name)
			}
		}
	}
}

// pythonBugs are the known mistakes in the NumPy example: texts that stand instead of others, one
// pair after another.
func pythonBugs() map[string][]string {
	const explore = "        for i in range(len(self.betas)):\n            y ="
	const accepted = "self.logf(i, y) - self.logf(i, x[:, i])"
	return map[string][]string{
		"swap ratio inverted":              {"self.betas[i + 1] - self.betas[i]) * (self.g", "self.betas[i] - self.betas[i + 1]) * (self.g"},
		"swap ratio without the reference": {"(self.g[x] - self.g[y])", "((self.g + self.reference)[x] - (self.g + self.reference)[y])"},
		"swap by the tempered densities":   {"(self.g[x] - self.g[y])", "(self.logf(i, x) - self.logf(i + 1, y))"},
		"swap by Barker's rule": {"return np.exp(np.minimum(0, (self.betas[i + 1] - self.betas[i]) * (self.g[x] - self.g[y])))",
			"return 1 / (1 + np.exp((self.betas[i] - self.betas[i + 1]) * (self.g[x] - self.g[y])))"},
		"rejections counted as 0 or 1": {"offered * (1 - a)", "offered * (1 - accepted)"},
		"swap by stale states": {"        pt.explore(x)\n", "        old = x.copy()\n        pt.explore(x)\n",
			"a = pt.acceptance(i, x[:, i], x[:, i + 1])", "a = pt.acceptance(i, old[:, i], old[:, i + 1])"},
		"kernels' caches not swapped": {accepted, "self.logf(i, y) - self.logf(i, self.cache[:, i])", "x[:, i] = np.where(accepted, y, x[:, i])",
			"moved = accepted & (y != x[:, i])\n            x[:, i] = np.where(moved, y, x[:, i])\n            self.cache[:, i] = np.where(moved, y, self.cache[:, i])",
			"    x = pt.start(runs)\n", "    x = pt.start(runs)\n    pt.cache = x.copy()\n"},
		"odd pairs from rung 0":               {"odd == i % 2", "i % 2 == 0"},
		"all pairs in a sweep":                {"odd == i % 2", "odd >= 0"},
		"top replica does not explore":        {explore, strings.Replace(explore, "len(self.betas)", "len(self.betas) - 1", 1)},
		"replica at rung 0 does not explore":  {explore, strings.Replace(explore, "range(", "range(1, ", 1)},
		"pairs not offered count as accepted": {"np.maximum(offers, 1)", "scans"},
		"explores at the beta of its old rung": {accepted, strings.ReplaceAll(accepted, "(i,", "(self.home[:, i],"), "    x = pt.start(runs)\n",
			"    x = pt.start(runs)\n    pt.home = np.tile(np.arange(pairs + 1), (runs, 1))\n", "in x, down:", "in x, down, pt.home:"},
		"stepping stone of the rung above": {"[:, :, :-1]", "[:, :, 1:]"},
		"mean of the logs in log Z":        {"np.log(weights.mean(0))", "np.log(weights).mean(0)"},
		"states recorded before the swaps": {"        pt.explore(x)\n", "        pt.explore(x)\n        seen.append(x.copy())\n",
			"        seen.append(x.copy())\n    if", "    x = seen[-1]\n    if"},
		"round trips of one replica": {"completed += down[:, 0]", "completed += down[:, 0] & (who[:, 0] == 0)", "    x = pt.start(runs)\n",
			"    x = pt.start(runs)\n    who = np.tile(np.arange(pairs + 1), (runs, 1))\n", "in x, down:", "in x, down, who:"},
		"round trips not divided by scans": {"completed / scans", "completed"},
	}
}

// TestBugsInPython: the NumPy example passes, and every mistake in it is named.
func TestBugsInPython(t *testing.T) {
	python := casetest.Python(t, "numpy")
	t.Parallel()
	source := string(longtest.Must(os.ReadFile(example))(t))
	made := newTask(t, "random:2:0:2", tempering.DEO, 3, 3, 0, 0.3, 1)
	l, dir := lawsOf(t, made), t.TempDir()
	sampler := Sampler()
	for _, f := range longtest.Must(sampler.Folder(made))(t) {
		longtest.Must(0, os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o600))(t)
	}
	check := func(program string, kind, n int) records.Side {
		path := filepath.Join(t.TempDir(), "tempering.py")
		longtest.Must(0, os.WriteFile(path, []byte(program), 0o600))(t)
		args := []string{path, "--task", dir, "--runs", strconv.Itoa(n)}
		if kind == trips {
			args = append(args, "--trips")
		}
		out := longtest.Must(exec.Command(python, args...).Output())(t)
		sources := make([]*records.Source, 2)
		sources[kind] = longtest.Must(made.Kinds()[kind].Read(longtest.Must(files.StreamCells(context.Background(), "the output", bytes.NewReader(out)))(t)))(t)
		return longtest.Must(l.Check(context.Background(), sources, records.Options{Alpha: records.DefaultAlpha}))(t).Sides[0]
	}
	for kind := range 2 {
		if side := check(source, kind, longtest.Times(500, 50_000)); side.Fault {
			t.Errorf("the example: %+v", side)
		}
	}
	bugs := pythonBugs()
	for i, name := range slices.Sorted(maps.Keys(bugs)) {
		if i%8 != 0 && !longtest.More() {
			continue
		}
		program := source
		for pair := range slices.Chunk(bugs[name], 2) {
			if !strings.Contains(program, pair[0]) {
				t.Errorf("%q: %q is not in the example", name, pair[0])
			}
			program = strings.Replace(program, pair[0], pair[1], 1)
		}
		kind := 0
		if strings.HasPrefix(name, "round trips") {
			kind = trips
		}
		if side := check(program, kind, 4000); !side.Fault || !slices.Contains(side.Named, name) {
			t.Errorf("%q: fault %v, named %q after %d; %+v", name, side.Fault, side.Named, side.Runs, side.Odds)
		}
	}
}

// TestFolder: the task of a folder is the one that was written, and the README says what its scheme
// is.
func TestFolder(t *testing.T) {
	sampler := Sampler()
	for scheme, says := range map[tempering.Scheme]string{tempering.DEO: "Scans 1, 3, ... offer", tempering.SEO: "a fair coin"} {
		made, dir := newTask(t, "random:2:0:2", scheme, 2, 3, 0, 0.3, 1), t.TempDir()
		made.Names = nil
		for _, f := range longtest.Must(sampler.Folder(made))(t) {
			longtest.Must(0, os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o600))(t)
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

// TestTamperedTasks: a task.json in which something was changed is refused, with a sentence that
// says what.
func TestTamperedTasks(t *testing.T) {
	sampler := Sampler()
	data := string(longtest.Must(records.Encode(newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.5, 1).Document()))(t))
	longtest.Must(sampler.Decode([]byte(data)))(t)
	for _, c := range []struct{ old, new, says string }{
		{"conform tempering task", "conform task", "conform tempering spec writes such a task"},
		{`"version": 1`, `"version": 2`, "version 2"},
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
		if _, err := sampler.Decode([]byte(changed)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v", c.new, err)
		}
	}
}

// TestRefusedTasks: numbers of which no task is made.
func TestRefusedTasks(t *testing.T) {
	for says, change := range map[string]func(made *Task){
		"without zeros":      func(made *Task) { made.LogF[1][0] = math.Inf(-1) },
		"range of 400 nats":  func(made *Task) { made.LogF[0], made.LogF[1] = []float64{0, 0}, []float64{0, 400} },
		"sum to 1.5":         func(made *Task) { made.Propose = [][]float64{{0.5, 1}, {1, 0.5}} },
		"must equal that of": func(made *Task) { made.Propose = [][]float64{{0.5, 0.5}, {0.25, 0.75}} },
		"1 entries of 2":     func(made *Task) { made.Propose[0] = []float64{1} },
		"long runs":          func(made *Task) { made.Long = 2 },
		"give 3 or 4":        func(made *Task) { made.Betas = []float64{0, 1} },
		"betas that rise":    func(made *Task) { made.Betas, made.Long = []float64{0, 0.5, 0.4, 1}, 4 },
		"from 0 to 1":        func(made *Task) { made.Betas = []float64{0, 0.5, 0.9} },
	} {
		made := newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.3, 1)
		change(made)
		if err := made.check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v", says, err)
		}
	}
	if _, err := New(context.Background(), annealed(t, "random:2:0:9"), []float64{0, 0.5, 1}, tempering.DEO, 2, 3); err == nil ||
		!strings.Contains(err.Error(), "9 states") {
		t.Error(err)
	}
	// A uniform reference makes a swap by the target alone right.
	made := newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.3, 1)
	made.LogF[0] = []float64{0, 0}
	for _, n := range lawsOf(t, made).Needs(records.DefaultAlpha) {
		if n.Hypothesis == "swap ratio without the reference" && !math.IsInf(n.Found, 1) {
			t.Errorf("%+v", n)
		}
	}
}
