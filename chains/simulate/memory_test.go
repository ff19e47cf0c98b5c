package simulate_test

import (
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestTablesError: tables of 65,536 states are made where rows are short, and refused, with the size, where a row has all states; on few
// states nothing is refused.
func TestTablesError(t *testing.T) {
	longtest.NotShort(t)
	many := make([]int, 16)
	for i := range many {
		many[i] = 2
	}
	for _, c := range []struct {
		kernel string
		sides  []int
		refuse string
	}{
		{"metropolis", many, ""}, {"heatbath", many, ""}, {"heatbath-scan", []int{7, 7}, ""},
		{"heatbath-scan", many, " on 65536 states would take about 206 GB; the limit is 2 GB"},
	} {
		space := grid.MustNew(c.sides...)
		k := must(kernels.Parse(c.kernel, space))
		path := must(paths.NewGeometric(make([]float64, space.States()), make([]float64, space.States())))
		a := must(chains.NewAnnealing(path, schedules.Linear{}, k, 3))
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			err := simulate.TablesError(a, d)
			if (err != nil) != (c.refuse != "") || err != nil && !strings.Contains(err.Error(), c.refuse) {
				t.Errorf("%s on %v: %v", c.kernel, c.sides, err)
			}
			if _, err := simulate.NewTables(a, d, nil); (err != nil) != (c.refuse != "") {
				t.Errorf("%s on %v: tables: %v", c.kernel, c.sides, err)
			}
		}
		if simulate.HasTables(a) != (c.refuse == "") {
			t.Errorf("%s on %v: HasTables", c.kernel, c.sides)
		}
	}
}
