package sweep

import (
	"slices"

	"breadboard/experiments"
)

// combinations are the cells of a grid: every combination of the values of its parameters, the last parameter moving fastest.
// Parameters that are zipped go side by side, as one parameter that stands at the place of the first of them. The zero value
// has no cells.
type combinations struct {
	values [][]string // by parameter; those of zipped parameters are equally many
	zips   [][]int    // the numbers of the parameters of each zip, ascending
	leads  []int      // of each parameter: the first of its zip, or itself
}

// newCombinations returns the cells of such values, none where there are no values.
func newCombinations(values [][]string, zips [][]int) combinations {
	if values == nil {
		return combinations{}
	}
	leads := make([]int, len(values))
	for k := range leads {
		leads[k] = k
	}
	for _, zip := range zips {
		for _, k := range zip {
			leads[k] = zip[0]
		}
	}
	return combinations{values, zips, leads}
}

// size returns the number of cells, and MaxCells + 1 where there are more than MaxCells.
func (g combinations) size() int {
	if g.values == nil {
		return 0
	}
	n := 1
	for k, list := range g.values {
		if g.leads[k] != k {
			continue
		}
		if n *= len(list); n > MaxCells {
			return MaxCells + 1
		}
	}
	return n
}

// cell returns cell i, whose parameters have these names.
func (g combinations) cell(parameters []experiments.Parameter, i int) Cell {
	places := make([]int, len(g.values))
	for k := len(places) - 1; k >= 0; k-- {
		if g.leads[k] == k {
			places[k] = i % len(g.values[k])
			i /= len(g.values[k])
		}
	}
	c := make(Cell, len(g.values))
	for k := range c {
		c[k] = experiments.Param{Name: parameters[k].Name, Value: g.values[k][places[g.leads[k]]]}
	}
	return c
}

// list returns the values of a parameter, and none where there is no grid.
func (g combinations) list(k int) []string {
	if g.values == nil {
		return nil
	}
	return g.values[k]
}

// has reports whether a cell is one of the combinations.
func (g combinations) has(c Cell) bool {
	if g.values == nil {
		return false
	}
	for k := range c {
		if g.leads[k] == k && g.index(k, func(j int) string { return c[j].Value }) < 0 {
			return false
		}
	}
	return true
}

// index returns the first place at which the parameter k, and those zipped with it, have these values, and -1 where there is none.
func (g combinations) index(k int, value func(j int) string) int {
next:
	for i := range g.values[k] {
		for j, lead := range g.leads {
			if lead == k && g.values[j][i] != value(j) {
				continue next
			}
		}
		return i
	}
	return -1
}

// zipOf returns the zip of which a parameter is one, and none where it is in none.
func (g combinations) zipOf(k int) []int {
	for _, zip := range g.zips {
		if slices.Contains(zip, k) {
			return zip
		}
	}
	return nil
}
