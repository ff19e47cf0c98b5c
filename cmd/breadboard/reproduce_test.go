package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/papers"
	"breadboard/grid/longtest"
)

// TestReproduce: verdicts are computed from answers, which are kept in the folder for the next run, with the files that commands name.
func TestReproduce(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := filepath.Join(t.TempDir(), "with a space")
	args := []string{"reproduce", "--claim", "000-1,000-7", "--figures", "svg", "--out", dir}
	rows := rowsOf(t, args...)
	if len(rows) != 2 || rows[0]["verdict"] != "as printed" || rows[1]["verdict"] != "not as printed" || rows[0]["ours"] != "J 0.13014712036089032" {
		t.Fatalf("%v", rows)
	}
	if _, err := os.Stat(filepath.Join(dir, "inputs", "two.npy")); err != nil {
		t.Error(err)
	}
	kept, err := filepath.Glob(filepath.Join(dir, "answers", "*.json"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("%d answers are kept, %v", len(kept), err)
	}
	for _, path := range kept {
		writeFile(t, path, `[{"J": 1, "B": 1.26}]`) // as if the program had answered so
	}
	if code, _, stderr := command(t, args...); code != exitFault || !strings.Contains(stderr, "2 of 2 verdicts are not those that were seen") || !strings.Contains(stderr, "000-1, 000-7") {
		t.Errorf("with other answers: exit code %d, %s", code, stderr)
	}
	for _, foreign := range []string{`[{"J": 1, "B`, `{}`, `[]`, `[1]`, ``} { // as if a disk had been full, or of another program
		for _, path := range kept {
			writeFile(t, path, foreign)
		}
		if again := rowsOf(t, args...); again[0]["verdict"] != "as printed" {
			t.Errorf("an answer %q is used: %v", foreign, again[0])
		}
	}
}

// TestReproduceRefusesCommas: commands name files of the folder in lists, which commas separate.
func TestReproduceRefusesCommas(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a,b")
	if code, _, stderr := command(t, "reproduce", "--claim", "000-1", "--out", dir); code != exitIO || !strings.Contains(stderr, "has a comma in its name") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// TestReproduceLeavesNothing: without a folder the files that commands name are temporary.
func TestReproduceLeavesNothing(t *testing.T) {
	longtest.NotShort(t)
	t.Setenv("TMPDIR", t.TempDir())
	ok(t, "reproduce", "--claim", "000-1")
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// emptyAtWrite is a standard output that notes what is in a folder when it is written to.
type emptyAtWrite struct {
	folder string
	left   []os.DirEntry
}

func (w *emptyAtWrite) Write(data []byte) (int, error) {
	left, err := os.ReadDir(w.folder)
	w.left = append(w.left, left...)
	return len(data), err
}

// TestReproduceIntoClosedPipe: when the rows are written the temporary files are gone, as the program may end there: breadboard reproduce | head.
func TestReproduceIntoClosedPipe(t *testing.T) {
	longtest.NotShort(t)
	out := &emptyAtWrite{folder: t.TempDir()}
	t.Setenv("TMPDIR", out.folder)
	if code := runWith(t.Context(), []string{"reproduce", "--claim", "000-1"}, out, io.Discard, &leftovers{}); code != exitDone || len(out.left) > 0 {
		t.Errorf("exit code %d, %v are left", code, out.left)
	}
}

// TestCommandsOfClaimsAreThere: each command of a claim and of a figure is one of the program, with flags and values that it takes, and names
// only files that stand among the inputs, all of which are named by a command or
// a model.
func TestCommandsOfClaimsAreThere(t *testing.T) {
	longtest.NotShort(t)
	t.Parallel()
	var commands []string
	for _, c := range papers.Claims() {
		commands = append(commands, c.Commands...)
	}
	for _, f := range papers.Figures() {
		commands = append(commands, f.Command)
	}
	slices.Sort(commands) // each once, since a tree of commands is made for each
	commands = slices.Compact(commands)
	named := map[string]bool{}
	for _, command := range commands {
		for _, path := range regexp.MustCompile(`inputs/[\w.-]+`).FindAllString(command, -1) {
			named[path] = true
			if _, err := fs.Stat(papers.Inputs(), path); err != nil {
				t.Errorf("%s: %v", command, err)
			}
		}
		root := (&app{}).rootCommand()
		c, rest, err := root.Find(strings.Fields(command))
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
	}
	models, err := fs.Glob(papers.Inputs(), "inputs/*.toml")
	for _, path := range models {
		text := longtest.Must(fs.ReadFile(papers.Inputs(), path))(t)
		for _, data := range regexp.MustCompile(`data = "(.+)"`).FindAllStringSubmatch(string(text), -1) {
			named["inputs/"+data[1]] = true
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := fs.Glob(papers.Inputs(), "inputs/*")
	for _, path := range all {
		if !named[path] {
			t.Errorf("no command names %s", path)
		}
	}
	if err != nil || len(all) == 0 {
		t.Error(err)
	}
}
