package sweep

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"breadboard/experiments"
)

// parameter is one of the things that tell cells apart: a selector of the command line.
type parameter struct {
	name     string
	defaults func() []string // what a grid has that leaves it out; a case must name it where there are several
	choose   func(*experiments.Selection, string)
}

// of returns the canonical form of the parameter, which a case has it in.
func (p parameter) of(c *experiments.Case) string {
	for _, part := range c.Parts() {
		if part.Name == p.name {
			return part.Value
		}
	}
	panic("sweep: a case has no " + p.name)
}

// parameters lists them in the order in which a grid is walked: the last moves fastest.
func parameters() []parameter {
	return []parameter{
		{"toy", experiments.PaperToys, func(s *experiments.Selection, v string) { s.Toys = []string{v} }},
		{"path", func() []string { return []string{"geometric"} }, func(s *experiments.Selection, v string) { s.Path = v }},
		{"initial", func() []string { return []string{"uniform"} }, func(s *experiments.Selection, v string) { s.Initial = v }},
		{"schedule", func() []string { return []string{"linear"} }, func(s *experiments.Selection, v string) { s.Schedule = v }},
		{"kernel", func() []string { return []string{"metropolis"} }, func(s *experiments.Selection, v string) { s.Kernel = v }},
		{lengths, paperLengths, chooseLength},
	}
}

// lengths is the one parameter that is a number.
const lengths = "T"

func paperLengths() []string {
	var out []string
	for _, T := range experiments.PaperDistributions() {
		out = append(out, strconv.Itoa(T))
	}
	return out
}

func chooseLength(s *experiments.Selection, v string) {
	T, err := strconv.Atoi(v)
	if err != nil {
		panic(err) // parsed before
	}
	s.Distributions = []int{T}
}

// Parameters returns the names of all parameters.
func Parameters() []string {
	var names []string
	for _, p := range parameters() {
		names = append(names, p.name)
	}
	return names
}

// Cell is one annealing of a sweep: a value for each of Parameters, in their order.
type Cell []string

// Get returns the value of a parameter, and "" for an unknown name.
func (c Cell) Get(name string) string {
	for i, p := range parameters() {
		if p.name == name {
			return c[i]
		}
	}
	return ""
}

// Distributions returns T.
func (c Cell) Distributions() int {
	T, err := strconv.Atoi(c[len(c)-1])
	if err != nil {
		panic(err) // checked when the cell was made
	}
	return T
}

// String names the cell in an error.
func (c Cell) String() string {
	parts := make([]string, len(c))
	for i, p := range parameters() {
		parts[i] = p.name + " " + c[i]
	}
	return strings.Join(parts, ", ")
}

// named returns the values by the names of their parameters.
func (c Cell) named() map[string]string {
	out := make(map[string]string, len(c))
	for i, p := range parameters() {
		out[p.name] = c[i]
	}
	return out
}

// MarshalJSON writes the cell as an object, the parameters in their order.
func (c Cell) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, p := range parameters() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), p.name...), `":`...)
		var err error
		if out, err = appendJSON(out, c[i]); err != nil {
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

// annealings builds the one annealing of the cell.
func (c Cell) annealings(ctx context.Context) ([]experiments.Case, error) {
	return c.selection().Cases(ctx)
}

// selection returns the cell as the selectors of the command line. Programs are not run.
func (c Cell) selection() experiments.Selection {
	var s experiments.Selection
	for i, p := range parameters() {
		p.choose(&s, c[i])
	}
	return s
}
