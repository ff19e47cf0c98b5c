package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// The files of networks that tests of commands read.
const (
	asia   = "../../toys/networks/testdata/asia.bif"
	clinic = "../../toys/networks/testdata/clinic37.bif"
)

// TestNetwork: the notes say how probable the evidence is and whether enumeration agrees; what cannot be answered is bad input, with the cure.
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
		code, _, stderr := command(t, strings.Fields(c.args)...)
		if code != exitBadInput || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: code %d, %s; want %q", c.args, code, stderr, c.want)
		}
	}
}

// TestNetworkTooWide: a lattice of 40 times 40 variables is refused at once, with the width and variables to observe.
func TestNetworkTooWide(t *testing.T) {
	const side = 40
	var b strings.Builder
	b.WriteString("MARKOV\n1600\n" + strings.Repeat("2 ", side*side) + "\n3120\n")
	tables := 0
	for v := range side * side {
		if v%side > 0 {
			b.WriteString(strings.Join([]string{"2", strconv.Itoa(v - 1), strconv.Itoa(v)}, " ") + "\n")
			tables++
		}
		if v >= side {
			b.WriteString(strings.Join([]string{"2", strconv.Itoa(v - side), strconv.Itoa(v)}, " ") + "\n")
			tables++
		}
	}
	b.WriteString(strings.Repeat("4 3 1 1 3\n", tables))
	path := filepath.Join(t.TempDir(), "square.uai")
	longtest.Must(t, os.WriteFile(path, []byte(b.String()), 0o600))
	code, _, stderr := command(t, "network", path)
	if code != exitBadInput || !strings.Contains(stderr, "or more, with tables of more than 16777216 entries together") || !strings.Contains(stderr, "give evidence for some of the variables") {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// TestLabelsOnTheCommandLine: starts, functions and states are written with the names of the variables and of their values, and what is
// written so is what the tables show.
func TestLabelsOnTheCommandLine(t *testing.T) {
	toy := "bif:" + asia + ":evidence=xray=yes:hide=either"
	start := "point:asia=no,tub=no,smoke=yes,lung=yes,bronc=no,dysp=yes"
	stdout, _ := ok(t, "samplers", "errors", "--toy", toy, "--kernel", "heatbath-scan", "--start", "mode,"+start, "--function", "lung,lung=yes,asia=no", "-N", "10", "--format", "json")
	rows := parseRows(t, stdout)
	if len(rows) != 6 || rows[3]["start"] != start || rows[4]["function"] != "lung=yes" {
		t.Errorf("rows %v", rows)
	}
	// The mean of the indicator is the marginal that the elimination finds.
	stdout, _ = ok(t, "network", asia, "--evidence", "xray=yes", "--format", "json")
	for _, row := range parseRows(t, stdout) {
		if row["variable"] == "lung" && row["label"] == "yes" {
			if mean, want := rows[1]["mean"], row["posterior"]; math.Abs(mean.(float64)-want.(float64)) > 1e-14 {
				t.Errorf("the mean of lung=yes is %v, and its posterior %v", mean, want)
			}
		}
	}
	for args, want := range map[string]string{
		"--start point:asia=no":         "give also that of tub, smoke, lung, bronc, dysp",
		"--function lung=maybe":         `unknown value of lung "maybe"; choices: yes, no`,
		"--function lang=yes":           `unknown axis "lang"; did you mean lung? choices: asia, tub, smoke, lung, bronc, dysp`,
		"--function lang":               "is asia, tub, smoke, lung, bronc, dysp",
		"--start point:asia=no,tub=oh,": `unknown value of tub "oh"`,
	} {
		code, _, stderr := command(t, append([]string{"samplers", "errors", "--toy", toy, "-N", "10"}, strings.Fields(args)...)...)
		if code != exitBadInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d, %s; want %q", args, code, stderr, want)
		}
	}
}
