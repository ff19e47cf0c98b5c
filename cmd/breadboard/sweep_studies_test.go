package main

import (
	"strings"
	"testing"

	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/views"
)

// TestHelpNamesTheStudies: help lists every study, and the reference its parameters and values.
func TestHelpNamesTheStudies(t *testing.T) {
	help, _ := ok(t, "sweep", "--help")
	help = strings.Join(strings.Fields(help), " ") // lines are broken between words
	for i, s := range views.Swept(views.Catalogue()) {
		if i%4 > 0 && !longtest.Enabled() {
			continue // each writes the whole reference
		}
		fields, _ := ok(t, append(
			[]string{"help", "reference"}, strings.Fields("sweep merge, table sweep, study "+s.Name)...)...)
		if !strings.Contains(help, " "+s.Name) {
			t.Errorf("it does not name %s", s.Name)
		}
		for _, name := range append(subject.Names(s.Parameters), s.ValueNames()...) {
			if !strings.Contains(fields, "`"+name+"`") {
				t.Errorf("the reference does not name %s of %s", name, s.Name)
			}
		}
	}
}
