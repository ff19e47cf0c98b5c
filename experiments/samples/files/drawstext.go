package files

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/samples"
)

// maxVariables is the most columns of a text of draws.
const maxVariables = 100_000

// maxChains is the most chains of a text.
const maxChains = 10_000

// drawsText reads the rows of a text with a column for each variable.
type drawsText struct {
	*csvRows
	reading  *reading
	columns  []string // as the file names them
	variable []int    // by column, the place among the names of the variables, or absent for what counts rows and chains
	chainOf  int      // the column that says which chain a row is of, or absent
	chains   map[string]*drawnChain
}

// lines reads a text of draws.
func (r *reading) lines(ctx context.Context, path string, in *lines) error {
	t := &drawsText{csvRows: &csvRows{name: path, in: in}, reading: r, chains: map[string]*drawnChain{}}
	if err := checkText(ctx, path, in); err != nil {
		return err
	}
	if err := t.header(ctx); err != nil {
		return err
	}
	for {
		line, number, err := t.nextRow(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if bad := t.row(line, number); bad != nil {
			return bad.at(path, t.rows, number)
		}
		t.rows++
		if t.rows%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for _, note := range t.stan.notes() {
		r.notes = append(r.notes, path+": "+note)
	}
	return nil
}

// header finds which column is which variable, which are those of the first file.
func (t *drawsText) header(ctx context.Context) error {
	columns, err := t.begin(ctx)
	if err != nil {
		return err
	}
	bad := t.assign(columns)
	if bad != nil {
		return bad.at(t.name, -1, t.in.number)
	}
	return nil
}

func (t *drawsText) assign(columns []string) *fault {
	if t.first != nil {
		return &fault{found: "a row of numbers and no names", want: "write a first line with the names of the variables, one for each column; of coda's files give the index too, as CODAindex.txt"}
	}
	if len(columns) > maxVariables {
		return &fault{found: selector.Count(len(columns), "column"), want: fmt.Sprintf("write at most %d", maxVariables)}
	}
	var names []string
	t.chainOf = absent
	seen := map[string]int{}
	for i, name := range columns {
		name = strings.TrimSpace(name)
		t.columns = append(t.columns, name)
		switch {
		case name == ".chain" || name == "chain" && !t.stan.known:
			t.chainOf = i
		case t.counts(name):
		default:
			if t.stan.known {
				name = stanName(name)
			}
			if _, twice := seen[name]; twice {
				return &fault{found: "two columns " + listed([]string{name}), want: "keep one of them"}
			}
			seen[name] = len(names)
			names = append(names, name)
			t.variable = append(t.variable, seen[name])
			continue
		}
		t.variable = append(t.variable, absent)
	}
	if len(names) == 0 {
		return &fault{found: "no column of a variable", want: "write one for each variable"}
	}
	return t.match(names)
}

// counts reports whether a column numbers the rows, as tables of R's package posterior and of pandas have it.
func (t *drawsText) counts(name string) bool {
	return slices.Contains([]string{"", ".iteration", ".draw"}, name) || !t.stan.known && (name == "iteration" || name == "draw")
}

// match gives the columns the places that their variables have in the first file. It fails where the files have not the same variables.
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
		return &fault{found: "a comment between rows, " + quoted(line), want: "leave it out, or put it above the header"}
	}
	chain := t.chains[""]
	if t.chainOf != absent {
		cells, bad := t.cells(line)
		if bad != nil || len(cells) != len(t.columns) {
			return t.ragged(line, len(t.columns))
		}
		chain = t.chains[cells[t.chainOf]]
		if chain == nil && len(t.chains) == maxChains {
			return &fault{column: t.columns[t.chainOf], found: fmt.Sprintf("more than %d chains", maxChains), want: "write the number of its chain in every row"}
		}
		if chain == nil {
			chain = t.begun(cells[t.chainOf], t.name+", chain "+cells[t.chainOf])
		}
	} else if chain == nil {
		chain = t.begun("", t.name)
	}
	place := func() string { return fmt.Sprintf("%s, line %d", t.name, number) }
	rest, more := line, true
	for i, variable := range t.variable {
		if !more {
			return t.ragged(line, len(t.columns))
		}
		var cell []byte
		var bad *fault
		if cell, rest, more, bad = t.cut(rest); bad != nil {
			return bad.in(t.columns[i])
		}
		if variable == absent {
			continue
		}
		v, bad := t.reading.parse(variable, cell)
		if bad == nil {
			bad = t.reading.add(chain, variable, v, place)
		} else if r := t.ragged(line, len(t.columns)); r != nil {
			return r
		} else if string(cell) == t.columns[i] {
			bad = &fault{found: "the header again", want: "give every chain as a file of its own"}
		}
		if bad != nil {
			return bad
		}
	}
	if more {
		return t.ragged(line, len(t.columns))
	}
	return nil
}

// begun returns a new chain of a name in this file.
func (t *drawsText) begun(name, source string) *drawnChain {
	c := t.reading.chain(source)
	t.chains[name] = c
	return c
}

// parseDraw returns the number of a cell, which may be none or infinite.
func parseDraw(cell []byte) (float64, *fault) {
	if v, _, ok := samples.ParseNumber(cell); ok {
		return v, nil
	}
	if v, ok := parseInfinity(cell); ok {
		return v, nil
	}
	switch strings.ToLower(strings.TrimLeft(string(cell), "+-")) {
	case "nan", "na":
		return math.NaN(), nil
	case "":
		return 0, &fault{found: "an empty cell", want: "write a number"}
	}
	bad := &fault{found: quoted(cell), want: "write a number"}
	if strings.ContainsRune(string(cell), ',') {
		bad.want = "write decimals with a point"
	}
	return 0, bad
}
