package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

const killedSweep = `[grid]
toy = ["easy", "barrier", "random:3:1:3x3"]
T = [24000, 30000, 36000, 42000, 48000]
schedule = ["linear", "sigmoid", "power:2"]
[[case]]
toy = "random:1:0:4"
T = 5
[[case]]
toy = "random:1:0:4"
T = 5
kernel = "heatbath-axis:1"
[[case]]
toy = "easy"
T = 5
kernel = "heatbath-axis:1"
`

// killedAIS is a sweep of another study, some of whose cells fail too.
const killedAIS = `study = "ais"
[grid]
toy = ["easy", "barrier", "random:3:1:3x3"]
T = [60, 90, 120]
kernel = ["metropolis", "heatbath-axis:1"]
chains = [2000]
seed = [1, 2]
[[case]]
toy = "random:1:0:4"
T = 5
[[case]]
toy = "random:1:0:4"
T = 5
kernel = "heatbath-axis:1"
`

// TestSweepKilled kills sweeps with SIGKILL at random moments, again and again until they are done.
// No result that was acknowledged (the log is written after the sync) may be lost, none may be
// there twice, and what is merged in the end has the bytes of a run that was not killed. At least
// one kill comes after something was acknowledged. The long form is
//
//	go test ./cmd/breadboard -run TestSweepKilled -v -timeout 1h -long=300
func TestSweepKilled(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	kills := longtest.Times(2, 5)
	tightness := killedSweep
	if !longtest.More() {
		tightness = strings.NewReplacer("000", "00", `, "sigmoid", "power:2"`, "").Replace(tightness)
	}
	t.Run("tightness", func(t *testing.T) { killSweeps(t, tightness, kills) })
	if longtest.More() {
		t.Run("ais", func(t *testing.T) { killSweeps(t, killedAIS, kills/2) })
	}
}

// killSweeps kills sweeps of a specification so often.
func killSweeps(t *testing.T, text string, kills int) {
	path := spec(t, text)
	whole := t.TempDir()
	undisturbed := child(t, "sweep", "run", path, "--out", whole)
	if out, err := undisturbed.CombinedOutput(); undisturbed.ProcessState.ExitCode() != exitFault {
		// some cells fail
		t.Fatalf("%v: %s", err, out)
	}
	typical := undisturbed.ProcessState.UserTime() + undisturbed.ProcessState.SystemTime()
	_, want, _ := command(t, "sweep", "merge", whole, "--format", "csv")
	random := rand.New(rand.NewPCG(1, 2))
	trial := killedTrial{path: path, want: want, typical: typical, random: random}
	for said := 0; trial.kills < kills || trial.acknowledged == 0; {
		trial.run(t)
		if trial.kills/500 > said {
			said = trial.kills / 500
			t.Log(&trial)
		}
		if trial.acknowledged == 0 && trial.kills > kills+1000 {
			t.Fatalf("nothing was acknowledged before any of %d kills", trial.kills)
		}
	}
	t.Log(&trial)
}

// killedTrial is a series of sweeps that are killed until they are done, and what was seen.
type killedTrial struct {
	path, want                        string
	typical                           time.Duration // of a processor, for an undisturbed run
	random                            *rand.Rand
	kills, sweeps, acknowledged, torn int
}

func (k *killedTrial) String() string {
	return fmt.Sprintf(
		"%d kills of %d sweeps, %d after something was acknowledged; %d torn lines cut; no result lost, none twice",
		k.kills,
		k.sweeps,
		k.acknowledged,
		k.torn,
	)
}

// run kills one sweep until each of its shards is done.
func (k *killedTrial) run(t *testing.T) {
	t.Helper()
	k.sweeps++
	dir := longtest.Must(os.MkdirTemp(t.TempDir(), "killed"))(t)
	count := 1 + k.random.IntN(3)
	for shard := 1; shard <= count; shard++ {
		// Where the processor has become slower a run may never be done in the typical time: it has
		// more from kill to kill.
		for tries := time.Duration(0); !k.attempt(
			t,
			dir,
			k.typical+tries*k.typical/10,
			"--shard",
			fmt.Sprintf("%d/%d", shard, count),
			"--workers",
			fmt.Sprint(1+k.random.IntN(3)),
		); tries++ {
		}
	}
	if _, got, _ := command(t, "sweep", "merge", dir, "--format", "csv"); got != k.want || got == "" {
		t.Fatalf("after %d kills the merge of %s is\n%s\nwant\n%s", k.kills, dir, got, k.want)
	}
	if n := len(storedKeys(t, dir)); n != strings.Count(k.want, "\n")-1 {
		t.Fatalf("%d results in %s", n, dir)
	}
	os.RemoveAll(dir)
}

// attempt starts the sweep, which is killed once it has spent a random time of a processor, at most
// the latest. It reports whether it was done before.
func (k *killedTrial) attempt(t *testing.T, dir string, latest time.Duration, args ...string) bool {
	t.Helper()
	spent := time.Duration(k.random.Float64() * float64(latest))
	c := signalled(t, syscall.SIGKILL, spent, append([]string{"sweep", "run", k.path, "--out", dir}, args...)...)
	var errs bytes.Buffer
	c.Stderr = &errs
	err := c.Run()
	if strings.Contains(errs.String(), "cut ") {
		k.torn++
	}
	code := c.ProcessState.ExitCode()
	if code == exitDone || code == exitFault && strings.Contains(errs.String(), "cells of shard") {
		// done, and cells of this shard have failed or not
		return true
	}
	if code != -1 {
		t.Fatalf("%v: %s", err, errs.String())
	}
	k.kills++
	stored := storedKeys(t, dir)
	logged := loggedKeys(t, dir)
	for key := range logged {
		if !stored[key] {
			t.Fatalf("kill %d: the acknowledged result %s is lost in %s", k.kills, key, dir)
		}
	}
	if len(logged) > 0 {
		k.acknowledged++
	}
	return false
}

// storedKeys returns the keys of all whole lines of results, and fails if one is there twice.
func storedKeys(t *testing.T, dir string) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	for _, line := range wholeLines(t, dir, "*.jsonl") {
		var one struct{ Result struct{ Key string } }
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if key := one.Result.Key; keys[key] {
			t.Fatalf("the result %s is there twice in %s", key, dir)
		} else if key != "" { // headers have none
			keys[key] = true
		}
	}
	return keys
}

// loggedKeys returns the keys in the log.
func loggedKeys(t *testing.T, dir string) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	for _, line := range wholeLines(t, dir, "*.log") {
		var one struct{ Key string }
		if err := json.Unmarshal(line, &one); err != nil {
			continue // two halves of lines, one from before a kill
		}
		keys[one.Key] = true
	}
	return keys
}

func wholeLines(t *testing.T, dir, pattern string) (lines [][]byte) {
	t.Helper()
	paths := longtest.Must(filepath.Glob(filepath.Join(dir, pattern)))(t)
	for _, path := range paths {
		text := longtest.Must(os.ReadFile(path))(t)
		parts := bytes.Split(text, []byte("\n"))
		lines = append(lines, parts[:len(parts)-1]...)
	}
	return lines
}

// TestSweepSecondWriter: of two processes on one shard the second is refused, with the name of the
// first.
func TestSweepSecondWriter(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path := spec(t, "[grid]\ntoy=['easy']\nT=[1000000000]")
	dir := t.TempDir()
	first := child(t, "sweep", "run", path, "--out", dir)
	longtest.NoError(t, first.Start())
	defer func() { _, _ = first.Process.Kill(), first.Wait() }()
	if !eventually(func() bool { return strings.Contains(list(t, dir), ".log") }) {
		t.Fatal("the first has not begun")
	}
	second := child(t, "sweep", "run", path, "--out", dir)
	out, _ := second.CombinedOutput()
	want := fmt.Sprintf("shard 1/1 of %s is being written by process %d on ", dir, first.Process.Pid)
	if second.ProcessState.ExitCode() != exitBadInput || !strings.Contains(string(out), want) {
		t.Errorf("%s; want %q", out, want)
	}
}

// tinyCompare is a comparison of all estimators that takes no time.
const tinyCompare = "sandwich compare --model clustering:2 --data-rows 5 --data-columns 3 --datasets 2 " +
	"--chains 3 --time 3ms --seed 5"

// instead returns words in which a flag has another value, or to which it is added if they do not
// have it.
func instead(words []string, flag ...string) []string {
	words = slices.Clone(words)
	if at := slices.Index(words, flag[0]); at >= 0 {
		words = slices.Delete(words, at, at+len(flag))
	}
	return append(words, flag...)
}

// TestSandwichCompareFolder: what a comparison leaves is a sweep like any other, another comparison
// is refused there with nothing changed, and the same one finds that all is done.
func TestSandwichCompareFolder(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	args := append(strings.Fields(tinyCompare), "--estimator", "lw", "--out", dir)
	first, _ := ok(t, append(args, "--format", "csv")...)
	trials := filepath.Join(dir, "trials")
	status := rowsOf(t, "sweep", "status", trials)
	if last := status[len(status)-1]; last["missing"] != 0.0 || last["failed"] != 0.0 ||
		!(last["done"].(float64) > 20) {
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
	for _, other := range [][]string{{"--chains", "4"}, {"--seed", "6"}, {"--time", "300ms"},
		{"--model", "binary:2"}, {"--estimator", "hme"}} {
		code, stdout, stderr := command(t, instead(args, other...)...)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 ||
			!strings.Contains(stderr, "holds the trials of another comparison") {
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
	longtest.NoError(t, err)
	return b.String()
}
