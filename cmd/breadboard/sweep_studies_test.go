package main

import (
	"strings"
	"testing"

	"breadboard/experiments/subject"
	"breadboard/reports/views"
)

// TestHelpNamesTheStudies: help lists every study with its parameters and values.
func TestHelpNamesTheStudies(t *testing.T) {
	help, _ := ok(t, "sweep", "--help")
	help = strings.Join(strings.Fields(help), " ") // lines are broken between words
	for _, s := range views.Sweeps() {
		for _, name := range append(append(subject.Names(s.Parameters), s.ValueNames()...), s.Name+": "+s.Answers) {
			if !strings.Contains(help, name) {
				t.Errorf("it does not name %s of %s", name, s.Name)
			}
		}
	}
}
