package main

import (
	"strings"
	"testing"

	"breadboard/experiments/subject"
	"breadboard/reports/views"
)

// TestHelpNamesTheStudies: help lists every study with its parameters and values.
func TestHelpNamesTheStudies(t *testing.T) {
	for _, args := range [][]string{{"sweep", "--help"}, {"sweep", "run", "--help"}, {"sweep", "plot", "--help"}} {
		help, _ := ok(t, args...)
		help = strings.Join(strings.Fields(help), " ") // lines are broken between words
		for _, s := range views.Sweeps() {
			for _, name := range append(append(subject.Names(s.Parameters), s.ValueNames()...), s.Name+": "+s.Answers) {
				if !strings.Contains(help, name) {
					t.Errorf("%v does not name %s of %s", args, name, s.Name)
				}
			}
		}
	}
}
