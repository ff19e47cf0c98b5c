package sweep

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/chains/errs"
	"breadboard/grid/longtest"
)

// metropolisProgram is the Metropolis kernel in plain Python.
const metropolisProgram = "../../programs/examples/choose.py"

// needs skips a test if a command is not there.
func needs(t *testing.T, command string) {
	t.Helper()
	if _, err := exec.LookPath(command); err != nil {
		t.Skip("no " + command + " here")
	}
}

// scripts returns a function that writes a file into a folder of the test, and returns its path.
func scripts(t *testing.T) func(name, text string) string {
	dir := t.TempDir()
	return func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o700))
		return path
	}
}

// TestProgramsAreSwept: a program in two copies has the J of the same kernel of the library, for
// any number of workers. What has been solved is not solved again if the program is as it was. A
// program that has changed makes another sweep, whose results are not mixed with the old ones.
func TestProgramsAreSwept(t *testing.T) {
	longtest.Only(t)
	needs(t, "python3")
	text := longtest.Must(os.ReadFile(metropolisProgram))(t)
	write := scripts(t)
	m := newMemory(1)
	dir := "dir"
	other := "other"
	copied := write("copy.py", string(text))
	spec := fmt.Sprintf("program-hash = [%q, %q]\n[grid]\ntoy='random:1:0:2x2'\nT=[2,4]\n"+
		"kernel=['metropolis','exec:python3 %s']\n[[case]]\ntoy='random:1:0:2x2'\nT=2\nkernel='exec:python3  %s'",
		metropolisProgram, copied, metropolisProgram, copied)
	s := mustSweep(t, spec)
	if len(s.Doubts()) > 0 {
		t.Errorf("doubts %q", s.Doubts())
	}
	if account := mustRun(t, s, dir, Options{files: m, group: -1, Workers: 3}); account.Solved != 5 ||
		account.Failed != 0 {
		t.Fatalf("%+v", account)
	}
	merged := longtest.Must(mergeIn(sweptStudies(), m, []string{dir}))(t)
	for i, r := range merged.Rows[2:] {
		if own, want := r.Get("J"), merged.Rows[i%2].Get("J"); !(math.Abs(own/want-1) <= 1e-13) {
			t.Errorf("%v: J is %v, and %v of the kernel of the library", r.Cell, own, want)
		}
	}
	if account := mustRun(t, mustSweep(t, spec), dir, Options{files: m, group: -1}); account.Finished != 5 ||
		account.Solved != 0 {
		t.Errorf("again: %+v", account)
	}

	write("copy.py", string(text)+"# changed\n")
	changed := mustSweep(t, spec)
	const want = "the contents of "
	longtest.Refuses(Run(context.Background(), changed, dir, Options{files: m, group: -1}))(t,
		want+copied+" have changed",
		"the changed program",
	)
	mustRun(t, changed, other, Options{files: m, group: -1, Shard: Shard{6, 6}}) // which has no cells
	longtest.Refuses(mergeIn(sweptStudies(), m, []string{dir, other}))(t,
		want+copied+" have changed",
		"shards with two programs",
	)
	e, err := extendIn(context.Background(), m, dir, changed)
	if err != nil || e.Kept != 2 || e.New != 3 || e.Gone != 3 {
		t.Errorf("extended: %+v, %v", e, err)
	}
	if account := mustRun(t, changed, dir, Options{files: m, group: -1, Workers: 1}); account.Finished != 2 ||
		account.Solved != 3 {
		t.Errorf("extended: %+v", account)
	}
	again, err := mergeIn(sweptStudies(), m, []string{dir})
	if err != nil || again.lines() != merged.lines() {
		t.Errorf("with one worker, %v:\n%swith three:\n%s", err, again.lines(), merged.lines())
	}
}

// TestProgramsAreNamed: what is said of the files of programs is asked for, read and checked before
// anything is started.
func TestProgramsAreNamed(t *testing.T) {
	needs(t, "sh")
	write := scripts(t)
	started := filepath.Join(t.TempDir(), "started")
	path := write("k.sh", "touch "+started)
	kernel := "exec:sh " + path
	missing := filepath.Join(filepath.Dir(path), "missing")
	grid := fmt.Sprintf("[grid]\ntoy='random:1:0:2x2'\nT=2\nkernel='%s'\n", kernel)
	named := fmt.Sprintf("program-hash = %q\n", path)
	for text, want := range map[string]string{
		grid: "test, line 4: kernel " + kernel +
			": a change of the program would go unnoticed",
		"program-hash = []\n" +
			grid: "list its files at the top of the specification: program-hash = [\"" +
			path,
		"program-hash = [1]\n" +
			grid: `line 1: program-hash is 1; write the path of a file in quotes`,
		"program-hash = ''\n" + grid: `line 1: program-hash is ""; write the path`,
		grid +
			named: "line 5: program-hash is not a parameter; write it at the top of the file",
		"program-hsh = 'x'\n" +
			grid: `unknown table "program-hsh"; did you mean program-hash?`,
		"program-hash = '.'\n" +
			grid: "program-hash .: . is not a regular file but a folder",
		named + "[grid]\nkernel='exec:'": "line 3: kernel exec:: no command",
		named + "[grid]\nkernel='exec:/no/such/program x'": `line 3: kernel ` +
			`exec:/no/such/program x: starting "/no/such/program x"`,
		fmt.Sprintf("program-hash = [%q, %q]\n", path, missing) + grid: "program-hash " + missing + ": open ",
	} {
		_, err := resolve("test", text)
		if err == nil || !strings.Contains(
			errs.InWords(err, func(option string) string { return "--" + option }),
			want,
		) {
			t.Errorf("%s\n%v, want %q", text, err, want)
		}
	}
	s := mustSweep(t, named+grid)
	if plan := mustPlan(t, s); !plan.Programs || plan.Time.Seconds() < programStart {
		t.Errorf("%+v", plan)
	}
	if fileExists(started) {
		t.Error("a program was started before its cell was solved")
	}
}

// TestProgramsInKeys: the files of programs are part of the cells whose kernel is a program,
// however they are named, and of no others.
func TestProgramsInKeys(t *testing.T) {
	needs(t, "sh")
	write := scripts(t)
	path := write("k.sh", "exit 1")
	helper := write("helper", "1")
	grid := fmt.Sprintf("[grid]\ntoy='random:1:0:2x2'\nT=2\nkernel=['metropolis','exec:sh  %s']\n", path)
	with := func(files ...string) *Sweep {
		spec := longtest.Must(Parse(sweptStudies(), "test", []byte(grid)))(t)
		spec.programs = files
		return longtest.Must(spec.Sweep())(t)
	}
	one := with(path)
	both := with(path, helper)
	if name := one.Cell(1).Get("kernel"); name != "exec:sh "+path {
		t.Errorf("the kernel is called %q", name)
	}
	if again := with(helper, path, filepath.Dir(path)+"/./k.sh"); again.ID() != both.ID() {
		t.Error("the same files in another order make another sweep")
	}
	if one.Key(one.Cell(1)) == both.Key(both.Cell(1)) {
		t.Error("a further file makes the same cell")
	}
	if d := both.difference(one); !strings.HasPrefix(d, "the list of the files of its programs (program-hash) was ") {
		t.Error(d)
	}
	write("helper", "2")
	if changed := with(path, helper); changed.Key(changed.Cell(1)) == both.Key(both.Cell(1)) ||
		changed.Key(changed.Cell(0)) != both.Key(both.Cell(0)) {
		t.Error("a file that has changed makes the same cell, or another one of a kernel that is not a program")
	}
	plain := mustSweep(t, strings.Replace(grid, ",'exec:sh  "+path+"'", "", 1))
	if plain.Key(plain.Cell(0)) != one.Key(one.Cell(0)) {
		t.Error("a kernel of the library is another cell beside a program")
	}
	if text, err := both.manifest().encode(); err != nil {
		t.Error(err)
	} else if back, err := parseManifest(sweptStudies(), text); err != nil ||
		back.Key(back.Cell(1)) != both.Key(both.Cell(1)) {
		t.Errorf("from its manifest the cell is another one, %v", err)
	}
	if doubts := with(helper).Doubts(); len(doubts) != 1 ||
		!strings.Contains(doubts[0], "uses the file "+path+", but program-hash does not list it") {
		t.Errorf("doubts %q", doubts)
	}
	unused := mustSweep(t, fmt.Sprintf("program-hash=%q\n[grid]\ntoy='random:1:0:2x2'\nT=2\n", path))
	if doubts := unused.Doubts(); len(doubts) != 1 ||
		!strings.Contains(doubts[0], "no kernel of the sweep is a program") || len(unused.files) != 0 {
		t.Errorf("doubts %q, files %v", doubts, unused.files)
	}
}
