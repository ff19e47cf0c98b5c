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

// TestRenamedFlags: each older name of a flag says what its name is now.
func TestRenamedFlags(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"tightness --within 1s", "--time"}, {"sandwich compare --budget 1s", "--time"}, {"sandwich compare --trials 2", "--chains"},
		{"law f --seconds 1s", "--time"}, {"samplers meta --repeats 2", "--splits"},
		{"conform check task --chains 2", "--most"},
		{"samplers diagnose --draws f.csv", "--quantity"}, {"policy twist --base b", "--base-chain"},
		{"conform check task --moves f.csv", "--transitions"}, {"aide --runs 2", "--chains"}, {"policy best --by B", "--objective"},
		{"policy best --over c=0:1", "--vary"}, {"reproduce --claim bread-1", "--id"}, {"conform estimates f --z 1", "--log-z"},
	} {
		if code, _, stderr := command(t, strings.Fields(c[0])...); code != exitBadInput || !strings.Contains(stderr, "did you mean "+c[1]+"?") {
			t.Errorf("%s: %s", c[0], stderr)
		}
	}
}
