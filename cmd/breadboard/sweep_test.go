package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"breadboard/chains/selector"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/grid/longtest"
)

const sweepText = `[grid]                 # every combination
toy = ["barrier", "random:2:0"]
T = [10, 100, 1000]
schedule = ["linear", "sigmoid:4"]
path = ["geometric"]
kernel = ["metropolis"]
[[case]]               # single cells beside the grid
toy = "hard"
T = 100000
`

func spec(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "grid.toml")
	writeFile(t, path, text)
	return path
}

// withoutTimes replaces the times of a plan, which are those of the machine, and the room that they
// take.
func withoutTimes(plan string) string {
	times := regexp.MustCompile(`\b(?:under )?(?:[0-9.]+(?:ms|h|m|s))+\b`)
	return regexp.MustCompile(` +|[─┼]+`).ReplaceAllString(times.ReplaceAllString(plan, "TIME"), " ")
}

func TestSweepGolden(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path, dir := spec(t, sweepText), filepath.Join(t.TempDir(), "new", "grid")
	plan, messages := ok(t, "sweep", "plan", path)
	golden(t, "sweep_plan.txt", withoutTimes(plan))
	if want := regexp.MustCompile(
		`^the times are estimated from steps and states, good to a factor of about three; on the [0-9]+ cores of this machine the sweep takes about [0-9a-z. ]+\n$`); !want.MatchString(messages) {
		t.Errorf("plan says %q", messages)
	}
	cells, _ := ok(t, "sweep", "plan", path, "--cells", "--set", "T=10,1e2")
	golden(t, "sweep_cells.txt", cells)
	stdout, stderr := ok(t, "sweep", "run", path, "--out", dir, "--shard", "2/3")
	if stdout != "" || stderr != "shard 2/3: 4 cells, 0 finished before, 4 solved now, 0 of them failed\n" {
		t.Errorf("%q, %q", stdout, stderr)
	}
	status, _ := ok(t, "sweep", "status", dir)
	golden(t, "sweep_status.txt", status)
	code, stdout, stderr := command(t, "sweep", "merge", dir)
	if code != exitFault || stdout != "" || !strings.Contains(stderr, "9 of 13 cells have no result, the first of them toy barrier, ") ||
		!strings.Contains(stderr, "--partial") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	if partial, stderr := ok(t, "sweep", "merge", dir, "--partial", "--format", "csv"); strings.Count(partial, "\n") != 5 || !strings.Contains(stderr, "9 of 13") {
		t.Errorf("%q, %q", partial, stderr)
	}
	ok(t, "sweep", "run", path, "--out", dir)
	merged, stderr := ok(t, "sweep", "merge", dir)
	golden(t, "sweep_merge.txt", merged)
	if stderr != "" {
		t.Error(stderr)
	}
	for _, command := range []string{"", "plan", "run", "status", "merge", "plot", "submit"} {
		args := append([]string{"sweep"}, strings.Fields(command+" --help")...)
		if stdout, _ := ok(t, args...); !strings.Contains(stdout, "Examples:") {
			t.Errorf("%v: %s", args, stdout)
		}
	}
	help, _ := ok(t, "sweep", "run", "--help")
	golden(t, "sweep-run-help.txt", help)
}

// TestSweepBytes: every format has the same bytes for any shards and workers, in one folder or
// several.
func TestSweepBytes(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path := spec(t, strings.Replace(sweepText, "100000", "1000", 1))
	whole, folder := t.TempDir(), t.TempDir()
	ok(t, "sweep", "run", path, "--out", whole, "--workers", "1")
	dirs := []string{folder}
	for i := range 5 {
		dir := folder
		if i%2 == 1 {
			dir = t.TempDir()
			dirs = append(dirs, dir)
		}
		ok(t, "sweep", "run", path, "--out", dir, "--workers", fmt.Sprint(1+i), "--shard", fmt.Sprintf("%d/5", i+1))
	}
	for _, format := range []string{"csv", "json", "table", "markdown", "latex"} {
		want, _ := ok(t, "sweep", "merge", whole, "--format", format)
		got, _ := ok(t, append([]string{"sweep", "merge", "--format", format}, dirs...)...)
		if got != want || want == "" {
			t.Errorf("%s differs", format)
		}
	}
	out := t.TempDir()
	ok(t, "sweep", "merge", whole, "--format", "markdown", "--out", out)
	ok(t, "sweep", "plot", whole, "--y", "B", "--facet", "toy", "--out", out)
	if got := parts(t, out); got != ".csv .json .md B_against_T.pdf B_against_T.png B_against_T.svg B_against_T_data.csv" {
		t.Errorf("wrote %s", got)
	}
	log, err := os.ReadFile(filepath.Join(whole, "shard-1-of-1.log"))
	if err != nil || strings.Count(string(log), `"seconds":`) != 13 {
		t.Errorf("%v\n%s", err, log)
	}
	results, err := os.ReadFile(filepath.Join(whole, "shard-1-of-1.jsonl"))
	if host, _ := os.Hostname(); err != nil || bytes.Contains(results, []byte("seconds")) || bytes.Contains(results, []byte(`"`+host+`"`)) {
		t.Errorf("%v\n%s", err, results)
	}
}

func TestSweepBadInput(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	good := spec(t, sweepText)
	blocked := file(t, "a file, not a directory")
	done := t.TempDir()
	ok(t, "sweep", "run", good, "--out", done, "--set", "T=2,3")
	never := filepath.Join(t.TempDir(), "never")
	damaged := t.TempDir()
	ok(t, "sweep", "run", good, "--out", damaged)
	results := filepath.Join(damaged, "shard-1-of-1.jsonl")
	text := longtest.Must(os.ReadFile(results))(t)
	text[bytes.IndexByte(text, '\n')+100] ^= 1
	longtest.NoError(t, os.WriteFile(results, text, 0o644))
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "accepts 1 arg", []string{"plan"}},
		{2, "no such file", []string{"plan", never}},
		{2, "--out grid", []string{"run", good}},
		{2, "--workers -1", []string{"run", good, "--out", never, "--workers", "-1"}},
		{2, "in its grid T was 2,3 and is 10,100,1000", []string{"run", good, "--out", done}},
		{2, "requires at least 1 arg", []string{"merge"}},
		{2, "unknown measure \"K\"", []string{"plot", done, "--y", "K", "--out", never}},
		{2, "unknown parameter \"temperature\"", []string{"plot", done, "--x", "temperature", "--out", never}},
		{2, "--where toy: write PARAMETER=VALUE", []string{"plot", done, "--where", "toy", "--out", never}},
		{2, "--where 'T<10': write PARAMETER=VALUE, as in --where toy=easy, once for each value; there is no other comparison",
			[]string{"plot", done, "--where", "T<10", "--out", never}},
		{2, "--where =easy: write PARAMETER=VALUE", []string{"plot", done, "--where", "=easy", "--out", never}},
		{2, "--where J=0.1: J is a measure, and cells are chosen by their parameters: toy, path", []string{"plot", done, "--where", "J=0.1", "--out", never}},
		{2, `--where toy=hart: unknown toy "hart"; did you mean hard?`, []string{"plot", done, "--where", "toy=hart", "--out", never}},
		{2, `--where t=10: unknown parameter "t"; did you mean T?`, []string{"plot", done, "--where", "t=10", "--out", never}},
		{2, "--where T=3,1e5: it takes one value; repeat it for several, as in --where T=3 --where T=1e5",
			[]string{"plot", done, "--where", "T=3,1e5", "--out", never}},
		{2, "--out figures", []string{"plot", done}},
		{2, "--slurm is the one", []string{"submit", good, "--out", never}},
		{2, "1 to the 13 cells", []string{"submit", "--slurm", good, "--shards", "14", "--out", never}},
		{2, "--sbatch partition=x: write an option", []string{"submit", "--slurm", good, "--shards", "2", "--sbatch", "partition=x", "--out", never}},
		{2, "--sbatch --array=1-3: breadboard sets this option itself", []string{"submit", "--slurm", good, "--shards", "2", "--sbatch=--array=1-3", "--out", never}},
		{2, "breadboard sets this option itself", []string{"submit", "--slurm", good, "--shards", "2", "--sbatch=--outp x", "--out", never}},
		{2, "breadboard sets this option itself", []string{"submit", "--slurm", good, "--shards", "2", "--sbatch=-d afterok:3", "--out", never}},
		{2, "--workers 0; give the cores of a task", []string{"submit", "--slurm", good, "--workers", "0", "--out", never}},
		{2, "holds another sweep", []string{"submit", "--slurm", good, "--out", done}},
		{2, "--x is empty", []string{"plot", done, "--x", "", "--out", never}},
		{2, "quote or backslash", []string{"submit", "--slurm", good, "--shards", "2", "--out", never + `"`}},
		{3, "not a directory", []string{"run", good, "--out", filepath.Join(blocked, "x")}},
		{3, blocked, []string{"run", good, "--out", blocked}},
		{3, results + ", line 2 (byte 132) is damaged", []string{"run", good, "--out", damaged}},
		{3, results + ", line 2 (byte 132) is damaged", []string{"merge", damaged}},
		{3, blocked, []string{"merge", done, "--out", blocked}},
	} {
		saysOnly(t, c.code, c.want, append([]string{"sweep"}, c.args...)...)
	}
	if _, err := os.Stat(never); err == nil {
		t.Error("bad input made the output directory")
	}
	if after, err := os.ReadFile(results); err != nil || !bytes.Equal(after, text) {
		t.Errorf("the damaged file was not left alone: %v", err)
	}
}

// TestSweepShardOfArray: the index comes from the scheduler.
func TestSweepShardOfArray(t *testing.T) {
	path, dir := spec(t, sweepText), t.TempDir()
	t.Setenv("SLURM_ARRAY_TASK_ID", "3")
	t.Setenv("SLURM_ARRAY_TASK_MIN", "1")
	t.Setenv("SLURM_ARRAY_TASK_MAX", "6")
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "6")
	_, stderr := ok(t, "sweep", "run", path, "--out", dir)
	if !strings.HasPrefix(stderr, "shard 3/6, from SLURM_ARRAY_TASK_ID\nshard 3/6: 2 cells") || !strings.Contains(list(t, dir), "shard-3-of-6.jsonl") {
		t.Errorf("%s\n%s", stderr, list(t, dir))
	}
}

// TestSweepInterrupt: what is done is kept, and the exit code says so. Of two workers one is in the
// middle of a cell that takes hours when the other has done the rest.
func TestSweepInterrupt(t *testing.T) {
	longtest.Only(t)
	const rest = 4
	path, dir := spec(t, "[grid]\ntoy=['barrier','random:2:0']\nT=[10]\nschedule=['linear','sigmoid']\n[[case]]\ntoy='hard'\nT=1000000000"), t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		defer stop()
		eventually(func() bool {
			log, err := os.ReadFile(filepath.Join(dir, "shard-1-of-1.log"))
			return err == nil && strings.Count(string(log), `"seconds":`) == rest
		})
	}()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"sweep", "run", path, "--out", dir, "--workers", "2"}, &out, &errs); code != exitInterrupted {
		t.Errorf("exit code %d, %q", code, errs.String())
	}
	var solved, failed int
	line := errs.String()
	if _, err := fmt.Sscanf(line, "shard 1/1: 5 cells, 0 finished before, %d solved now, %d of them failed", &solved, &failed); err != nil ||
		solved != rest || failed > 0 || !strings.Contains(line, "interrupted") {
		t.Errorf("%v: %s", err, line)
	}
	if merged, _ := ok(t, "sweep", "merge", dir, "--partial", "--format", "csv"); strings.Count(merged, "\n") != 1+solved {
		t.Errorf("%s after\n%s", merged, line)
	}
}

// eventually waits for something that must happen, and reports whether it did.
func eventually(happened func() bool) bool {
	for end := time.Now().Add(longtest.Patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if happened() {
			return true
		}
	}
	return false
}

// TestSweepFailures are rows, named by status, and exit code 1 once all is written: of a run, of
// one that finds them in the folder, of the shard that they fall to and of no other, and of a
// merge.
func TestSweepFailures(t *testing.T) {
	longtest.Only(t)
	path, dir, parts := spec(t, "[grid]\ntoy=['random:1:0:2x2','random:1:0:5']\nT=[3]\nkernel=['metropolis','heatbath-axis:1']"), t.TempDir(), t.TempDir()
	messagesOf := func(code int, want string, args ...string) string {
		t.Helper()
		got, stdout, stderr := command(t, append([]string{"sweep"}, args...)...)
		if got != code || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit code %d, want %d and %q in %s", args, got, code, want, stderr)
		}
		return stdout
	}
	messagesOf(exitFault, "4 solved now, 1 of them failed\nbreadboard: 1 of the 4 cells of shard 1/1 failed; breadboard sweep status "+dir+" names them",
		"run", path, "--out", dir)
	messagesOf(exitFault, "4 finished before (1 of them failed), 0 solved now, 0 of them failed", "run", path, "--out", dir)
	codes := map[int]int{}
	for _, shard := range []string{"1/2", "2/2"} {
		code, _, _ := command(t, "sweep", "run", path, "--out", parts, "--shard", shard)
		codes[code]++
	}
	if codes[exitDone] != 1 || codes[exitFault] != 1 {
		t.Errorf("exit codes of two shards, of which one has the cell that fails: %v", codes)
	}
	messagesOf(exitFault, "4 finished before (1 of them failed)", "run", path, "--out", parts, "--shard", "1/1")
	_, stderr := ok(t, "sweep", "status", dir)
	if !strings.Contains(stderr, "failed: toy random:1:0:5, path geometric, initial uniform, schedule linear, kernel heatbath-axis:1, T 3: ") {
		t.Error(stderr)
	}
	stdout := messagesOf(exitFault, "1 of 4 cells failed, and the column error says why; the first of them is toy random:1:0:5, ", "merge", dir,
		"--format", "json")
	out := t.TempDir()
	if again := messagesOf(exitFault, "1 of 4 cells failed", "merge", parts, "--format", "json", "--out", out); again != stdout {
		t.Errorf("two shards merge as %s", again)
	}
	if written := list(t, out); !strings.Contains(written, ".csv") || !strings.Contains(written, ".json") {
		t.Errorf("a merge with a failed cell wrote %s", written)
	}
	rows := parseRows(t, stdout)
	if r := rows[3]; r["J"] != nil || !strings.Contains(r["error"].(string), "no axis") || rows[0]["error"] != nil {
		t.Errorf("%v", rows)
	}
}

// TestSweepSubmit: the scripts, and the arguments of sbatch.
func TestSweepSubmit(t *testing.T) {
	path, dir := spec(t, sweepText), filepath.Join(t.TempDir(), "it's 100%")
	stdout, stderr := ok(t, "sweep", "submit", "--slurm", path, "--shards", "6", "--workers", "2", "--set", "T=10,100", "--sbatch=--partition=short", "--out", dir)
	array, err := os.ReadFile(filepath.Join(dir, arrayScript))
	if err != nil || !strings.Contains(stdout, string(array)) {
		t.Errorf("%v\n%s", err, stdout)
	}
	quoted := selector.ShellQuote(dir)
	for _, want := range []string{
		"#SBATCH --array=1-6\n", "#SBATCH --cpus-per-task=2\n", "#SBATCH --partition=short\n", "#SBATCH --output=\"" + strings.Replace(dir, "%", "%%", 1) +
			"/slurm-%A_%a.out\"\n",
		" sweep run --out " + quoted + " --workers 2 --shard \"$SLURM_ARRAY_TASK_ID/6\" --set T=10,100 -- " + path + "\n",
		" sweep merge --format csv --out '" + strings.ReplaceAll(dir, "'", `'\''`) + "/merged' -- " + quoted + " > /dev/null\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	if short, _ := ok(t, "sweep", "submit", "--slurm", path, "--set", "T=10", "--set", "toy=easy", "--out",
		filepath.Join(t.TempDir(), "x")); !strings.Contains(short, "--array=1-3\n") {
		t.Errorf("not as many tasks as cells:\n%s", short)
	}
	if !strings.Contains(stderr, "--dependency=afterany:$id") {
		t.Error(stderr)
	}
	bin := t.TempDir()
	fake := "#!/bin/sh\necho \"$@\" >> " + bin + "/calls\necho '42;cluster'\n"
	longtest.NoError(t, os.WriteFile(filepath.Join(bin, "sbatch"), []byte(fake), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	_, stderr = ok(t, "sweep", "submit", "--slurm", path, "--shards", "6", "--out", dir, "--submit")
	calls, err := os.ReadFile(filepath.Join(bin, "calls"))
	if want := fmt.Sprintf("--parsable %s/slurm-array.sh\n--parsable --dependency=afterany:42 %s/slurm-merge.sh\n", dir, dir); err != nil ||
		string(calls) != want {
		t.Errorf("%v, sbatch is told %q, want %q", err, calls, want)
	}
	if !strings.Contains(stderr, "submitted the array as job 42") {
		t.Error(stderr)
	}
	t.Setenv("PATH", t.TempDir())
	says(t, exitIO, "sbatch", "sweep", "submit", "--slurm", path, "--shards", "6", "--out", dir, "--submit")
}

// TestSweepOfPrograms: the flag that names the files of programs is asked for, taken, and handed on
// to the jobs of Slurm.
func TestSweepOfPrograms(t *testing.T) {
	longtest.Only(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here")
	}
	path, dir, out := spec(t, "[grid]\ntoy=['random:1:0:2x2']\nT=[2,3]"), t.TempDir(), filepath.Join(t.TempDir(), "out")
	script, other := filepath.Join(dir, "k.sh"), filepath.Join(dir, "it's other")
	for _, name := range []string{script, other} {
		writeFile(t, name, "echo nonsense\n")
	}
	kernel := "kernel=metropolis,exec:sh " + script
	for _, args := range [][]string{{"plan", path}, {"run", path, "--out", out}, {"submit", "--slurm", path, "--out", out}} {
		args := append([]string{"sweep", args[0], "--set", kernel}, args[1:]...)
		says(t, exitBadInput, "list its files with --program-hash "+script+",", args...)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("what was refused has made a folder")
	}
	if _, stderr := ok(t, "sweep", "plan", path, "--set", "kernel=exec:sh "+script, "--program-hash", script); !strings.Contains(stderr,
		"a rough guess where a program is the kernel") {
		t.Error(stderr)
	}
	stdout, _ := ok(t, "sweep", "submit", "--slurm", path, "--set", kernel, "--program-hash", script, "--program-hash", other, "--out", out)
	if want := " --set '" + kernel + "' --program-hash " + script + " --program-hash '" + strings.ReplaceAll(other, "'", `'\''`) + "' -- " + path +
		"\n"; !strings.Contains(stdout, want) {
		t.Errorf("no %q in\n%s", want, stdout)
	}
	run := []string{"sweep", "run", path, "--set", kernel, "--program-hash", script, "--out", out}
	says(t, exitFault, "4 solved now, 2 of them failed", run...)
	writeFile(t, script, "echo other nonsense\n")
	says(t, exitBadInput, "the contents of "+script+" have changed; give another --out", run...)
	if code, _, stderr := command(t, append(run, "--extend")...); code != exitFault || !strings.Contains(stderr, "2 of its cells are in this one") ||
		!strings.Contains(stderr, "2 solved now") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestSweepProgress(t *testing.T) {
	line := progressLine(sweep.Progress{Done: 20, Cells: 100, Failed: 1, Cost: 50, TotalCost: 100}, 10*time.Second)
	if line != "20 of 100 cells, 1 failed, 2 a second, 10s left" {
		t.Error(line)
	}
	var errs bytes.Buffer
	p := (&app{stderr: &errs, getenv: os.Getenv}).sweepProgress(false)
	p.show()
	p.update(sweep.Progress{Done: 1, Cells: 3, Cost: 1, TotalCost: 3})
	if errs.Len() > 0 {
		t.Errorf("at once: %q", errs.String())
	}
	p.update(sweep.Progress{Done: 2, Cells: 3, Cost: 2, TotalCost: 3})
	p.show()
	p.done()
	p.show()
	if got := errs.String(); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "2 of 3 cells, ") {
		t.Errorf("lines: %q", got)
	}
	errs.Reset()
	p = (&app{stderr: &errs, getenv: os.Getenv}).sweepProgress(true)
	p.update(sweep.Progress{Done: 2, Cells: 3, Cost: 2e-6, TotalCost: 3e-6})
	if p.show(); !strings.Contains(errs.String(), "2 of 3 cells") {
		t.Errorf("a bar, though the estimate is short: %q", errs.String())
	}
	p.done()
}

// TestSweepLosesFile: a file that goes while a sweep runs is a fault of the disk, not of the
// command line.
func TestSweepLosesFile(t *testing.T) {
	_, err := os.Open(filepath.Join(t.TempDir(), "gone"))
	if f, ok := errors.AsType[failure](sweepFailure(fmt.Errorf("toy.csv: %w", err))); !ok || f.code != exitIO {
		t.Errorf("exit code %d", f.code)
	}
	if f, ok := errors.AsType[failure](sweepFailure(sweep.Refusal{})); !ok || f.code != exitBadInput {
		t.Errorf("a refusal has exit code %d", f.code)
	}
}

// TestSweepExtended: the folder refuses a specification with more seeds. With --extend the sweep
// keeps its cells, a note names those that are gone, and the table is that of a new folder.
func TestSweepExtended(t *testing.T) {
	longtest.Only(t)
	small := spec(t, "[grid]\ntoy = ['random:1:{0..2}:3x3', 'easy']\nT = [3]\n")
	large := spec(t, "[grid]\ntoy = 'random:1:{1..4}:3x3'\nT = {logspace = [3, 12, 3]}\n")
	dir, fresh := t.TempDir(), t.TempDir()
	ok(t, "sweep", "run", small, "--out", dir)
	says(t, exitBadInput, "or extend it, as with --extend", "sweep", "run", large, "--out", dir)
	if scripts, _ := ok(t, "sweep", "submit", "--slurm", large, "--shards", "2", "--extend", "--out", dir); !strings.Contains(scripts, " --extend ") {
		t.Error(scripts)
	}
	_, messages := ok(t, "sweep", "run", large, "--out", dir, "--extend")
	for _, want := range []string{
		"the folder held another sweep: 2 of its cells are in this one and keep the results that they have, and 10 are new",
		"2 cells of it are no longer there, the first of them toy random:1:0:3x3,", "12 cells, 2 finished before, 10 solved now",
	} {
		if !strings.Contains(messages, want) {
			t.Errorf("no %q in %s", want, messages)
		}
	}
	ok(t, "sweep", "run", large, "--out", fresh)
	extended, _ := ok(t, "sweep", "merge", dir, "--format", "csv")
	whole, _ := ok(t, "sweep", "merge", fresh, "--format", "csv")
	if extended != whole || strings.Count(whole, "\n") != 13 {
		t.Errorf("the extended folder merges as\n%s\nand a new one as\n%s", extended, whole)
	}
	if _, again := ok(t, "sweep", "run", large, "--out", dir, "--extend"); strings.Contains(again, "another sweep") ||
		!strings.Contains(again, "12 finished before, 0 solved now") {
		t.Error(again)
	}
	if status, _ := ok(t, "sweep", "status", dir); !strings.Contains(status, "complete") {
		t.Error(status)
	}
	says(t, exitBadInput, "holds a sweep of the study tightness", "sweep", "run", spec(t, "study='gap'\n[grid]\ntoy='easy'\nT=[3]"), "--out", dir, "--extend")
}

// TestSweepPlotPrints: numbers that --over sums up are printed without a folder, with the digits
// and the columns that are asked for.
func TestSweepPlotPrints(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	ok(t, "sweep", "run", spec(t, "[grid]\ntoy = 'random:1:{0..3}:3x3'\nT = [3, 9]\n"), "--out", dir)
	plot := []string{"sweep", "plot", dir, "--over", "toy", "--stat", "median"}
	if whole, few := first(ok(t, plot...)), first(ok(t, append(plot, "--digits", "2")...)); !strings.Contains(whole, " 0.443605\n") ||
		!strings.Contains(few, " 0.44\n") {
		t.Errorf("%s\nand with two digits\n%s", whole, few)
	}
	if one, _ := ok(t, append(plot, "--columns", "J_median", "--format", "csv")...); !strings.HasPrefix(one, "J_median\n") {
		t.Error(one)
	}
	refusedWith(t, map[string][]string{
		`unknown column "K"`:                  append(plot, "--columns", "K"),
		"or have numbers printed with --over": plot[:3],
		"shows no table":                      append(slices.Clone(plot[:3]), "--digits", "2"),
	})
}

// TestSweepNamesTheCure: a file of betas has one T, and the refusal of another says what takes any.
func TestSweepNamesTheCure(t *testing.T) {
	path := spec(t, "[grid]\ntoy = 'easy'\nT = [3, 5]\nschedule = 'file:"+file(t, "0\n0.5\n1\n")+"'\n")
	refusedWith(t, map[string][]string{"for any T write the points as curve:B:B...": {"sweep", "plan", path}})
}

// TestSweepOverSeeds draws bands over seeds, and refuses statistics of nothing.
func TestSweepOverSeeds(t *testing.T) {
	longtest.Only(t)
	dir, figures := t.TempDir(), t.TempDir()
	ok(t, "sweep", "run", spec(t, "[grid]\ntoy = 'random:1:{0..9}:3x3'\n[zip]\nT = [3, 9]\nschedule = ['linear', 'power:2']\n"), "--out", dir)
	shown, _ := ok(t, "sweep", "plot", dir, "--over", "toy", "--stat", "median,q10,q90", "--format", "csv", "--out", figures)
	if !strings.Contains(shown, "count,J_median,J_q10,J_q90") || strings.Count(shown, "\n") != 3 {
		t.Error(shown)
	}
	if drawn, err := filepath.Glob(filepath.Join(figures, "*over-toy*.svg")); err != nil || len(drawn) != 1 {
		t.Errorf("figures %v, %v", drawn, err)
	}
	for want, args := range map[string][]string{
		"say over which, as in --over toy":           {"--stat", "mean"},
		`unknown statistic "avarage"`:                {"--over", "toy", "--stat", "avarage"},
		"--over T: T is drawn already":               {"--x", "T", "--over", "T"},
		"write a quantile as q and a percentage":     {"--over", "toy", "--stat", "q200"},
		"is drawn around the mean; add mean":         {"--over", "toy", "--stat", "median,sd"},
		`unknown parameter "sed"`:                    {"--over", "sed"},
		"no statistic is named; give some, as in --": {"--over", "toy", "--stat", ""},
	} {
		refuses(t, want, append([]string{"sweep", "plot", dir, "--out", figures}, args...)...)
	}
}
