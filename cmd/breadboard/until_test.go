package main

import (
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/columns"
	"breadboard/grid/longtest"
	"breadboard/reports/views"
)

// TestColumnsAreCheckedFirst: a column that the table of a run does not have is refused by what
// looks at flags, before anything is computed, also if another table of the same command has it.
// Errors that come with the results do not begin with the name of the flag.
func TestColumnsAreCheckedFirst(t *testing.T) {
	longtest.Only(t)
	const small = "--toy random:2:1:3 -T 2 --frequencies 256"
	schemas := views.Schemas()
	for about, lines := range map[string][]string{
		"weights":           {small, small + " --tails 1", small + " --quantiles 0.5", "--toy random:2:1:3 -T 2 --samples 1,2"},
		"smc":               {"--toy random:1:1:2x2 -T 3", "--toy random:1:1:2x2 --adaptive 0.9"},
		"samplers diagnose": {"--toy easy -N 20", "testdata/schools_1.csv"},
		"tightness":         {"--toy easy -T 3", "--toy easy --until J<2"},
	} {
		tables, names := slices.DeleteFunc(slices.Clone(schemas), func(s views.Schema) bool { return s.Command != about }), []string{"toy", "nothing"}
		has := func(s views.Schema, name string) bool {
			return slices.ContainsFunc(s.Columns, func(c columns.Column) bool { return c.Name == name })
		}
		for _, s := range tables { // a column that another table does not have
			for _, c := range s.Columns {
				if slices.ContainsFunc(tables, func(other views.Schema) bool { return !has(other, c.Name) }) && !slices.Contains(names, c.Name) {
					names = append(names, c.Name)
					break
				}
			}
		}
		for _, line := range lines {
			taken := 0
			for _, name := range names {
				words := append(strings.Fields(about+" "+line), "--format", "csv", "--columns", name)
				if code, _, messages := command(t, words...); code == exitBadInput && !strings.HasPrefix(messages, "breadboard: --columns: unknown column") {
					t.Errorf("%v: %s", words, messages)
				} else if code == exitDone {
					taken++
				}
			}
			if taken == 0 || taken == len(names) {
				t.Errorf("%s %s takes %d of %d columns", about, line, taken, len(names))
			}
		}
	}
}
