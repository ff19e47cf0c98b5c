package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// maxVariables is the most columns of a text of draws.
const maxVariables = 100_000

// maxChains is the most chains of a text.
const maxChains = 10_000

// drawsText reads the rows of a text with a column for each variable.
type drawsText struct {
	*Rows
	reading  *reading
	columns  *Columns
	variable []int // by column, the place among the names of the variables, or absent for what counts rows and chains
	weight   int   // the column that says how often a draw comes, as in GetDist's chains; absent if there is none
	chains   map[string]*drawnChain
}

// header reports whether cells name columns. Cells that begin as numbers make a row of them, also
// if they are none that can be read, because the line would else be left out in silence.
func (r *reading) header(cells []string, next string) bool {
	if r.TopLine != "" {
		return r.TopLine == Yes
	}
	if CountsColumns(cells, next) {
		r.doubts = append(r.doubts, chains.NewAdvice("the first line, %s, numbers the columns and is taken as a header; if it is a row, give {header} no",
			listed(cells)))
		return true
	}
	if len(cells) > 1 && cells[0] == "" && (cells[1] == "0" || numbered(cells[1:])) { // above pandas' own numbers of the rows
		return true
	}
	return !isRow(cells) && !beginsRow(cells, next) && (r.Header == nil || r.Header(cells, next))
}

// beginsRow reports whether a cell begins as a number, so that the line names no columns, unless
// most do not and stand above a line of numbers.
func beginsRow(cells []string, next string) bool {
	words := 0
	for _, cell := range cells {
		if !tables.BeginsAsNumber(cell) {
			words++
		}
	}
	return words < len(cells) && (2*words <= len(cells) || next == "" || !isRow([]string{next}))
}

// Yes is the value of TopLine if the first line names the columns.
const Yes = "yes"

// CountsColumns reports whether cells are 0, 1, 2, ..., at least two, above numbers with decimals,
// as in a table by pandas whose columns have no names.
func CountsColumns(cells []string, next string) bool {
	return numbered(cells) && strings.Contains(next, ".")
}

// numbered reports whether cells are 0, 1, 2, ..., two or more.
func numbered(cells []string) bool { return len(cells) > 1 && tables.Counted(cells) }

func (r *reading) text(ctx context.Context, path string) error {
	rows, err := OpenRows(ctx, path, r.header, DrawsOptions{Stdin: r.Stdin, Decimal: r.Decimal, TopLine: r.TopLine})
	if err != nil {
		return err
	}
	defer rows.Close()
	return r.rows(ctx, rows)
}

func (r *reading) rows(ctx context.Context, rows *Rows) error {
	t := &drawsText{Rows: rows, reading: r, chains: map[string]*drawnChain{}}
	if err := t.weigh(ctx); err != nil {
		return err
	}
	if err := t.assign(); err != nil {
		return err
	}
	for {
		cells, err := t.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			r.notes, r.doubts = append(r.notes, t.Notes()...), append(r.doubts, t.Rows.doubts...)
			if err := t.withoutIndex(); err != nil {
				return err
			}
			t.doubt()
			return nil
		case err != nil:
			return err
		}
		if err := t.row(cells); err != nil {
			return err
		}
	}
}

// doubt says which variable of one chain may tell several apart.
func (t *drawsText) doubt() {
	if t.columns.Chain != absent || len(t.reading.Roles) > 0 || t.chains[""] == nil {
		return
	}
	for _, variable := range t.variable {
		if variable == absent || t.reading.domains[variable] != nil || t.reading.labels[variable] != nil {
			continue
		}
		var turns Turns
		for _, v := range t.chains[""].values[variable] {
			turns.Add(v)
		}
		if doubt, is := turns.Doubt(t.name, t.reading.names[variable]); is {
			t.reading.doubts = append(t.reading.doubts, doubt)
		}
	}
}

// assign finds which column is which variable, which are those of the first file.
func (t *drawsText) assign() (err error) {
	if t.Width() > maxVariables {
		return t.WrongColumns(selector.Count(t.Width(), "column"), fmt.Errorf("write at most %d", maxVariables))
	}
	given := t.names != nil
	if t.reading.Names != nil {
		t.names = t.reading.Names(t.names, t.Width())
	}
	if !given {
		t.unnamed()
	}
	own := func(name string) bool { return t.reading.Own != nil && t.reading.Own(name) }
	if t.columns, err = t.ColumnsOf(t.reading.Roles, own); err != nil {
		return err
	}
	if t.weight != absent && t.columns.Roles[t.weight] != tables.LogWeight {
		t.columns.Roles[t.weight] = tables.Weight
	}
	t.said()
	var names []string
	seen := map[string]bool{}
	for i, name := range t.names {
		place := absent
		switch {
		case t.columns.Counts(i) || i == t.weight:
		case seen[name]:
			return t.WrongColumns("two columns "+listed([]string{name}), errors.New("keep one of them"))
		default:
			seen[name], place = true, len(names)
			names = append(names, name)
		}
		t.variable = append(t.variable, place)
	}
	if len(names) == 0 {
		return t.WrongColumns("no column of a variable", errors.New("write one for each variable"))
	}
	return t.match(names)
}

// unnamed names the columns of a text that begins with a row.
func (t *drawsText) unnamed() {
	for i := len(t.names); i < t.Width(); i++ {
		t.names = append(t.names, fmt.Sprintf("V%d", i+1))
	}
	t.reading.notes = append(t.reading.notes,
		fmt.Sprintf(
			"%s: the first line is a row, so the columns are named %s; name them in a first line if they differ, and for coda's files give the index, such as CODAindex.txt",
			t.name, listed(t.names)))
}

// match gives the columns the places that their variables have in the first file. It fails if the
// files have not the same variables.
func (t *drawsText) match(names []string) error {
	r := t.reading
	if r.names == nil {
		for _, name := range names {
			r.variable(name)
		}
		for i, v := range t.variable {
			if v != absent {
				r.roles[v] = t.columns.Roles[i]
			}
		}
		return nil
	}
	place := make(map[string]int, len(r.names))
	for i, name := range r.names {
		place[name] = i
	}
	sameModel := errors.New("give chains of one model")
	for i, v := range t.variable {
		if v == absent {
			continue
		}
		at, there := place[names[v]]
		if !there {
			return t.WrongColumns("the column "+listed(names[v:v+1])+", which "+r.chains[0].source+" does not have", sameModel)
		}
		t.variable[i] = at
	}
	if len(names) < len(r.names) {
		missing := slices.IndexFunc(r.names, func(name string) bool { return !slices.Contains(names, name) })
		return t.WrongColumns("no column "+listed(r.names[missing:missing+1])+", which "+r.chains[0].source+" has", sameModel)
	}
	return nil
}

// row puts the cells of a row into their chain.
func (t *drawsText) row(cells [][]byte) error {
	name, source := "", t.name // of the chain
	if t.columns.Chain != absent {
		name = string(cells[t.columns.Chain])
		source += ", chain " + name
	}
	chain := t.chains[name]
	if chain == nil && len(t.chains) == maxChains {
		return t.Wrong(t.names[t.columns.Chain], fmt.Sprintf("more than %d chains", maxChains), errors.New("write the number of its chain in every row"))
	}
	if chain == nil {
		chain = t.reading.chain(source)
		t.chains[name] = chain
	}
	if err := t.weighed(chain, cells); err != nil {
		return err
	}
	if err := t.counted(chain, cells); err != nil {
		return err
	}
	for i, cell := range cells {
		if t.variable[i] == absent {
			continue
		}
		v, bad := t.reading.parse(t.variable[i], cell)
		if bad == nil {
			bad = t.reading.add(chain, t.variable[i], v, cell, func() string { return fmt.Sprintf("%s, line %d", t.name, t.in.number) })
		}
		if bad != nil {
			return bad.at(t.name, t.Rows.rows-1, t.in.number)
		}
	}
	return nil
}

// counted takes the count of a row.
func (t *drawsText) counted(c *drawnChain, cells [][]byte) error {
	at := t.columns.Iteration
	if at == absent || t.weight != absent {
		return nil
	}
	v, _, ok := draws.ParseNumber(cells[at])
	if !ok {
		return t.Wrong(t.names[at], Found(cells[at]), chains.NewAdvice("write the number of the draw, or give {column} %s=none", t.names[at]))
	}
	if c.count == nil && v == 0 && t.columns.Roles[at] == tables.Iteration && t.columns.Warmup == absent {
		t.reading.begins = t.names[at]
	}
	t.reading.counter = t.names[at]
	c.count = append(c.count, v)
	return nil
}

// said notes what the columns are for that are no variable, of the first file.
func (t *drawsText) said() {
	if t.reading.names != nil {
		return
	}
	var parts, left []string
	known := tables.KnownRoles()
	for i, name := range t.names {
		switch role := t.columns.Roles[i]; {
		case name == "" || i == t.weight:
		case role == tables.Variable:
			if meant := known.Of(name); t.weight == absent && (meant == tables.Weight || meant == tables.LogWeight) && len(t.names) > 1 {
				t.reading.doubts = append(t.reading.doubts, chains.NewAdvice("%s: the column %s is taken for a variable; if it has the weights of the draws, give {column} %[2]s=%s", t.name, name, meant))
			}
		case i == t.columns.Iteration || !t.columns.Counts(i) || role == tables.Chain || role == tables.Warmup:
			parts = append(parts, string(role)+": "+listed([]string{name}))
		default:
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		parts = append(parts, "left out: "+listed(left))
	}
	if len(parts) > 0 {
		t.reading.notes = append(t.reading.notes, t.name+": "+strings.Join(parts, "; "))
	}
}

// withoutIndex fails if the rows are those of a chain of coda's, one variable under another: an
// iteration that rises and begins again, and a value.
func (t *drawsText) withoutIndex() error {
	c := t.chains[""]
	if t.names[0] != "V1" || t.Width() != 2 || c == nil || t.reading.domains[0] != nil || t.reading.labels[0] != nil || len(c.values) != 2 {
		return nil
	}
	period := 0
	for i, v := range c.values[0] {
		switch {
		case v != math.Trunc(v):
			return nil
		case i > 0 && period == 0 && v == c.values[0][0]:
			period = i
		}
		if i > 0 && period == 0 && v <= c.values[0][i-1] || period > 0 && v != c.values[0][i%period] {
			return nil
		}
	}
	if n := len(c.values[0]); period < 3 || n%period != 0 {
		return nil
	}
	return t.WrongColumns(fmt.Sprintf("a chain of coda with %s of %s, one under another", selector.Count(len(c.values[0])/period, "variable"), selector.Count(period, "draw")),
		errors.New("give its index, such as CODAindex.txt, which says which rows are of which variable, or name the columns in a first line"))
}
