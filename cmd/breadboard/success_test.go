package main

import (
	"strings"
	"testing"
)

// TestSuccessHelp: the help answers first: the question, usage and examples, and only then all else.
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

// TestCuresOfTooWide: a refusal of elimination names the memory that it would take, and what finds the best state without it.
func TestCuresOfTooWide(t *testing.T) {
	const dense = "qubo:../../experiments/annealing/success/testdata/q30dense.qubo:1"
	says(t, exitBadInput, "or give --memory 18GB; breadboard success --best finds the best state alone", "network", dense, "--best")
	says(t, exitBadInput, "or give --memory 9GB\n", "network", dense, "--columns", "log_z")
	says(t, exitBadInput, "leave --memory out", "success", "--toy", "easy", "--memory", "2GB")
}
