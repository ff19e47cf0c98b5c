package files

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/data/samples"
)

// maxVariables is the most columns of a text of draws.
const maxVariables = 100_000

// maxChains is the most chains of a text.
const maxChains = 10_000

// drawsText reads the rows of a text with a column for each variable.
type drawsText struct {
	*csvRows
	reading  *reading
	variable []int // by column, the place among the names of the variables, or absent for what counts rows and chains
	chainOf  int   // the column that says which chain a row is of, or absent
	chains   map[string]*drawnChain
}

func (r *reading) lines(ctx context.Context, path string, in *lines) error {
	t := &drawsText{csvRows: &csvRows{textRows: textRows{name: path, in: in}}, reading: r, chains: map[string]*drawnChain{}, chainOf: absent}
	if err := t.begin(ctx); err != nil {
		return err
	}
	if bad := t.assign(); bad != nil {
		return bad.at(t.name, -1, t.in.number)
	}
	if err := t.all(ctx, t.row); err != nil {
		return err
	}
	for _, note := range t.stan.notes() {
		r.notes = append(r.notes, path+": "+note)
	}
	return nil
}

// assign finds which column is which variable, which are those of the first file.
func (t *drawsText) assign() *fault {
	if t.first != nil {
		t.unnamed()
	}
	if len(t.columns) > maxVariables {
		return &fault{found: selector.Count(len(t.columns), "column"), want: fmt.Sprintf("write at most %d", maxVariables)}
	}
	var names []string
	seen := map[string]bool{}
	for i, name := range t.columns {
		name, place := strings.TrimSpace(name), absent
		t.columns[i] = name
		switch {
		case name == ".chain" || name == "chain" && !t.stan.known:
			t.chainOf = i
		case t.counts(name):
		default:
			if t.stan.known {
				name = stanName(name)
			}
			if seen[name] {
				return &fault{found: "two columns " + listed([]string{name}), want: "keep one of them"}
			}
			seen[name], place = true, len(names)
			names = append(names, name)
		}
		t.variable = append(t.variable, place)
	}
	if len(names) == 0 {
		return &fault{found: "no column of a variable", want: "write one for each variable"}
	}
	return t.match(names)
}

// unnamed names the columns of a text that begins with a row.
func (t *drawsText) unnamed() {
	n := len(t.columns)
	var names []string
	if t.reading.Unnamed != nil {
		names = t.reading.Unnamed(n)
	}
	for i := len(names); i < n; i++ {
		names = append(names, fmt.Sprintf("V%d", i+1))
	}
	t.columns = names
	t.reading.notes = append(t.reading.notes, fmt.Sprintf("%s: the first line is a row, so the columns are named %s; name them in a first line if they differ, and for coda's files give the index, such as CODAindex.txt", t.name, listed(names)))
}

// counts reports whether a column numbers the rows, as tables of R's package posterior and of pandas have it.
func (t *drawsText) counts(name string) bool {
	return slices.Contains([]string{"", ".iteration", ".draw"}, name) || !t.stan.known && (name == "iteration" || name == "draw")
}

// match gives the columns the places that their variables have in the first file. It fails if the files have not the same variables.
func (t *drawsText) match(names []string) *fault {
	r := t.reading
	if r.names == nil {
		for _, name := range names {
			r.variable(name)
		}
		return nil
	}
	place := make(map[string]int, len(r.names))
	for i, name := range r.names {
		place[name] = i
	}
	for i, v := range t.variable {
		if v == absent {
			continue
		}
		at, there := place[names[v]]
		if !there {
			return &fault{found: "the column " + listed(names[v:v+1]) + ", which " + r.chains[0].source + " does not have", want: "give chains of one model"}
		}
		t.variable[i] = at
	}
	if len(names) < len(r.names) {
		missing := slices.IndexFunc(r.names, func(name string) bool { return !slices.Contains(names, name) })
		return &fault{found: "no column " + listed(r.names[missing:missing+1]) + ", which " + r.chains[0].source + " has", want: "give chains of one model"}
	}
	return nil
}

// row puts a line into its chain.
func (t *drawsText) row(line []byte, number int) *fault {
	if line[0] == '#' {
		return commentBetween(line, "header")
	}
	name, source := "", t.name // of the chain
	if t.chainOf != absent {
		cells, bad := t.cells(line)
		if bad != nil || len(cells) != len(t.columns) {
			return t.ragged(line)
		}
		name = cells[t.chainOf]
		source += ", chain " + name
	}
	chain := t.chains[name]
	if chain == nil && len(t.chains) == maxChains {
		return &fault{column: t.columns[t.chainOf], found: fmt.Sprintf("more than %d chains", maxChains), want: "write the number of its chain in every row"}
	}
	if chain == nil {
		chain = t.reading.chain(source)
		t.chains[name] = chain
	}
	place := func() string { return fmt.Sprintf("%s, line %d", t.name, number) }
	return t.each(line, "header", func(i int, cell []byte) *fault {
		if t.variable[i] == absent {
			return nil
		}
		v, bad := t.reading.parse(t.variable[i], cell)
		switch {
		case bad == nil:
			return t.reading.add(chain, t.variable[i], v, place)
		case string(cell) == t.columns[i]:
			return &fault{found: "the header again", want: "give every chain as a file of its own"}
		}
		return bad
	})
}

// parseDraw returns the number of a cell, which may be none or infinite.
func parseDraw(cell []byte) (float64, *fault) {
	if v, _, ok := samples.ParseNumber(cell); ok {
		return v, nil
	}
	if v, ok := parseInfinity(cell); ok {
		return v, nil
	}
	if text := strings.ToLower(strings.TrimLeft(string(cell), "+-")); text == "nan" || text == "na" {
		return math.NaN(), nil
	}
	return 0, notNumber(cell, "write a number")
}
