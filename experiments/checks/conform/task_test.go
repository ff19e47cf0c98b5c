package conform_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments/checks/conform"
	"breadboard/experiments/draws"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// caseOf returns the one case of a selection.
func caseOf(t testing.TB, s subject.Selection) subject.Case {
	t.Helper()
	s.Path, s.Schedule, s.Kernel = cmp.Or(s.Path, "geometric"), cmp.Or(s.Schedule, "linear"),
		cmp.Or(s.Kernel, "metropolis")
	return longtest.Sure(s.Cases(context.Background()))[0]
}

// selection returns the selection of a toy with that many distributions.
func selection(toy string, T int) subject.Selection {
	return subject.Selection{Reader: forms.Reader(), Toys: []string{toy}, Distributions: []int{T}}
}

// mustNew returns the task of a selection.
func mustNew(t testing.TB, s subject.Selection) *conform.Task {
	t.Helper()
	return longtest.Sure(conform.New(caseOf(t, s)))
}

// contents returns the files of a task.
func contents(t testing.TB, from *conform.Task) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, f := range longtest.Must(from.Files(context.Background()))(t) {
		out[f.Name] = longtest.Must(f.Content())(t)
	}
	return out
}

// write writes the files of a task to a folder.
func write(t testing.TB, from *conform.Task, dir string) {
	t.Helper()
	for name, data := range contents(t, from) {
		writeFile(t, filepath.Join(dir, name), string(data))
	}
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// everything returns the names and all numbers of a case as text; numbers are written with all of
// their digits.
func everything(c subject.Case) string {
	a := c.Annealing()
	text := fmt.Sprintln(c.Parts(), c.Key(), c.Toy.Space)
	logf := make([]float64, a.States())
	for stage := 1; stage <= a.Distributions(); stage++ {
		a.LogF(logf, stage)
		text += fmt.Sprintln(stage, a.Beta(stage), logf)
	}
	return text
}

// sameCase fails if two cases differ in a name or in a number.
func sameCase(t *testing.T, is, want subject.Case) {
	t.Helper()
	if is, want := everything(is), everything(want); is != want {
		t.Errorf("it is %s, want %s", is, want)
	}
}

// TestReadGivesWhatWasWritten, from a folder that was moved: for toys, paths, starts, schedules and
// kernels of every kind.
func TestReadGivesWhatWasWritten(t *testing.T) {
	longtest.Only(t)
	toys := []string{"easy", "hard", "barrier", "barrier:3x5", "random:1:3:4", "random:2:0:2x3x2",
		"graph:permutations:3:random:2:0",
		"graph:cycle:5:random:1:1", "graph:torus:3x4:random:1:2"}
	onGrid := []string{"moore", "flip", "heatbath", "heatbath-axis:0", "heatbath-scan", "suwa-todo",
		"compose:suwa-todo-axis:0+barker",
		"mixture:1*metropolis+3*heatbath-scan", "lazy:.25:suwa-todo", "palindrome:metropolis+heatbath-axis:0"}
	anywhere := []string{"metropolis", "barker", "jump:0.05", "independence", "stay", "lazy:0.5",
		"repeat:3:metropolis", "compose:metropolis+barker"}
	selections := rapid.Custom(func(r *rapid.T) subject.Selection {
		toy := rapid.SampledFrom(toys).Draw(r, "toy")
		kernels := anywhere
		starts := []string{"", "uniform", "tempered:0.25"}
		if !strings.HasPrefix(toy, "graph") {
			kernels, starts = append(anywhere, onGrid...), append(starts, "smoothed:2")
		}
		s := selection(toy, rapid.IntRange(2, 7).Draw(r, "T"))
		s.Kernel = rapid.SampledFrom(kernels).Draw(r, "kernel")
		s.Initial = rapid.SampledFrom(starts).Draw(r, "initial")
		s.Path = rapid.SampledFrom([]string{"geometric", "arithmetic", "q:0.5"}).Draw(r, "path")
		s.Schedule = rapid.SampledFrom(
			[]string{"linear", "sigmoid", "power:2", "geometric", "fisher", "step-kl"},
		).Draw(r, "schedule")
		return s
	})
	for seed := range longtest.Times(30, 500) {
		made := mustNew(t, selections.Example(seed))
		dir := filepath.Join(t.TempDir(), "a folder")
		moved := filepath.Join(t.TempDir(), "moved: elsewhere")
		longtest.NoError(t, os.Mkdir(dir, 0o755))
		write(t, made, dir)
		longtest.NoError(t, os.Rename(dir, moved))
		again := longtest.Must(conform.ReadTask(context.Background(), moved, forms.Reader()))(t)
		sameCase(t, again.Case, made.Case)
		if again.Columns != made.Columns || again.LogZ1 != made.LogZ1 || again.LogZT != made.LogZT {
			t.Errorf("read back %+v, written %+v", again, made)
		}
	}
}

// TestTheFolderHoldsItsFiles: what came from files of a grid is read from the folder, after the
// files are gone.
func TestTheFolderHoldsItsFiles(t *testing.T) {
	from := t.TempDir()
	path := func(name string) string { return filepath.Join(from, name) }
	writeFile(t, path("g.csv"), "0,-1.1,-inf\n3.25,1e-300,-7\n")
	writeFile(t, path("start.csv"), "0.1,0.2,0.3\n0.5,-inf,0.7\n")
	writeFile(t, path("middle.csv"), "1,2,3.3\n0.7,-2,0\n")
	writeFile(t, path("betas.csv"), "0\n0.1\n0.30000000000000004\n1\n")
	for _, via := range []string{"geometric", "q:0.5", "via:0.25:" + path("middle.csv")} {
		made := mustNew(t, subject.Selection{
			Reader:   forms.Reader(),
			Toys:     []string{"file:" + path("g.csv")},
			Initial:  "file:" + path("start.csv"),
			Path:     via,
			Schedule: "file:" + path("betas.csv"),
		})
		dir := t.TempDir()
		write(t, made, dir)
		if strings.HasPrefix(via, "via:") { // the last
			for _, name := range []string{"g.csv", "start.csv", "middle.csv", "betas.csv"} {
				longtest.NoError(t, os.Remove(path(name)))
			}
		}
		again := longtest.Sure(conform.ReadTask(context.Background(), dir, forms.Reader()))
		sameCase(t, again.Case, made.Case)
	}
}

// TestFilesOutsideTheFolder: graphs and matrices are read from where they are, by absolute paths,
// and are verified.
func TestFilesOutsideTheFolder(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	writeFile(t, "edges.csv", "a,b\nb,c\nc,d\n")
	writeFile(t, "g.csv", "a,0\nb,1\nc,-inf\nd,0.5\n")
	for _, name := range []string{"k.csv", "k_2.csv", "k_3.csv"} {
		writeFile(t, name, strings.Repeat("0.500000000000000000,0.500000000000000000\n", 2))
	}
	dir := t.TempDir()
	for _, s := range []subject.Selection{
		selection("graph:edges.csv:g.csv", 3),
		selection("graph:edges.csv:random:1:0", 3),
		selection("graph:path:4:random:1:0", 3),
		{
			Reader:        forms.Reader(),
			Toys:          []string{"random:0:0:2"},
			Distributions: []int{3},
			Kernel:        "matrix:k_{t}.csv",
		},
	} {
		made := mustNew(t, s)
		write(t, made, dir)
		t.Chdir(t.TempDir())
		again := longtest.Sure(conform.ReadTask(context.Background(), dir, forms.Reader()))
		sameCase(t, again.Case, made.Case)
		t.Chdir(home)
	}
}

// TestColumnsAreReadBack: every set of columns.
func TestColumnsAreReadBack(t *testing.T) {
	made := mustNew(t, selection("barrier:3x3", 2))
	dir := t.TempDir()
	for _, c := range []draws.Columns{
		{}, {LogW: true}, {XFirst: true, XLast: true, Path: true}, {Increments: true, LogZ: true},
		{Transitions: true},
		{LogW: true, XFirst: true, XLast: true, Path: true, Increments: true, Transitions: true, LogZ: true},
	} {
		made.Columns = c
		write(t, made, dir)
		if again, err := conform.ReadTask(context.Background(), dir, forms.Reader()); err != nil ||
			again.Columns != c {
			t.Errorf("%+v read back: %+v, %v", c, again, err)
		}
	}
}

// TestSpace: the description for a reader of samples.
func TestSpace(t *testing.T) {
	for toy, want := range map[string]string{
		"random:1:0:2x3": "{6 [2 3] 4}", "graph:cycle:5:random:1:1": "{5 [5] 4}",
		"graph:permutations:3:random:2:0": "{6 [] 4}"} {
		if is := fmt.Sprint(mustNew(t, selection(toy, 4)).Space()); is != want {
			t.Errorf("%s: %s, want %s", toy, is, want)
		}
	}
}
