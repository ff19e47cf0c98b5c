package main

import (
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"breadboard/cmd/catalogue"
	"breadboard/grid/longtest"
)

// TestNarrowTerminals: on a terminal of 80 columns no line of the answer of a study is wider; other
// widths, and what may be left out, are tested with random tables beside the layout. The golden
// text has the answer of every study that prints no times.
func TestNarrowTerminals(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	const width = 80
	studies := map[string]bool{}
	for _, s := range catalogue.Studies() {
		words, _ := s.Command(nil)
		studies[words] = true
	}
	delete(studies, "") // of what sweeps alone ask
	var out strings.Builder
	examples := showing()
	for _, name := range leaves((&app{}).rootCommand()) {
		if !studies[name] || name == "law" || name == "network" {
			// the one needs a program, and the other is as narrow in network.txt
			delete(studies, name)
			continue
		}
		delete(studies, name)
		for _, words := range examples[name] {
			line := name + " " + words
			stdout, stderr := onTerminal(t, width, map[string]string{"NO_COLOR": "1"}, strings.Fields(line)...)
			for l := range strings.Lines(stdout) {
				if n := twwidth.Width(strings.TrimSuffix(l, "\n")); n > width {
					t.Errorf("%s: %d characters: %s", line, n, l)
				}
			}
			gone := fitNotes(t, stderr, width)
			if !strings.HasPrefix(name, "sandwich") { // whose times make columns wider on a slow machine
				out.WriteString("$ breadboard " + line + "\n" + stdout + gone)
			}
		}
	}
	for name := range studies {
		t.Errorf("no table of %s is looked at", name)
	}
	golden(t, "narrow.txt", out.String())
}

// fitNotes returns the notes about columns for which there is no room.
func fitNotes(t *testing.T, stderr string, width int) (notes string) {
	t.Helper()
	inside := false
	for l := range strings.Lines(stderr) {
		inside = inside || strings.HasPrefix(l, "left out for ")
		if inside {
			notes += l
			if twwidth.Width(strings.TrimSuffix(l, "\n")) > width {
				t.Errorf("more than %d characters: %s", width, l)
			}
		}
		inside = inside && !strings.HasSuffix(l, " column\n") && l != "column\n"
	}
	return notes
}
