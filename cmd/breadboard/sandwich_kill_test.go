package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// tinyCompare is a comparison of all estimators that takes no time.
const tinyCompare = "sandwich compare --model clustering:2 --data-rows 5 --data-columns 3 --datasets 2 --trials 3 --budget 3ms --seed 5"

// TestSandwichCompareKilled: a comparison that is killed again and again, and begun anew each time, comes to the table of one that is left
// alone.
func TestSandwichCompareKilled(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	args := append(strings.Fields(strings.Replace(tinyCompare, "--budget 3ms", "--budget 10ms", 1)), "--format", "csv")
	before := processorTime()
	want, _ := ok(t, args...)
	typical := processorTime() - before
	dir := filepath.Join(t.TempDir(), "results")
	random, longer := rand.New(rand.NewPCG(3, 4)), float64(longtest.Times(1, 10))
	for kills := 0; ; kills++ {
		// It has more time from kill to kill, so that it comes to its end, with -long after more kills.
		spent := (0.2 + random.Float64()) * float64(typical) * (1 + float64(kills)/longer) / 2
		c := signalled(t, syscall.SIGKILL, time.Duration(spent), append(args, "--out", dir)...)
		var out, errs strings.Builder
		c.Stdout, c.Stderr = &out, &errs
		if err := c.Run(); err == nil {
			if got := timelessCSV(t, out.String()); got != timelessCSV(t, want) {
				t.Errorf("after %d kills:\n%s\nwant\n%s", kills, got, timelessCSV(t, want))
			}
			if t.Logf("%d kills", kills); kills == 0 {
				t.Error("it was never killed")
			}
			return
		}
		if code := c.ProcessState.ExitCode(); code != -1 {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
	}
}

// TestSandwichCompareFolder: what a comparison leaves is a sweep like any other, another comparison is refused there with nothing changed,
// and the same one finds that all is done.
func TestSandwichCompareFolder(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	args := append(strings.Fields(tinyCompare), "--estimator", "lw", "--out", dir)
	first, _ := ok(t, append(args, "--format", "csv")...)
	trials := filepath.Join(dir, "trials")
	status := rowsOf(t, "sweep", "status", trials)
	if last := status[len(status)-1]; last["missing"] != 0.0 || last["failed"] != 0.0 || !(last["done"].(float64) > 20) {
		t.Errorf("%v", last)
	}
	rows := rowsOf(t, "sweep", "merge", trials)
	if r := rows[0]; r["estimator"] != "lw" || r["model"] != "clustering:2" || r["log_z"] == nil {
		t.Errorf("%v", r)
	}
	page := filepath.Join(t.TempDir(), "report.html")
	ok(t, "report", dir, "--out", page)
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "rmse_setting") {
		t.Errorf("the page has no table of errors: %v", err)
	}

	before := contents(t, dir)
	for _, other := range [][]string{{"--trials", "4"}, {"--seed", "6"}, {"--budget", "300ms"}, {"--model", "binary:2"}, {"--estimator", "hme"}} {
		code, stdout, stderr := command(t, append(append([]string{}, args...), other...)...)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "holds the trials of another comparison") {
			t.Errorf("%v: exit code %d, %q%q", other, code, stdout, stderr)
		}
		if after := contents(t, dir); after != before {
			t.Errorf("%v: the folder has changed", other)
		}
	}
	again, _ := ok(t, append(args, "--format", "csv")...)
	if again != first {
		t.Errorf("again:\n%s\nand at first:\n%s", again, first)
	}
}

// contents returns the names of all files of a folder with what is in them.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		b.WriteString(path + "\n" + string(text) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
