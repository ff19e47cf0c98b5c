package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestNetworkWrite: a network is written whole in another format and reads as the same; a file that
// is read is never replaced, and flags that would have no effect are refused.
func TestNetworkWrite(t *testing.T) {
	t.Parallel()
	const asia = "../../toys/networks/testdata/asia.bif"
	dir := t.TempDir()
	out := filepath.Join(dir, "sub", "asia.xml")
	stdout, stderr := ok(t, "network", asia, "--write", out)
	if want := "wrote " + out + ": a Bayesian network of 8 variables, read from asia.bif as BIF\n"; stdout != "" ||
		strings.Join(strings.Fields(stderr), " ") != strings.TrimSpace(want) {
		t.Errorf("%s%s, want %s", stdout, stderr, want)
	}
	table := func(file string) string {
		stdout, _ := ok(t, "network", file, "--evidence", "xray=yes", "--format", "csv", "--columns", "variable,label,posterior,parents")
		return stdout
	}
	if from, to := table(asia), table(out); from != to {
		t.Errorf("%s\nis written as\n%s", from, to)
	}
	before := longtest.Must(os.ReadFile(out))(t)
	for says, args := range map[string][]string{
		"would be replaced":       {out, "--write", out},
		"is no regular file":      {asia, "--write", filepath.Join(dir, "folder.bif")},
		"--evidence beside":       {asia, "--write", filepath.Join(dir, "b.bif"), "--evidence", "xray=yes"},
		"--format beside":         {asia, "--write", filepath.Join(dir, "b.bif"), "--format", "csv"},
		"none of the endings":     {asia, "--write", filepath.Join(dir, "b.net")},
		"Bayesian networks alone": {"ising:2x2:1", "--write", filepath.Join(dir, "b.bif")},
	} {
		longtest.NoError(t, os.MkdirAll(filepath.Join(dir, "folder.bif"), 0o700))
		if code, _, stderr := command(t, append([]string{"network"}, args...)...); code == 0 || !strings.Contains(strings.Join(strings.Fields(stderr), " "), says) {
			t.Errorf("%v: %d, %s", args, code, stderr)
		}
	}
	if now := longtest.Must(os.ReadFile(out))(t); string(now) != string(before) {
		t.Error("the file is another now")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "b.*")); left != nil {
		t.Errorf("files %v", left)
	}
}

// TestUnreadToys: files of formats that are not read are refused with the way to one that is, by
// path and in selectors.
func TestUnreadToys(t *testing.T) {
	t.Parallel()
	for _, toy := range []string{"alarm.rds", "file:alarm.rds", "prob:alarm.rds", "bif:alarm.rds"} {
		if code, _, stderr := command(t, "toys", "show", toy); code != exitBadInput || !strings.Contains(stderr, "R's RDS") ||
			!strings.Contains(stderr, "bnlearn::write.bif") {
			t.Errorf("%s: %d, %s", toy, code, stderr)
		}
	}
}
