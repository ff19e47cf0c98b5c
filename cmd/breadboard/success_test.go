package main

import (
	"strings"
	"testing"
)

// TestSuccessHelp: the help answers first: the question, usage and examples, and only then all
// else.
func TestSuccessHelp(t *testing.T) {
	help, _ := ok(t, "success", "--help")
	at := -1
	for _, part := range []string{"how likely does annealing find a", "\nUsage:", "\nExamples:", "\nFlags:", "the final inverse temperature: qubo:FILE:BETA"} {
		found := strings.Index(help, part)
		if found <= at {
			t.Errorf("%q does not stand behind what should come before it:\n%s", part, help)
		}
		at = found
	}
}

// TestCuresOfTooWide: a refusal of elimination names the memory that it would take, and what finds
// the best state without it.
func TestCuresOfTooWide(t *testing.T) {
	const dense = "qubo:../../experiments/annealing/success/testdata/q30dense.qubo:1"
	says(t, exitBadInput, "or give --memory 18GB; breadboard success --best finds the best state alone", "network", dense, "--best")
	says(t, exitBadInput, "or give --memory 9GB\n", "network", dense, "--columns", "log_z")
	says(t, exitBadInput, "leave --memory out", "success", "--toy", "easy", "--memory", "2GB")
}

// TestAttained: a line above the table says what the best value is and how many states have it,
// members of classes included. Tables of several values have no such line.
func TestAttained(t *testing.T) {
	for words, want := range map[string]string{
		"--toy barrier": "barrier: best log f 3, attained by 9 of 49 states\n",
		"--toy ising:3x3:0.4:torus --quotient auto --kernel flip": "torus: best log f 7.2, attained by 2 of 512 states\n",
		"--toy barrier --levels 2":                                "",
		"--toy random:2:{0..5}:2x2":                               "",
	} {
		out, _ := ok(t, append([]string{"success", "-T", "10"}, strings.Fields(words)...)...)
		if !strings.Contains(out, want) || want == "" && strings.Contains(out, "attained") {
			t.Errorf("%s: %s", words, out)
		}
	}
}
