package main

import (
	"os/exec"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// even is a file of draws of two states that are alike, by the high bits of a linear congruence,
// which show no dependence.
func even(of [2]string) string {
	var b strings.Builder
	b.WriteString("state\n")
	for i, x := 0, uint64(1); i < 4000; i++ {
		x = x*6364136223846793005 + 1442695040888963407
		b.WriteString(of[x>>63] + "\n")
	}
	return b.String()
}

// TestConformDraws: draws get a verdict from files, from counts and from a program, with the exit
// code that goes with it.
func TestConformDraws(t *testing.T) {
	t.Parallel()
	law := in(t, "prob.csv", "label,probability\na,0.5\nb,0.5\n")
	skewed := in(t, "skewed.csv", "label,probability\na,0.25\nb,0.75\n")
	right := in(t, "right.csv", even([2]string{"a", "b"}))
	named := in(t, "named.csv", even([2]string{"x", "y"}))
	names := in(t, "names.csv", "name,state\nx,a\ny,b\n")
	numbered := in(t, "numbered.csv", even([2]string{"1", "2"}))
	counts := in(t, "counts.csv", "state,count\na,2010\nb,1990\n")
	few := in(t, "few.csv", "a\nb\n")
	for _, c := range []struct {
		words string
		code  int
		want  string // in what it says
	}{
		{right + " --law " + law, exitDone, "a total variation of 0.068 or more would have been found"},
		{named + " --map " + names + " --law " + law, exitDone, "would have been found"},
		{numbered + " --base 1 --toy cells:0:0", exitDone, "would have been found"},
		{"testdata/draws_weighted.csv --toy bif:testdata/draws_weighted.bif:evidence=grass=wet", exitDone,
			"with weights of the distribution, as far as so many show"},
		{"testdata/draws_weighted.csv --toy bif:testdata/draws_weighted.bif:evidence=grass=dry", exitFault, "instead of 0.635097, 23.9 standard errors away"},
		{"testdata/draws_weighted.csv --weights none --toy bif:testdata/draws_weighted.bif:evidence=grass=wet", exitFault, "left out weight"},
		{"testdata/draws_weighted.csv --weights v --toy bif:testdata/draws_weighted.bif:evidence=grass=wet", exitBadInput,
			"found no column v; name the column of the weights"},
		{counts + " --law " + law, exitDone, "would have been found"},
		{right + " --law " + skewed, exitFault, "it is as if all states were drawn uniformly"},
		{right + " --law " + skewed, exitFault, "│ verdict │ reason"}, // in front of the e-value
		{few + " --law " + law, exitFault, "undecided: 2 draws: enough only for a gross fault"},
		{named + " --law " + law, exitBadInput,
			`line 2 (row 0), column state: found "x"; write a label, of a, b (a label that must not occur has a row in the distribution with probability 0; a draw of it is then a fault); --map translates other names`},
		{numbered + " --toy cells:0:0", exitBadInput, "if states are counted from 1, as in R, give --base 1"},
		{right, exitBadInput, "draws are of one distribution; give either --toy"},
		{"--law " + law, exitBadInput, "no draws; give a file, - for standard input, or a program behind --"},
		{right + " " + right + " --law " + law, exitBadInput, "are the same file"},
		{right + " " + counts + " --law " + law, exitBadInput, "give files of one kind"},
		{"--law " + right, exitBadInput, "write two, as in label,probability"},
		{"--law " + in(t, "off.csv", "label,probability\na,0.5\nb,0.4\n") + " " + right, exitBadInput, "the probabilities add up to 0.9"},
		{"--law " + law + " -- /no/such/program", exitBadInput, "check the path of the program"},
	} {
		code, out, stderr := command(t, append([]string{"conform", "draws"}, strings.Fields(c.words)...)...)
		if code != c.code || !strings.Contains(out+stderr, c.want) {
			t.Errorf("%s: exit code %d; %s%s", c.words, code, out, stderr)
		}
	}
	code, _, stderr := command(t, "conform", "chain", "testdata/draws_weighted.csv", "--toy", "bif:testdata/draws_weighted.bif:evidence=grass=wet")
	if code != exitBadInput || !strings.Contains(stderr, "use conform draws for weighted draws, or --weights none to ignore the column") {
		t.Errorf("weights of a chain: exit code %d; %s", code, stderr)
	}
}

// TestConformDrawsOfAProgram: a program that would print for ever is read until a fault is certain,
// and ended.
func TestConformDrawsOfAProgram(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	if _, err := exec.LookPath("yes"); err != nil {
		t.Skip("there is no program yes")
	}
	if code, _, stderr := command(t, "conform", "draws", "--toy", "cells:0:0", "--", "yes", "0"); code != exitFault ||
		!strings.Contains(stderr, "no independent draws of the distribution") {
		t.Errorf("%d: %s", code, stderr)
	}
	if code, _, stderr := command(t, "conform", "draws", "--toy", "cells:0", "--most", "5000", "--", "yes", "0"); code != exitDone ||
		!strings.Contains(stderr, "would have been found") {
		t.Errorf("%d: %s", code, stderr)
	}
}
