package sweep

import (
	"encoding/json"
	"strconv"
	"strings"

	"breadboard/experiments"
)

// Cell is one case of a sweep: every parameter of the study with its value, in the order of the study.
type Cell []experiments.Param

// Get returns the value of a parameter, and "" for one that the study does not have.
func (c Cell) Get(name string) string { return experiments.Params(c).Get(name) }

// Distributions returns T, and for a study without a T the 2 distributions that its cases have.
func (c Cell) Distributions() int {
	T, err := strconv.Atoi(c.Get(lengths))
	if err != nil {
		return 2
	}
	return T
}

// lengths is the parameter that may be left out beside a schedule from a file, which fixes it.
const lengths = "T"

// initials is the name of the parameter whose value depends on the toys, where it is left out.
const initials = "initial"

// String names the cell in an error.
func (c Cell) String() string {
	parts := make([]string, len(c))
	for i, p := range c {
		parts[i] = p.Name + " " + p.Value
	}
	return strings.Join(parts, ", ")
}

// named returns the values by the names of their parameters.
func (c Cell) named() map[string]string {
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
		if out, err = appendJSON(out, p.Value); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// appendJSON appends a text as encoding/json writes it. Most selectors are letters and digits, which need no encoder:
// it would take a third of the time in which results are read.
func appendJSON(dst []byte, text string) ([]byte, error) {
	for i := range len(text) {
		if b := text[i]; b < ' ' || b > '~' || strings.IndexByte("\"\\<>&", b) >= 0 {
			quoted, err := json.Marshal(text)
			return append(dst, quoted...), err
		}
	}
	return append(append(append(dst, '"'), text...), '"'), nil
}

// cellOf returns the cell that has a value for each of the parameters, which have as many values as there are parameters.
func cellOf(parameters []experiments.Parameter, value func(k int) string) Cell {
	c := make(Cell, len(parameters))
	for k := range parameters {
		c[k] = experiments.Param{Name: parameters[k].Name, Value: value(k)}
	}
	return c
}
