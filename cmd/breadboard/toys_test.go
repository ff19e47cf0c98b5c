package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

// TestHelpNamesAllToys: the help of toys is where a user learns which targets there are, so that it
// names every form of them.
func TestHelpNamesAllToys(t *testing.T) {
	help, _ := ok(t, "toys", "--help")
	for _, f := range toys.Forms().Listing.All() {
		name, _, _ := strings.Cut(f.Syntax, ":")
		name, _, _ = strings.Cut(name, "[")
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(help) {
			t.Errorf("%s is not in the help of toys", f.Syntax)
		}
	}
}

// TestHelpShowsModelFile: the file of a model in the help of toys is one that can be read.
func TestHelpShowsModelFile(t *testing.T) {
	help, _ := ok(t, "toys", "--help")
	const kind = `kind = "clustering"`
	_, text, _ := strings.Cut(help, kind)
	text, _, _ = strings.Cut(text, "\n\n")
	model := longtest.Must(models.ParseModel([]byte(kind+text), func(name string) ([]byte, error) { return []byte("1,2\n3,4\n"), nil }))(t)
	if m, is := model.(*models.Clustering); !is || len(m.Pi) != 3 || m.CentreVariance != 4 || m.NoiseVariance != 1 {
		t.Errorf("the file in the help is read as %+v", model)
	}
	if !strings.Contains(help, `"binary"`) || !strings.Contains(help, "feature_variance") {
		t.Error("the help does not say how a file of binary attributes differs")
	}
}

// TestLargeToysHaveNoTable: a table of millions of states is refused with its size, and beside the
// description it is left out.
func TestLargeToysHaveNoTable(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	const toy, says = "barrier:1025x1025",
		"toy barrier:1025x1025 has 1050625 states, and a table of them would take about 1.4 GB; the limit is 1048576 states (1.4 GB): breadboard toys export --out DIR writes g alone\n"
	if code, stdout, stderr := command(t, "toys", "show", toy, "--format", "json"); code != exitBadInput || stdout != "" || stderr != "breadboard: "+says {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	dir := t.TempDir()
	stdout, stderr := ok(t, "toys", "show", toy, "--out", dir)
	if !strings.HasPrefix(stdout, toy) || !strings.Contains(stderr, says) {
		t.Errorf("%s%s", stdout, stderr)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.*")); err != nil || len(files) != 1 || filepath.Base(files[0]) != "run.json" {
		t.Errorf("files %v, %v", files, err)
	}
}

// TestCells: a toy that is written out cell by cell gives the numbers of the toy that it was made
// from, beside others in a list; machines see all of its selector and people its beginning, and
// files have names that any system takes.
func TestCells(t *testing.T) {
	longtest.Only(t)
	cells := toys.Easy().Cells()
	rows := rowsOf(t, "tightness", "--toy", "easy,"+cells+",cells:1:2/3:4", "-T", "20", "--schedule", "curve:0:0.1:1")
	if len(rows) != 3 || rows[1]["toy"] != cells || rows[2]["toy"] != "cells:1:2/3:4" || rows[0]["schedule"] != "curve:0:0.1:1" {
		t.Fatal(rows)
	}
	for name, v := range rows[0] {
		if number, is := v.(float64); is && rows[1][name] != number {
			t.Errorf("%s is %v, and of the cells %v", name, v, rows[1][name])
		}
	}
	dir := t.TempDir()
	table, _ := ok(t, "tightness", "--toy", cells, "-T", "20", "--out", dir, "--figures", "svg")
	if strings.Contains(table, cells) || !strings.Contains(table, cells[:60]) {
		t.Errorf("people see\n%s", table)
	}
	ok(t, "gap", "--toy", cells, "-T", "20", "--out", dir, "--figures", "svg")
	ok(t, "toys", "export", cells, "--out", dir)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if len(f.Name()) > 250 {
			t.Errorf("the name %s has %d characters", f.Name(), len(f.Name()))
		}
	}
	npy, err := filepath.Glob(filepath.Join(dir, "cells*.npy"))
	if err != nil || len(npy) != 1 {
		t.Fatal(npy, err)
	}
	if toy, err := toys.Read(npy[0]); err != nil || !toy.SameTarget(toys.Easy()) {
		t.Errorf("the exported toy is %v, %v", toy, err)
	}
}

// The files of networks that tests of commands read.
const (
	asia   = "../../toys/networks/testdata/asia.bif"
	clinic = "../../toys/networks/testdata/clinic37.bif"
)

// TestNetworkOfToys: a plane that is not enumerated has log Z, pairs, a most probable state and
// samples, of which the same seed draws the same, and which are draws of the toy to conform; what
// is no product of factors, too wide, or asked for in the wrong way is bad input.
func TestNetworkOfToys(t *testing.T) {
	out, notes := ok(t, "network", "ising:10x10:0.3:0.1", "--pairs", "--best", "--table", "network_pairs", "--format", "csv")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 1+4*2*10*9 || lines[0] != "a,label_a,b,label_b,probability,correlation" {
		t.Errorf("%d lines of pairs, the first %s", len(lines), lines[0])
	}
	if want := "log f = 64 nats"; !strings.Contains(notes, want) { // 180 pairs and 100 sites
		t.Errorf("the notes say nothing of %q:\n%s", want, notes)
	}
	args := []string{"network", "ising:2x3:0.4", "--samples", "2000", "--seed", "5"}
	first, _ := ok(t, args...)
	if again, _ := ok(t, args...); again != first {
		t.Error("the same seed draws other states")
	}
	if other, _ := ok(t, append(args[:4:4], "--seed", "6")...); other == first {
		t.Error("another seed draws the same states")
	}
	file := filepath.Join(t.TempDir(), "draws.csv")
	longtest.NoError(t, os.WriteFile(file, []byte(first), 0o600))
	ok(t, "conform", "draws", file, "--toy", "ising:2x3:0.4")
	dir := t.TempDir()
	if table, _ := ok(t, append(args, "--out", dir)...); !strings.Contains(table, "posterior") {
		t.Errorf("with files the table is\n%s", table)
	}
	if written := longtest.Sure(os.ReadFile(filepath.Join(dir, "network_samples.csv"))); string(written) != first {
		t.Errorf("the file has other states")
	}
	for _, c := range []struct{ args, want string }{
		{"network hard", "hard is no product of factors over few variables each; those that are: ising:"},
		{"network ising:14x14:0.4 --memory 65MB", "ask for log Z alone"},
		{"network ising:3x3:0.4 --memory 1XB", "is no number of bytes"},
		{"network ising:3x3:0.4 --columns label,probability", "probability is there with --pairs alone"},
		{"network ising:3x3:0.4 --table network_pairs", "network_pairs is there with --pairs alone"},
		{"network ising:3x3:0.4 --check-that best_log_f>1", "best_log_f is there with --best alone"},
		{"network ising:3x3:0.4 --columns enumerated --best", "enumerated is there with --check alone"},
		{"network ising:3x3:0.4 --samples 3 --format json", "--format beside --samples"},
		{"network " + asia + " --samples 3 --hide asia+tub+smoke+lung+bronc+either+xray+dysp", "nothing to draw"},
	} {
		says(t, exitBadInput, c.want, strings.Fields(c.args)...)
	}
}

// TestNetwork: the notes say how probable the evidence is and whether enumeration agrees; what
// cannot be answered is bad input, with the cure.
func TestNetwork(t *testing.T) {
	_, notes := ok(t, "network", asia, "--evidence", "xray=yes+dysp=yes+asia=yes", "--check")
	for _, want := range []string{
		"bif:" + asia + ":evidence=asia=yes+xray=yes+dysp=yes: a Bayesian network of 8 variables, 3 observed", "log p(evidence) = -6.9195983825 nats",
		"elimination has width 2 and takes the variables in the order tub, smoke, lung, bronc, either", "enumeration of 32 states agrees",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes say nothing of %q:\n%s", want, notes)
		}
	}
	_, notes = ok(t, "network", clinic, "--check")
	if !strings.Contains(notes, "not checked by enumeration: its 37 free variables have") || strings.Contains(notes, "log p(evidence)") {
		t.Errorf("notes of a network that cannot be enumerated:\n%s", notes)
	}
	for _, c := range []struct{ args, want string }{
		{"network", "name one, as in breadboard network asia.bif"},
		{"network nothing.bif", "no such file"},
		{"network " + asia + " --evidence either=no+tub=yes", "the evidence is impossible: the table of either given tub, lung is zero at tub=yes, either=no"},
		{"network " + asia + " --evidence xray=maybe", `unknown value of xray "maybe"; choices: yes, no`},
		{"network " + asia + " --hide xray --evidence xray=yes", "xray is observed"},
	} {
		says(t, exitBadInput, c.want, strings.Fields(c.args)...)
	}
}
