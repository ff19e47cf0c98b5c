package filters

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/experiments/conform/records"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/samples/files"
	"breadboard/grid/longtest"
)

const example = "../examples/smc.py"

// pythonRuns returns runs of a program in Python.
func pythonRuns(t *testing.T, python, program, dir string, made *Task, d chains.Direction, runs int, seed int) *records.Source {
	t.Helper()
	args := []string{program, "--task", dir, "--runs", strconv.Itoa(runs), "--seed", strconv.Itoa(seed)}
	if d == chains.Reverse {
		args = append(args, "--conditional")
	}
	c := exec.Command(python, args...)
	var out, wrong bytes.Buffer
	c.Stdout, c.Stderr = &out, &wrong
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, wrong.String())
	}
	cells := longtest.Sure(files.StreamCells(context.Background(), "the output", &out))
	return longtest.Must(made.Kinds()[0].Read(cells))(t)
}

// TestExampleIsRight: the example passes with every scheme, in runs and in conditional runs, on two and on three particles. A false alarm
// has a probability of at most 1e-6 in each.
func TestExampleIsRight(t *testing.T) {
	python := casetest.Python(t)
	t.Parallel()
	n := longtest.Times(300, 3_000)
	for i, scheme := range schemes() {
		tasks := []*Task{
			newTask(t, "random:2:0:2", 3, 2, scheme, []float64{1, 0.75}[i%2]),
			newTask(t, "random:1:3:2", 2, 3, scheme, []float64{0.8, 1}[i%2]),
		}
		if !longtest.Enabled() {
			tasks = tasks[i%2 : i%2+1] // on two particles, or on three
		}
		for _, made := range tasks {
			l, dir := newLaws(t, made), folder(t, made)
			found := longtest.Must(l.Check(context.Background(), []*records.Source{pythonRuns(t, python, example, dir, made, chains.Forward, n, 1), pythonRuns(t, python, example, dir, made, chains.Reverse, n, 2)}, records.Options{Alpha: records.DefaultAlpha}))(t)
			if found.Fault() || found.Sides[0].Runs != n || found.Sides[1].Runs != n {
				t.Errorf("%v: %+v", scheme, found)
			}
		}
	}
}

// pythonBug is a mistake in the example: a text that stands in the place of another one.
type pythonBug struct {
	name      string // of the way to get it wrong
	d         chains.Direction
	old, new  string
	scheme    particle.Scheme
	threshold float64
}

func pythonBugs() []pythonBug {
	const line = "[j if i == slot else self.at(i + u) for i in range(self.P)]"
	m, s, r := particle.Multinomial{}, particle.Systematic{}, particle.Residual{}
	return []pythonBug{
		{"the last slot repeats the first", chains.Forward, line, "(lambda p: p[:-1] + p[:1])(" + line + ")", s, 1},
		{"the last slot repeats the first", chains.Forward, "for i in range(self.P)], slot\n\n    def strat", "for i in range(self.P - 1)] * 2, slot\n\n    def strat", m, 1}, // of two particles
		{"parents drawn uniformly", chains.Forward, "Resampler(rng, W)", "Resampler(rng, [1 / task.P] * task.P)", m, 1},
		{"weights kept after resampling", chains.Forward, "            logw = [0.0] * task.P\n", "", s, 1},
		{"weights not carried on", chains.Forward, "            ancestors += [-1] * task.P\n", "            ancestors += [-1] * task.P\n            log_z += log_mean(logw)\n            logw = [0.0] * task.P\n", s, 0.75},
		{"steps without resampling left out of Zhat", chains.Forward, "    for t in range(2, task.T + 1):\n        logw =", "    for t in range(2, task.T + 1):\n        before = log_mean(logw)\n        logw =", s, 0.75},
		{"weights of the old state", chains.Forward, "[v + task.logf[t][x] - task.logf[t - 1][x] for v, x in zip(logw, states)]", "[v + task.logf[t][x] - task.logf[t - 1][x] for v, x in zip(logw, old if t > 2 else states)]", s, 1},
		{"output drawn uniformly", chains.Forward, "states[draw(rng, normalised(logw))]", "rng.choice(states)", s, 0.75},
		{"sum of the weights in Zhat", chains.Forward, "for v in logs) / len(logs))", "for v in logs))", m, 1},
		{"mean of the log weights in Zhat", chains.Forward, "    return top + math.log(math.fsum", "    return sum(logs) / len(logs)\n    return top + math.log(math.fsum", m, 1},
		{"residual of W - floor(P W)", chains.Forward, "max(0.0, m - n) for m, n in zip(means, whole)", "max(0.0, w - n) for w, n in zip(self.W, whole)", r, 1},
		{"resampled at every stage", chains.Forward, "return 1 / math.fsum(w * w for w in W) < task.threshold * task.P", "return True", s, 0.75},
		{"multinomial resampling", chains.Forward, "getattr(Resampler(rng, W), task.resample)", "Resampler(rng, W).multinomial", s, 1},
		{"path in the first slot", chains.Reverse, "slot = rng.randrange(task.P) if conditional", "slot = 0 if conditional", m, 1},
		{"parent of the path forgotten", chains.Reverse, "[j if i == slot else draw(self.rng, self.W) for i in range(self.P)], slot", "[draw(self.rng, self.W) for _ in range(self.P)], j", m, 1},
		{"path drawn in the order of a run", chains.Reverse, "task.back(t, path[0])", "task.back(task.T + 2 - t, path[0])", s, 1},
	}
}

// mended completes the mistakes that change the program in more than one place.
func mended(b pythonBug, program string) string {
	switch b.name {
	case "steps without resampling left out of Zhat":
		return strings.Replace(program, "            ancestors += [-1] * task.P\n", "            ancestors += [-1] * task.P\n            log_z -= log_mean(logw) - before\n", 1)
	case "weights of the old state":
		return strings.Replace(program, "        W = normalised(logw)\n", "        W, old = normalised(logw), states\n", 1)
	case "path in the first slot":
		return strings.Replace(program, "slot = None if j is None else self.rng.randrange(self.P)", "slot = None if j is None else 0", 1)
	}
	return program
}

// TestBugsInPython makes every mistake in a program that shares nothing with the library, and holds it to its name.
func TestBugsInPython(t *testing.T) {
	python := casetest.Python(t)
	t.Parallel()
	source := longtest.Sure(os.ReadFile(example))
	laws := map[string]*records.Laws{} // by scheme and threshold
	for i, b := range pythonBugs() {
		if i%3 != 0 && !longtest.Enabled() {
			continue
		}
		program := strings.Replace(string(source), b.old, b.new, 1)
		if program == string(source) {
			t.Errorf("%q: %q is not in the example", b.name, b.old)
			continue
		}
		path := filepath.Join(t.TempDir(), "smc.py")
		longtest.NoError(t, os.WriteFile(path, []byte(mended(b, program)), 0o644))
		made := newTask(t, "random:2:0:3", 3, 2, b.scheme, b.threshold)
		at := fmt.Sprint(b.scheme, b.threshold)
		if laws[at] == nil {
			laws[at] = newLaws(t, made)
		}
		l := laws[at]
		named := needOf(t, l, b).Named
		if named > 1000 && !longtest.Enabled() {
			continue
		}
		sources := [2]*records.Source{}
		sources[b.d] = pythonRuns(t, python, path, folder(t, made), made, b.d, 4*int(named), i)
		found := longtest.Must(l.Check(context.Background(), sources[:], records.Options{Alpha: records.DefaultAlpha}))(t)
		if side := found.Sides[0]; !found.Fault() || !slices.Equal(side.Named, []string{b.name}) {
			t.Errorf("%q by %v resampling: fault %v, named %q after %d runs; odds %+v", b.name, b.scheme, found.Fault(), side.Named, side.Runs, side.Odds)
		} else {
			t.Logf("%q by %v resampling: named after %d runs", b.name, b.scheme, side.NamedAt)
		}
	}
}

// needOf returns how many runs a mistake needs.
func needOf(t *testing.T, l *records.Laws, b pythonBug) records.Need {
	t.Helper()
	for _, n := range l.Needs(records.DefaultAlpha) {
		if n.Hypothesis == b.name && n.Kind == what(b.d) {
			return n
		}
	}
	t.Fatalf("%q means nothing for its task", b.name)
	return records.Need{}
}
