package files

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
)

// long is a table in which several rows are one draw, as R's packages tidybayes, ggmcmc and
// bayesplot and Python's xarray write them: columns of indices tell its variables apart.
type long struct {
	*reading
	draws   [][][]int  // by chain and draw, its rows
	rows    int        // of a draw
	indices []int      // the variables that are indices, that of names first
	places  [][]string // by row of a draw, the texts of its indices
	words   [][]string // by variable, the labels by their numbers
}

// widen gives every draw of a long table one row. It does nothing to others.
func (r *reading) widen() *Error {
	l := &long{reading: r}
	for _, labels := range r.labels {
		words := make([]string, len(labels))
		for label, at := range labels {
			words[int(at)] = label
		}
		l.words = append(l.words, words)
	}
	for _, c := range r.chains {
		if c.count == nil {
			l.occurrences(c)
		}
		if c.count == nil {
			return nil
		}
	}
	if !slices.Contains(l.roles, tables.Name) && !slices.ContainsFunc(r.chains, func(c *drawnChain) bool { return !rises(c.count) }) {
		return nil
	}
	if bad := l.group(); bad != nil || l.rows == 1 && !slices.Contains(l.roles, tables.Name) {
		return bad
	}
	if bad := l.find(); bad != nil {
		return bad
	}
	if bad := l.order(); bad != nil {
		return bad
	}
	columns := l.spread()
	if len(columns) == 0 {
		return l.unclear(r.chains[0], l.draws[0][0])
	}
	l.take(columns)
	return nil
}

// rises reports whether every number is above the one before it.
func rises(count []float64) bool {
	for i := 1; i < len(count); i++ {
		if count[i] <= count[i-1] {
			return false
		}
	}
	return true
}

// occurrences counts the rows of a table that names the variable of each row, and does not count
// its draws: the first row of each variable is of the first draw.
func (l *long) occurrences(c *drawnChain) {
	var by []int
	for v, role := range l.roles {
		if role == tables.Name || role == tables.Index {
			by = append(by, v)
		}
	}
	if by == nil {
		return
	}
	seen := map[string]float64{}
	for row := range c.values[0] {
		key := strings.Join(l.texts(c, row, by), "\x00")
		seen[key]++
		c.count = append(c.count, seen[key])
	}
	l.counter = "draw"
}

// group finds the rows of each draw.
func (l *long) group() *Error {
	for _, c := range l.chains {
		at := map[float64]int{}
		var draws [][]int
		for row, n := range c.count {
			place, known := at[n]
			if !known {
				place = len(draws)
				at[n], draws = place, append(draws, nil)
			}
			draws[place] = append(draws[place], row)
		}
		for _, rows := range draws {
			if l.rows = max(l.rows, len(rows)); len(rows) != len(draws[0]) || len(rows) != l.rows {
				return l.unclear(c, rows)
			}
		}
		l.draws = append(l.draws, draws)
	}
	return nil
}

// unclear is the fault of rows of one draw that nothing tells apart.
func (l *long) unclear(c *drawnChain, rows []int) *Error {
	return advised(fmt.Sprintf("%s with %s %v", selector.Count(len(rows), "row"), l.counter, c.count[rows[0]]),
		chains.NewAdvice("if each row is a draw, give {column} %s=none, or {column} NAME=chain if a column tells chains apart; if several rows are one draw, each draw needs as many, and {column} NAME=index names what tells its variables apart",
			l.counter)).at(c.source, -1, 0)
}

// find finds the indices: those that are named, or else the fewest columns, words first, that have
// the same values in every draw and together tell its rows apart.
func (l *long) find() *Error {
	var words, numbers []int
	for v := range l.names {
		switch role := l.roles[v]; {
		case role == tables.Name:
			l.indices = append([]int{v}, l.indices...)
		case role == tables.Index:
			l.indices = append(l.indices, v)
		case role != tables.Variable || l.domains[v] != nil || !l.same(v):
		case l.labels[v] != nil:
			words = append(words, v)
		default:
			numbers = append(numbers, v)
		}
	}
	apart := l.classes(l.indices)
	for _, v := range append(words, numbers...) {
		if apart == l.rows {
			break
		}
		if finer := l.classes(append(l.indices, v)); finer > apart {
			apart, l.indices = finer, append(l.indices, v)
		}
	}
	if apart < l.rows {
		return l.unclear(l.chains[0], l.draws[0][0])
	}
	return nil
}

// same reports whether a variable has the same values in every draw, in whatever order. A single
// draw says it of words alone.
func (l *long) same(v int) bool {
	if len(l.draws) == 1 && len(l.draws[0]) == 1 {
		return l.labels[v] != nil
	}
	var first []float64
	for c, draws := range l.draws {
		for _, rows := range draws {
			var values []float64
			for _, row := range rows {
				values = append(values, l.chains[c].values[v][row])
			}
			slices.Sort(values)
			if first == nil {
				first = values
			}
			if !slices.Equal(first, values) {
				return false
			}
		}
	}
	return true
}

// classes returns how many rows of the first draw some variables tell apart.
func (l *long) classes(by []int) int {
	seen := map[string]bool{}
	for _, row := range l.draws[0][0] {
		seen[strings.Join(l.texts(l.chains[0], row, by), "\x00")] = true
	}
	return len(seen)
}

// texts returns the values of some variables in a row, as they stand in the name of a variable.
func (l *long) texts(c *drawnChain, row int, by []int) (texts []string) {
	for _, v := range by {
		value := c.values[v][row]
		if l.labels[v] != nil && value == value {
			texts = append(texts, l.words[v][int(value)])
		} else {
			texts = append(texts, strconv.FormatFloat(value, 'g', -1, 64))
		}
	}
	return texts
}

// order gives the rows of every draw the order that they have in the first one.
func (l *long) order() *Error {
	at := map[string]int{}
	for _, row := range l.draws[0][0] {
		texts := l.texts(l.chains[0], row, l.indices)
		at[strings.Join(texts, "\x00")] = len(l.places)
		l.places = append(l.places, texts)
	}
	for k, draws := range l.draws {
		for i, rows := range draws {
			ordered := slices.Repeat([]int{absent}, l.rows)
			for _, row := range rows {
				if place, known := at[strings.Join(l.texts(l.chains[k], row, l.indices), "\x00")]; known {
					ordered[place] = row
				}
			}
			if slices.Contains(ordered, absent) {
				return l.unclear(l.chains[k], rows)
			}
			draws[i] = ordered
		}
	}
	return nil
}

// longColumn is a variable of one row of each draw.
type longColumn struct {
	name       string
	old, place int
}

// spread makes a variable of each variable with each of its indices. One that is the same for all
// values of an index has not that index, and one that is the same in every draw is left out.
func (l *long) spread() (columns []longColumn) {
	var left []string
	for v := range l.names {
		if slices.Contains(l.indices, v) {
			continue
		}
		if l.roles[v] == tables.Variable && l.domains[v] == nil && l.same(v) {
			left = append(left, l.names[v])
			continue
		}
		by := make([]bool, len(l.indices))
		for i := range by {
			by[i] = true
		}
		for i, index := range l.indices {
			by[i] = l.roles[index] == tables.Name || l.depends(v, i, by)
		}
		known := map[string]bool{}
		for place, texts := range l.places {
			if name := l.nameOf(v, texts, by); !known[name] {
				known[name] = true
				columns = append(columns, longColumn{name, v, place})
			}
		}
	}
	if len(left) > 0 {
		l.notes = append(l.notes, "left out "+listed(left)+", whose values are the same in every draw")
	}
	return columns
}

// depends reports whether rows that differ in one index alone, of those that count, ever differ in
// a variable.
func (l *long) depends(v, index int, by []bool) bool {
	first := map[string]int{}
	for place, texts := range l.places {
		key := ""
		for i, text := range texts {
			if by[i] && i != index {
				key += text + "\x00"
			}
		}
		other, known := first[key]
		if !known {
			first[key] = place
			continue
		}
		for k, draws := range l.draws {
			values := l.chains[k].values[v]
			for _, rows := range draws {
				if a, b := values[rows[place]], values[rows[other]]; a != b && (a == a || b == b) {
					return true
				}
			}
		}
	}
	return false
}

// nameOf returns the name of a variable with those indices that it depends on.
func (l *long) nameOf(v int, texts []string, by []bool) string {
	name, parts := l.names[v], []string(nil)
	for i, text := range texts {
		switch {
		case l.roles[l.indices[i]] == tables.Name && l.roles[v] == tables.Value:
			name = text
		case by[i]:
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return name
	}
	return name + "[" + strings.Join(parts, ",") + "]"
}

// take puts the values of the long table into columns.
func (l *long) take(columns []longColumn) {
	old := *l.reading
	l.names, l.domains, l.known, l.labels, l.numbered, l.roles = nil, nil, nil, nil, nil, nil
	for at, c := range columns {
		l.variable(c.name)
		l.labels[at] = maps.Clone(old.labels[c.old])
	}
	for k, c := range l.chains {
		values, notFinite, more := make([][]float64, len(columns)), map[int]string{}, map[int]int{}
		for i, column := range columns {
			for _, rows := range l.draws[k] {
				v := c.values[column.old][rows[column.place]]
				values[i] = append(values[i], v)
				switch {
				case v-v == 0:
				case notFinite[i] == "":
					notFinite[i] = c.notFinite[column.old]
				default:
					more[i]++
				}
			}
		}
		c.values, c.notFinite, c.more = values, notFinite, more
	}
}
