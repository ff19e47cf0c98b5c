package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"breadboard/grid/longtest"
	"breadboard/reports/table"
	"breadboard/reports/views"
)

// TestNarrowTerminals: on terminals of 80, 120 and 200 columns no line of the answer of a study is wider, and what is said to be left out is no answer and
// not in the table. The golden text has the answer of every study at 80 columns, of those that go by the clock the headings alone.
func TestNarrowTerminals(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	studies := map[string]bool{}
	for _, s := range views.Catalogue() {
		words, _ := s.Command(nil)
		studies[words] = true
	}
	delete(studies, "") // of what sweeps alone ask
	var out strings.Builder
	for _, name := range leaves((&app{}).rootCommand()) {
		if !studies[name] || name == "law" || name == "network" { // the one needs a program, and the other is as narrow in network.txt
			delete(studies, name)
			continue
		}
		delete(studies, name)
		for _, words := range showing()[name] {
			line := name + " " + words
			for _, width := range []int{80, 120, 200} {
				stdout, stderr := onTerminal(t, width, map[string]string{"NO_COLOR": "1"}, strings.Fields(line)...)
				for l := range strings.Lines(stdout) {
					if n := twwidth.Width(strings.TrimSuffix(l, "\n")); n > width {
						t.Errorf("%s: %d characters for %d: %s", line, n, width, l)
					}
				}
				gone := fitNotes(t, stderr, width)
				checkLeftOut(t, name, gone)
				if clock := strings.HasPrefix(name, "sandwich"); width == 80 && !clock {
					out.WriteString("$ breadboard " + line + "\n" + stdout + gone)
				} else if width == 80 && name != "sandwich compare" {
					head, _, _ := strings.Cut(stdout, "─")
					out.WriteString("$ breadboard " + line + "\n" + head)
				}
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
		if inside = inside || strings.HasPrefix(l, "left out for "); inside {
			notes += l
			if twwidth.Width(strings.TrimSuffix(l, "\n")) > width {
				t.Errorf("more than %d characters: %s", width, l)
			}
		}
		inside = inside && !strings.HasSuffix(l, " column\n") && l != "column\n"
	}
	return notes
}

// checkLeftOut: of the columns that are said to be left out, each is a column of the command's tables that is no answer.
func checkLeftOut(t *testing.T, command, notes string) {
	t.Helper()
	for note := range strings.SplitSeq(strings.ReplaceAll(notes, "\n", " "), "every column ") {
		_, names, some := strings.Cut(note, " columns: ")
		names, _, _ = strings.Cut(names, ";")
		if !some {
			continue
		}
		left := strings.Split(names, ", ")
		for _, s := range views.SchemasOf(command) {
			for _, c := range s.Columns {
				if c.Spare == table.Answer && slices.Contains(left, c.Name) {
					t.Errorf("%s leaves out %s, which is an answer of its table %s", command, c.Name, s.Table)
				}
			}
		}
	}
}
