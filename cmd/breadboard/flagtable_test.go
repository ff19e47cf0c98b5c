package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestFlagTable holds each flag of each command to its row: its meaning is that of the row with a
// short restriction, its unit is that of the row, and its value is a switch if the row has none.
// Each row has a flag.
func TestFlagTable(t *testing.T) {
	t.Parallel()
	const longest = 130 // characters of a restriction that is no list of choices
	anyUnit := []string{"string", "stringSlice", "stringArray", "bool", "int", "float", "float64", "duration"}
	used := map[string]bool{}
	each((&app{}).rootCommand(), func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			row, known := flagTable[f.Name]
			if f.Name == "help" {
				return
			}
			used[f.Name] = true
			name := c.CommandPath() + " --" + f.Name
			restriction, means := strings.CutPrefix(f.Usage, row.means)
			if !known || !means || row.means == "" {
				t.Errorf("%s is explained as %q; its row is %+v", name, f.Usage, row)
			}
			if len(restriction) > longest && !strings.Contains(restriction, ": ") {
				t.Errorf("%s has the restriction %q of %d characters", name, restriction, len(restriction))
			}
			kind := strings.TrimSuffix(strings.TrimSuffix(f.Value.Type(), "..."), ",")
			if kind != row.unit && !slices.Contains(anyUnit, kind) || (kind == "bool") != (row.unit == "") {
				t.Errorf("%s takes %q, and the unit of its row is %q", name, f.Value.Type(), row.unit)
			}
		})
	})
	for name := range flagTable {
		if !used[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}
