package sweep

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/number"
	"breadboard/experiments/subject"
)

// Cell is one case of a sweep: every parameter of the study with its value, in the order of the
// study.
type Cell []subject.Param

// Get returns the value of a parameter, and "" for one that the study does not have.
func (c Cell) Get(name string) string { return subject.Params(c).Get(name) }

// distributions returns T, and for a study without a T the 2 distributions that its cases have.
func (c Cell) distributions() int {
	T, err := strconv.Atoi(c.Get(lengths))
	if err != nil {
		return 2
	}
	return T
}

// lengths is the parameter that may be left out beside a schedule from a file, which fixes it.
const lengths = "T"

// initials is the name of the parameter whose value depends on the toys, if it is left out.
const initials = "initial"

// String names the cell for an error.
func (c Cell) String() string { return (&subject.Case{Params: subject.Params(c)}).String() }

// byName returns the values by the names of their parameters.
func (c Cell) byName() map[string]string {
	out := make(map[string]string, len(c))
	for _, p := range c {
		out[p.Name] = p.Value
	}
	return out
}

// MarshalJSON writes the cell as an object, the parameters in their order.
func (c Cell) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, p := range c {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), p.Name...), `":`...)
		var err error
		out, err = appendJSON(out, p.Value)
		if err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// appendJSON appends a text as encoding/json writes it. Most selectors are letters and digits,
// which need no encoder: it would take a third of the time in which results are read.
func appendJSON(dst []byte, text string) ([]byte, error) {
	for i := range len(text) {
		if b := text[i]; b < ' ' || b > '~' || strings.IndexByte("\"\\<>&", b) >= 0 {
			quoted, err := json.Marshal(text)
			return append(dst, quoted...), err
		}
	}
	return append(append(append(dst, '"'), text...), '"'), nil
}

// cellOf returns the cell that has a value for each of the parameters, which have as many values as
// there are parameters.
func cellOf(parameters []subject.Parameter, value func(k int) string) Cell {
	c := make(Cell, len(parameters))
	for k := range parameters {
		c[k] = subject.Param{Name: parameters[k].Name, Value: value(k)}
	}
	return c
}

// combinations are the cells of a grid: every combination of the values of its parameters, the last
// parameter moving fastest. Parameters that are zipped go side by side, as one parameter that
// stands at the place of the first of them. The zero value has no cells.
type combinations struct {
	values [][]string // by parameter; those of zipped parameters are equally many
	zips   [][]int    // the numbers of the parameters of each zip, ascending
	leads  []int      // of each parameter: the first of its zip, or itself
}

// newCombinations returns the cells of such values, none if there are no values.
func newCombinations(values [][]string, zips [][]int) combinations {
	if values == nil {
		return combinations{}
	}
	leads := number.Range(len(values))
	for _, zip := range zips {
		for _, k := range zip {
			leads[k] = zip[0]
		}
	}
	return combinations{values, zips, leads}
}

// size returns the number of cells, and MaxCells + 1 if there are more than MaxCells.
func (g combinations) size() int {
	if g.values == nil {
		return 0
	}
	n := 1
	for k, list := range g.values {
		if g.leads[k] != k {
			continue
		}
		n *= len(list)
		if n > maxCells {
			return maxCells + 1
		}
	}
	return n
}

// cell returns cell i, whose parameters have these names.
func (g combinations) cell(parameters []subject.Parameter, i int) Cell {
	places := make([]int, len(g.values))
	for k := len(places) - 1; k >= 0; k-- {
		if g.leads[k] == k {
			places[k] = i % len(g.values[k])
			i /= len(g.values[k])
		}
	}
	c := make(Cell, len(g.values))
	for k := range c {
		c[k] = subject.Param{Name: parameters[k].Name, Value: g.values[k][places[g.leads[k]]]}
	}
	return c
}

// valuesOf returns the values of a parameter, and none if there is no grid.
func (g combinations) valuesOf(k int) []string {
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

// index returns the first place at which the parameter k, and those zipped with it, have these
// values, and -1 if there is none.
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

// zipOf returns the zip of which a parameter is one, and none if it is in none.
func (g combinations) zipOf(k int) []int {
	for _, zip := range g.zips {
		if slices.Contains(zip, k) {
			return zip
		}
	}
	return nil
}
