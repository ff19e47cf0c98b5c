package files

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// maxLabels is the most labels of a variable. A column of more of them is a date or a name of the
// row, and no variable.
const maxLabels = 1000

// mostKnown is the most texts of a variable that are remembered with what they stand for.
const mostKnown = 1 << 12

// parse returns the number that a cell of a variable stands for. A label has for now the number of
// labels that came before it.
func (r *reading) parse(variable int, cell []byte) (float64, *fault) {
	name := r.names[variable]
	if domain := r.domains[variable]; domain != nil {
		if v, known := r.known[variable][string(cell)]; known {
			return v, nil
		}
		v, err := domain(string(cell))
		if err != nil && missing(cell) {
			return math.NaN(), nil
		}
		if err != nil {
			return 0, wanted(name, quoted(cell), err)
		}
		if len(r.known[variable]) < mostKnown {
			r.known[variable][string(cell)] = v
		}
		return v, nil
	}
	if role := r.roles[variable]; (role == tables.Name || role == tables.Index) && len(cell) > 0 { // whatever they look like
		return r.label(variable, string(cell))
	}
	if r.Meant != nil {
		cell = []byte(r.Meant(string(cell)))
	}
	v, number := parseDraw(cell)
	switch {
	case v != v:
		return v, nil
	case number && r.labels[variable] == nil:
		r.numbered[variable] = true
		return v, nil
	case number || r.numbered[variable] || len(cell) == 0 || numeric(cell): // as 2,5 or 1 2 or 57%
		bad := notNumber(cell, "write a number")
		switch {
		case number: // behind labels
			bad = advised(fmt.Sprintf("%s, and a label above it, such as %q", bad.found, slices.Sorted(maps.Keys(r.labels[variable]))[0]),
				chains.NewAdvice("write a number in every row, or a label in every row; {map} translates words"))
		case bytes.IndexByte(cell, ',') > 0:
			bad = advised(bad.found, chains.NewAdvice("%s, or give {decimal} comma", bad.want))
		case len(cell) > 0:
			bad = advised(bad.found, chains.NewAdvice("write a number in every row, or a label in every row; {map} translates words, and {column} %s=none leaves the column out",
				listed([]string{name})))
		}
		return 0, bad.in(name)
	}
	return r.label(variable, string(cell))
}

// numeric reports whether a cell that is no number was meant as one or more: it begins as a number,
// maybe behind a bracket, an apostrophe or the sign of mathematics.
func numeric(cell []byte) bool {
	return tables.BeginsAsNumber(strings.TrimLeft(string(cell), "[({\u2212\u2013$<>=~'"))
}

// label returns the number of a label.
func (r *reading) label(variable int, text string) (float64, *fault) {
	labels := r.labels[variable]
	if labels == nil {
		labels = map[string]float64{}
		r.labels[variable] = labels
	}
	v, known := labels[text]
	if known {
		return v, nil
	}
	if len(labels) == maxLabels && r.roles[variable] == tables.Variable {
		return 0, (&fault{found: fmt.Sprintf("more than %d labels", maxLabels), want: "leave the column out, or write numbers"}).in(r.names[variable])
	}
	v = float64(len(labels))
	labels[text] = v
	return v, nil
}

// withoutNames leaves out the variables that have another word in every row, which are names of the
// rows.
func (r *reading) withoutNames() {
	rows := 0
	for _, c := range r.chains {
		rows += len(c.values[0])
	}
	var left []string
	for v := len(r.names) - 1; v >= 0 && len(r.names) > 1; v-- {
		if rows < leastTurns || len(r.labels[v]) < rows {
			continue
		}
		left = append(left, r.names[v])
		r.names, r.labels, r.domains = slices.Delete(r.names, v, v+1), slices.Delete(r.labels, v, v+1), slices.Delete(r.domains, v, v+1)
		for _, c := range r.chains {
			c.values = slices.Delete(c.values, v, v+1)
			for at := v; at < len(r.names); at++ {
				c.notFinite[at], c.more[at] = c.notFinite[at+1], c.more[at+1]
			}
		}
	}
	if slices.Reverse(left); len(left) > 0 {
		r.notes = append(r.notes, "left out "+listed(left)+", which has another word in every row")
	}
}

// ordered gives the labels of a variable numbers by their order, and returns them in it; nil if
// there are none.
func (r *reading) ordered(variable int) []string {
	labels := r.labels[variable]
	if labels == nil {
		return nil
	}
	inOrder, number := slices.Sorted(maps.Keys(labels)), make([]float64, len(labels))
	for i, label := range inOrder {
		number[int(labels[label])] = float64(i)
	}
	for _, c := range r.chains {
		for i, v := range c.values[variable] {
			if v == v {
				c.values[variable][i] = number[int(v)]
			}
		}
	}
	return inOrder
}

// missing reports whether a cell says that there is no value, as NA does in R.
func missing(cell []byte) bool {
	return slices.ContainsFunc([]string{"na", "<na>", "nan", "+nan", "-nan"}, func(name string) bool { return strings.EqualFold(string(cell), name) })
}

// Found returns a cell for an error message.
func Found(cell []byte) string {
	switch {
	case len(cell) == 0:
		return "an empty cell"
	case bytes.EqualFold(bytes.TrimLeft(cell, "+-"), []byte("nan")):
		return "nan"
	case missing(cell):
		return string(cell) + ", a missing value"
	case bytes.ContainsRune(cell, '\u2212'):
		return quoted(cell) + ", with the minus of print, where numbers have the hyphen -"
	}
	return quoted(cell)
}

// parseDraw returns the number of a cell, which may be none or infinite. R's TRUE and FALSE are 1
// and 0.
func parseDraw(cell []byte) (v float64, ok bool) {
	if v, _, ok = draws.ParseNumber(cell); ok {
		return v, true
	}
	if v, _, ok = draws.ParseNumber([]byte(tables.Fortran(string(cell)))); ok {
		return v, true
	}
	if v, ok = parseInfinity(cell); ok {
		return v, true
	}
	if missing(cell) {
		return math.NaN(), true
	}
	return draws.ParseTruth(string(cell))
}
