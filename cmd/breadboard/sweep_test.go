package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

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
	path := spec(t, sweepText)
	dir := filepath.Join(t.TempDir(), "new", "grid")
	plan, messages := ok(t, "sweep", "plan", path)
	golden(t, "sweep_plan.txt", withoutTimes(plan))
	if want := regexp.MustCompile(
		`^the times are estimated from steps and states, good to a factor of about three; on the [0-9]+ ` +
			`cores of this machine the sweep takes about [0-9a-z. ]+\n$`,
	); !want.MatchString(messages) {
		t.Errorf("plan says %q", messages)
	}
	stdout, stderr := ok(t, "sweep", "run", path, "--out", dir, "--shard", "2/3")
	if stdout != "" || stderr != "shard 2/3: 4 cells, 0 finished before, 4 solved now, 0 of them failed\n" {
		t.Errorf("%q, %q", stdout, stderr)
	}
	status, _ := ok(t, "sweep", "status", dir)
	golden(t, "sweep_status.txt", status)
	code, stdout, stderr := command(t, "sweep", "merge", dir)
	if code != exitFault || stdout != "" ||
		!strings.Contains(stderr, "9 of 13 cells have no result, the first of them toy barrier, ") ||
		!strings.Contains(stderr, "--partial") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	if partial, stderr := ok(t, "sweep", "merge", dir, "--partial", "--format",
		"csv"); strings.Count(partial, "\n") != 5 || !strings.Contains(stderr, "9 of 13") {
		t.Errorf("%q, %q", partial, stderr)
	}
	ok(t, "sweep", "run", path, "--out", dir)
	merged, stderr := ok(t, "sweep", "merge", dir)
	golden(t, "sweep_merge.txt", merged)
	if stderr != "" {
		t.Error(stderr)
	}
	for _, command := range []string{"", "plan", "run", "status", "merge", "submit"} {
		args := append([]string{"sweep"}, strings.Fields(command+" --help")...)
		if stdout, _ := ok(t, args...); !strings.Contains(stdout, "Examples:") {
			t.Errorf("%v: %s", args, stdout)
		}
	}
	help, _ := ok(t, "sweep", "run", "--help")
	golden(t, "sweep-run-help.txt", help)
}

// TestSweepInterrupt: what is done is kept, and the exit code says so. Of two workers one is in the
// middle of a cell that takes hours when the other has done the rest.
func TestSweepInterrupt(t *testing.T) {
	longtest.Only(t)
	const rest = 4
	path := spec(t,
		"[grid]\ntoy=['barrier','random:2:0']\nT=[10]\nschedule=['linear','sigmoid']\n[[case]]\n"+
			"toy='hard'\nT=1000000000")
	dir := t.TempDir()
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
	if code := run(ctx, []string{"sweep", "run", path, "--out", dir, "--workers", "2"}, &out, &errs); code !=
		exitInterrupted {
		t.Errorf("exit code %d, %q", code, errs.String())
	}
	var solved, failed int
	line := errs.String()
	if _, err := fmt.Sscanf(line, "shard 1/1: 5 cells, 0 finished before, %d solved now, %d of them failed",
		&solved, &failed); err != nil ||
		solved != rest || failed > 0 || !strings.Contains(line, "interrupted") {
		t.Errorf("%v: %s", err, line)
	}
	if merged, _ := ok(
		t,
		"sweep",
		"merge",
		dir,
		"--partial",
		"--format",
		"csv",
	); strings.Count(merged, "\n") != 1+solved {
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
	p.show()
	if !strings.Contains(errs.String(), "2 of 3 cells") {
		t.Errorf("a bar, though the estimate is short: %q", errs.String())
	}
	p.done()
}
