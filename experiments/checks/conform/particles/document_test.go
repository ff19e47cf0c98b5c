package particles

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/program"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// folder writes the folder of a task and returns its path.
func folder(t testing.TB, made *Task) string {
	t.Helper()
	sampler := Sampler()
	list := longtest.Sure(sampler.Folder(made))
	dir := t.TempDir()
	for _, f := range list {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o644))
	}
	return dir
}

// TestFolder: the task of a folder is the one that was written, and the README says what its scheme
// and its threshold are.
func TestFolder(t *testing.T) {
	for i, scheme := range schemes() {
		made := newTask(t, []string{"random:2:0:2x2", "hmm"}[i/3], 3, 2, scheme, []float64{0, 0.75, 1, 1}[i])
		dir := folder(t, made)
		sampler := Sampler()
		again, err := sampler.ReadFolder(dir)
		if err != nil || !reflect.DeepEqual(again, made) {
			t.Errorf("%v: error %v, %+v", scheme, err, again)
		}
		readme := longtest.Sure(os.ReadFile(filepath.Join(dir, records.ReadmeFile)))
		for _, want := range []string{strings.ToUpper(scheme.String()[:1]) + scheme.String()[1:] + " resampling",
			[]string{"never resampled", "below 0.75 times P", "at every stage", "at every stage"}[i],
			"log_z,output,last_0,last_1,ancestor_2_0,ancestor_2_1,ancestor_3_0,ancestor_3_1\n",
			[]string{"toy random:2:0:2x2;", "hmm wear; observations 3;"}[i/3], "the last slot repeats the first:",
		} {
			if !strings.Contains(string(readme), want) {
				t.Errorf("%v: the README does not have %q", scheme, want)
			}
		}
		if strings.Contains(string(readme), "&#") || strings.Contains(string(readme), "&lt;") {
			t.Errorf("%v: the README is escaped as a page of HTML is", scheme)
		}
	}
}

// TestTamperedTasks: a task.json in which something was changed is refused, with a sentence that
// says what.
func TestTamperedTasks(t *testing.T) {
	made := newTask(t, "random:2:0:2", 2, 2, particle.Multinomial{}, 1)
	data := longtest.Sure(records.Encode(made.Document()))
	sampler := Sampler()
	longtest.Must(sampler.Decode(data))(t)
	for _, c := range []struct{ old, new, says string }{
		{`"breadboard conform particles task"`, `"breadboard conform task"`, "conform particles spec writes such a task"},
		{`"version": 1`, `"version": 2`, "a later version of breadboard wrote it"},
		{`"particles": 2`, `"particles": 9`, "9 particles"},
		{`"particles": 2`, `"particles": 3`, "contradict one another"},
		{`"resample": "multinomial"`, `"resample": "multinormal"`, "multinomial"},
		{`"resample": "multinomial"`, `"resample": "residual"`, "contradict one another"},
		{`"threshold": 1`, `"threshold": 1.5`, "threshold 1.5"},
		{`"states": 2`, `"states": 3`, "contradict one another"},
		{`"logf": [`, `"logg": [`, "unknown field"},
		{`"kernels": [`, `"kernels": [[[1, 0], [0, 1]], `, "2 distributions and 2 kernels"},
		{`"T": 2,`, `"T": 2, "T": 2.5,`, "not what was written"},
	} {
		changed := strings.Replace(string(data), c.old, c.new, 1)
		if changed == string(data) {
			t.Errorf("%q is not in the file", c.old)
		}
		longtest.Refuses(sampler.Decode([]byte(changed)))(t, c.says, c.new)
	}
	for text, says := range map[string]string{"": "JSON", "[]": "JSON", string(data) + "{}": "JSON", "{}": "its format"} {
		longtest.Refuses(sampler.Decode([]byte(text)))(t, says, text)
	}
	longtest.Refuses(sampler.ReadFolder(t.TempDir()))(t, "task.json")
}

// TestRefusedTasks: what cannot be enumerated, and numbers of which no task is made.
func TestRefusedTasks(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		toy          string
		T, particles int
		threshold    float64
		says         string
	}{
		{"random:2:0:2", 3, 1, 1, "1 particles; the distribution can be enumerated for 2 to 4"},
		{"random:2:0:2", 3, 5, 1, "5 particles"},
		{"random:2:0:2", 3, 2, -1, "threshold -1"},
		{"random:2:0:2", 3, 2, math.NaN(), "threshold NaN"},
		{"random:2:0:2", 3, 2, 0.5, "2 particles would never be resampled; give more than 0.5"},
		{"random:2:0:2", 12, 2, 1, "2 to 9 distributions"},
		{"random:2:0:9x9", 3, 2, 1, "81 states"},
		{"random:400:0:2x2", 3, 2, 1, "nats"},
	} {
		longtest.Refuses(New(ctx, annealed(t, c.toy, "metropolis", c.T), Setting{c.particles, particle.Multinomial{}, c.threshold, false}))(t, c.says, c)
	}
	for says, change := range map[string]func(h *particle.HMM){
		"has probability zero in state 0":     func(h *particle.HMM) { h.E[0] = []float64{1, 0} },
		"symbol 1 have a range of 460.3 nats": func(h *particle.HMM) { h.E[0] = []float64{1 - 1e-200, 1e-200} },
		"row 0 of A sums to":                  func(h *particle.HMM) { h.A[0][0] = 0.5 },
	} {
		h := models.Wear()
		change(h)
		longtest.Refuses(NewModel(h, "wear", 3, Setting{2, particle.Multinomial{}, 1, false}))(t, says)
	}
	for says, change := range map[string]func(made *Task){
		"log f_2 is -Inf at state 0":      func(made *Task) { made.LogF[1][0] = math.Inf(-1) },
		"f_2 has 1 states, and f_1 has 2": func(made *Task) { made.LogF[1] = made.LogF[1][:1] },
		"row 0 sums to 1.1":               func(made *Task) { made.Kernels[0][0][0] += 0.1 },
		"a move from 0 to 1 is -0.5":      func(made *Task) { made.Kernels[0][0][0], made.Kernels[0][0][1] = 1.5, -0.5 },
		"it does not leave f_2 invariant": func(made *Task) { made.Kernels[0][0] = []float64{0, 1} },
		"stage t = 2: it has 1 rows of 2": func(made *Task) { made.Kernels[0] = made.Kernels[0][:1] },
	} {
		made := newTask(t, "random:2:0:2", 3, 2, particle.Multinomial{}, 1)
		change(made)
		longtest.Refused(t, made.check(), says)
	}
}

// TestTiedThreshold: a threshold at which rounding decides on resampling is refused. Weights of 3
// and 1 have the effective size 16/10.
func TestTiedThreshold(t *testing.T) {
	three := math.Log(3)
	half := [][]float64{{0.75, 0.25}, {0.75, 0.25}}
	made := &Task{Setting: Setting{2, particle.Multinomial{}, 0.8, false}, LogF: [][]float64{{0, 0}, {three, 0}}, Kernels: [][][]float64{half}}
	longtest.NoError(t, made.check())
	longtest.Refuses(made.Laws(context.Background(), 0, nil))(t, "take another threshold")
	made.Threshold = 0.81
	longtest.Must(made.Laws(context.Background(), 0, nil))(t)
}

// read reads all runs of a text.
func read(t testing.TB, made *Task, text string) ([]records.Record, error) {
	t.Helper()
	cells, err := files.StreamCells(context.Background(), "runs.csv", strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	source, err := made.Kinds()[0].Read(cells)
	if err != nil {
		return nil, err
	}
	var all []records.Record
	for {
		runs, err := source.Next(context.Background(), 2)
		all = append(all, runs...)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
}

// TestRead: rows in any order of columns, with blanks, line ends of Windows and empty last lines;
// mistakes are named with line and column.
func TestRead(t *testing.T) {
	made := newTask(t, "random:2:0:3", 2, 2, particle.Multinomial{}, 1)
	got, err := read(t, made, "\ufefflast_1, last_0,log_z,output,ancestor_2_0,ancestor_2_1\r\n2,1,0.25,1,-1, -1\r\n0,0,-1e-3,0,1,0\n\n\n")
	digits := func(text string) []draws.Digits {
		_, d, _ := draws.ParseNumber([]byte(text))
		return []draws.Digits{d}
	}
	want := []records.Record{{Reals: []float64{0.25}, Digits: digits("0.25"), Whole: []int8{1, 1, 2, -1, -1}},
		{Reals: []float64{-1e-3}, Digits: digits("-1e-3"), Whole: []int8{0, 0, 0, 1, 0}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("error %v, %+v", err, got)
	}
	for _, c := range []struct{ text, says string }{
		{"", "it is empty"},
		{"log_z\n\n1\n", "line 2"},
		{"log_z\nnan\n", `line 2 (row 0), column log_z: found "nan"`},
		{"log_z\n1\n-inf\n", "line 3 (row 1), column log_z"},
		{"output\n3\n", "write a whole number from 0 to 2"},
		{"output\n1.5\n", "write a whole number from 0 to 2"},
		{"output\n-1\n", "write a whole number from 0 to 2"},
		{"ancestor_2_0,ancestor_2_1\n-2,0\n", "column ancestor_2_0"},
		{"ancestor_2_0,ancestor_2_1\n0,2\n", "write a whole number from -1 to 1"},
		{"output\n\"1\"\n", "write a whole number"},
		{"output,log_z\n1\n", "line 2"},
		{"output\n1,2\n", "2 cells in a row of 1 columns"},
		{"last_0\n1\n", `the column "last_1" is missing`},
		{"output,output\n1,1\n", "appears twice"},
		{"output,x\n1,1\n", "those of runs are log_z,output,last_0"},
		{"1,2,3\n", "those of runs are"},
		{"log_z\n\xff\n", "column log_z"},
		{"\xff\xfel", "UTF-16"},
	} {
		longtest.Refuses(read(t, made, c.text))(t, c.says, c.text)
	}
}

// TestTooLarge: distributions that have too many ways to come out are refused before any is
// enumerated, and what should fit does.
func TestTooLarge(t *testing.T) {
	for _, c := range []struct {
		toy          string
		T, particles int
		threshold    float64
		says         string
	}{
		{"random:2:0:2", 3, 4, 1, "4 particles on 2 states with T = 3: the choices of a run come out in 1.1e+09 ways or more"},
		{"random:2:0:2", 3, 4, 0.75, "possible: T = 2, or 3 particles"},
		{"random:2:0:3", 3, 3, 1, "possible: T = 2, or 2 particles, or 2 states"},
		{"random:2:0:5x5", 3, 3, 1, "possible: 2 states"},
		{"random:2:0:3x3", 4, 2, 1, "possible: T = 3, or 3 states"},
		{"random:2:0:8x8", 9, 4, 1, "possible: 2 particles on 3 states with T = 3"},
	} {
		for _, scheme := range schemes() {
			made := newTask(t, c.toy, c.T, c.particles, scheme, c.threshold)
			longtest.Refused(t, made.checkBranches(context.Background()), c.says, c, scheme)
		}
	}
	large := newTask(t, "random:2:0:2", 3, 4, particle.Multinomial{}, 1)
	longtest.Refuses(large.Laws(context.Background(), 0, nil))(t, "come out in 1.1e+09 ways or more")
	longtest.NoError(t, newTask(t, "random:2:0:3x3", 3, 2, particle.Multinomial{}, 1).checkBranches(context.Background())) // which should fit
	for _, c := range []struct{ particles, states, T int }{{4, 2, 2}, {3, 2, 3}, {3, 3, 2}, {2, 3, 3}} {
		if ways := mostWays(c.particles, c.states, c.states, c.T); ways > maxBranches {
			t.Errorf("%+v: %v ways", c, ways)
		}
	}
}

// TestWays: the ways that are counted are those that are enumerated, and mostWays is attained by a
// kernel that moves everywhere.
func TestWays(t *testing.T) {
	for _, scheme := range schemes() {
		for i, c := range []struct {
			toy          string
			T, particles int
			threshold    float64
		}{{"random:2:0:3", 3, 2, 1}, {"random:2:0:3", 4, 2, 0.75}, {"random:1:3:2", 2, 3, 0.8}, {"random:2:0:2x2", 3, 2, 0}} {
			if i%2 == 1 && !longtest.More() && scheme != (particle.Systematic{}) {
				continue
			}
			made := newTask(t, c.toy, c.T, c.particles, scheme, c.threshold)
			s := made.program()
			law := longtest.Sure(program.Enumerate(context.Background(), func(c chains.Chooser) int { s.Record(c); return 0 },
				program.Options{Cut: math.SmallestNonzeroFloat64}))
			if ways := longtest.Sure(newCounter(made, s).ways(context.Background())); ways != float64(law.Runs()) ||
				ways > mostWays(c.particles, made.States(), made.mostMoves(), c.T) {
				t.Errorf("%v, %+v: %v ways are counted, and %d are enumerated", scheme, c, ways, law.Runs())
			}
		}
	}
	made := longtest.Sure(New(context.Background(), annealed(t, "random:2:0:2", "heatbath", 2), Setting{2, particle.Multinomial{}, 1, false}))
	if ways := longtest.Sure(newCounter(made, made.program()).ways(context.Background())); ways != mostWays(2, 2, 2, 2) {
		t.Errorf("%v ways, and mostWays says %v", ways, mostWays(2, 2, 2, 2))
	}
}

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

// TestExampleIsRight: the example passes with every scheme, also in conditional runs, but for false
// alarms of at most 1e-6 each.
func TestExampleIsRight(t *testing.T) {
	python := casetest.Python(t)
	t.Parallel()
	n := longtest.Times(300, 3_000)
	for i, scheme := range schemes() {
		tasks := []*Task{
			newTask(t, "random:2:0:2", 3, 2, scheme, []float64{1, 0.75}[i%2]),
			newTask(t, "random:1:3:2", 2, 3, scheme, []float64{0.8, 1}[i%2]),
			newTask(t, "hmm", 3, 2, scheme, []float64{1, 0.75}[i%2]),
		}
		tasks[2].Unordered = i < 2
		if !longtest.More() {
			tasks = tasks[i%3 : i%3+1] // on two particles, on three, or on a model
		}
		for _, made := range tasks {
			l, dir := newLaws(t, made), folder(t, made)
			found := longtest.Must(l.Check(context.Background(), []*records.Source{pythonRuns(t, python, example, dir, made, chains.Forward, n, 1),
				pythonRuns(t, python, example, dir, made, chains.Reverse, n, 2)}, records.Options{Alpha: records.DefaultAlpha}))(t)
			if found.Fault() || found.Sides[0].Runs != n || found.Sides[1].Runs != n {
				t.Errorf("%v: %+v", scheme, found)
			}
		}
	}
}
