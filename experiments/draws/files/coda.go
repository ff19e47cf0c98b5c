package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/draws"
)

// codaIndex is what the index of coda's files says: which lines of each chain belong to which
// variable.
//
// Source: the format of BUGS, OpenBUGS and JAGS, as R's package coda reads it.
type codaIndex struct {
	path      string
	variables []codaVariable
}

// codaVariable is a line of the index.
type codaVariable struct {
	name        string
	first, last int // lines of the chain, counted from 1
	line        int // of the index
}

// draws returns how many draws a chain has, which are the same for all variables.
func (x *codaIndex) draws() int { return x.variables[0].last - x.variables[0].first + 1 }

// lines returns how many lines a chain has.
func (x *codaIndex) lines() int {
	last := 0
	for _, v := range x.variables {
		last = max(last, v.last)
	}
	return last
}

// isCodaIndex reports whether the name of a file is that of an index.
func isCodaIndex(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), packedEnding)
	return strings.HasSuffix(name, "index.txt") || filepath.Ext(name) == ".ind"
}

// packedEnding is the ending of files that gzip has compressed.
const packedEnding = ".gz"

// codaChains returns the chains beside an index: those that are numbered from 1 on, as
// CODAchain1.txt and codachain1.txt, or coda1.txt beside codaIndex.txt, and the one named .out
// beside an index .ind.
func codaChains(index string) ([]string, error) {
	if packed := len(index) - len(packedEnding); strings.EqualFold(index[max(0, packed):], packedEnding) {
		index = index[:packed]
	}
	forms := []string{index[:len(index)-len(filepath.Ext(index))] + ".out"}
	if strings.EqualFold(filepath.Ext(index), ".txt") {
		stem := index[:len(index)-len("index.txt")]
		forms = []string{stem + "chain%d.txt", stem + "%d.txt"}
	}
	if found := numberedFiles(forms); found != nil {
		return found, nil
	}
	bad := &fault{found: "no chain beside it, as " + strings.Replace(forms[0], "%d", "1", 1),
		want: "put the chains into the folder of the index, or give them as well"}
	return nil, bad.at(index, -1, 0)
}

// numberedFiles returns the files of the first form of names that has any: those that are numbered
// from 1 on where %d stands, packed or not.
func numberedFiles(forms []string) []string {
	for _, form := range forms {
		var found []string
		for k := 1; k <= maxChains; k++ {
			path := strings.Replace(form, "%d", strconv.Itoa(k), 1)
			if isMissing(path) {
				path += packedEnding
			}
			if isMissing(path) {
				break
			}
			if found = append(found, path); !strings.Contains(form, "%d") {
				break
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// isMissing reports whether there is no file of a path.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// readCodaIndex reads an index. It fails if the lines of two variables overlap, where some belong
// to none, and where variables do not have as many as each other.
func readCodaIndex(ctx context.Context, path string) (*codaIndex, error) {
	file, err := selector.OpenFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseCodaIndex(ctx, path, linesOf(path, file))
}

func parseCodaIndex(ctx context.Context, path string, in *lines) (*codaIndex, error) {
	x := &codaIndex{path: path}
	err := in.each(ctx, path, func(line []byte) *fault {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		return x.add(line, in.number)
	})
	if err != nil {
		return nil, err
	}
	if len(x.variables) == 0 {
		return nil, (&fault{found: "no variables", want: codaIndexForm}).at(path, -1, 0)
	}
	return x, x.check()
}

// codaIndexForm is what a line of an index has.
const codaIndexForm = "write the name of a variable, and its first and last line in the files of the chains, as in alpha 1 1000"

func (x *codaIndex) add(line []byte, number int) *fault {
	cells := bytes.Fields(line)
	if len(cells) < 3 {
		return &fault{found: quoted(line), want: codaIndexForm}
	}
	v := codaVariable{line: number, name: strings.Trim(string(bytes.Join(cells[:len(cells)-2], []byte(" "))), `"`)}
	for i, to := range []*int{&v.first, &v.last} {
		n, err := strconv.Atoi(string(cells[len(cells)-2+i]))
		if err != nil || n < 1 || float64(n) > maxFile {
			return &fault{found: quoted(line), want: codaIndexForm}
		}
		*to = n
	}
	switch {
	case v.first > v.last:
		return &fault{column: v.name, found: fmt.Sprintf("a first line %d after its last, %d", v.first, v.last), want: codaIndexForm}
	case v.name == "":
		return &fault{found: quoted(line), want: codaIndexForm}
	case len(x.variables) == maxVariables:
		return &fault{found: fmt.Sprintf("more than %d variables", maxVariables), want: "monitor fewer"}
	}
	x.variables = append(x.variables, v)
	return nil
}

// check compares the lines of the variables with one another.
func (x *codaIndex) check() error {
	names := map[string]bool{}
	for _, v := range x.variables {
		if names[v.name] {
			return (&fault{found: "the variable " + v.name + " twice", want: "keep one of them"}).at(x.path, -1, v.line)
		}
		names[v.name] = true
	}
	byLines := slices.Clone(x.variables)
	slices.SortStableFunc(byLines, func(a, b codaVariable) int { return a.first - b.first })
	before := codaVariable{name: "the beginning of the chain"}
	for _, v := range byLines {
		var bad *fault
		switch n := v.last - v.first + 1; {
		case v.first <= before.last:
			bad = &fault{found: fmt.Sprintf("line %d as its first, which belongs to %s, lines %d to %d", v.first, before.name, before.first, before.last),
				want: "give every variable lines of its own"}
		case v.first > before.last+1:
			bad = &fault{found: fmt.Sprintf("line %d as its first, but no variable has line %d, which follows %s", v.first, before.last+1, before.name),
				want: "name the variable of the lines between"}
		case n != x.draws():
			bad = &fault{found: fmt.Sprintf("%s, but %s has %d", selector.Count(n, "draw"), x.variables[0].name, x.draws()),
				want: "monitor all variables from the same iteration and with the same thinning"}
		}
		if bad != nil {
			return bad.in(v.name).at(x.path, -1, v.line)
		}
		before = v
	}
	return nil
}

// codaCell takes the cell of a draw, both counted from 0, on a line of a chain.
type codaCell func(variable, draw int, cell []byte, line int) *fault

func (x *codaIndex) readChain(ctx context.Context, path string, take codaCell) error {
	file, err := selector.OpenFile(path, maxFile)
	if err != nil {
		return err
	}
	defer file.Close()
	// A line has at least two digits, a blank between them and an end.
	if most := (file.Size() + 1) / 4; int64(x.lines()) > most && !file.Packed() {
		return x.short(fmt.Sprintf("%d bytes, which hold at most %d lines", file.Size(), most)).at(path, -1, 0)
	}
	return x.parseChain(ctx, path, linesOf(path, file), take)
}

// short is the fault of a chain that has fewer lines than the index says.
func (x *codaIndex) short(found string) *fault {
	return &fault{found: fmt.Sprintf("%s, but %s has variables on the lines up to %d", found, x.path, x.lines()),
		want: "give the index of this chain, after the run has finished"}
}

func (x *codaIndex) parseChain(ctx context.Context, path string, in *lines, take codaCell) error {
	c := codaChain{order: make([]int, len(x.variables)), take: take, codaIndex: x}
	for i := range c.order {
		c.order[i] = i
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return x.variables[a].first - x.variables[b].first })
	if err := in.each(ctx, path, func(line []byte) *fault { return c.line(line, in.number) }); err != nil {
		return err
	}
	if in.number < x.lines() {
		return x.short(selector.Count(in.number, "line")).at(path, -1, 0)
	}
	return nil
}

// codaChain is a chain that is being read, variable by variable.
type codaChain struct {
	*codaIndex
	order       []int // of the variables on the lines of the chain
	at          int   // the place in that order
	first, step int   // the iterations of the variable that comes first
	take        codaCell
}

func (c *codaChain) line(line []byte, number int) *fault {
	cells := bytes.Fields(line)
	if number > c.lines() {
		if len(cells) == 0 {
			return nil
		}
		return &fault{found: "a line after the last of the index, which is line " + strconv.Itoa(c.lines()), want: "give the index of this chain, " +
			c.path + " is not it"}
	}
	if number > c.variables[c.order[c.at]].last {
		c.at++
	}
	variable := c.order[c.at]
	v := c.variables[variable]
	if len(cells) != 2 {
		return &fault{column: v.name, found: quoted(line), want: "write an iteration and a value on every line"}
	}
	iteration, _, ok := draws.ParseNumber(cells[0])
	if !ok || iteration != float64(int(iteration)) {
		return &fault{column: v.name, found: "the iteration " + quoted(cells[0]), want: "write a whole number"}
	}
	draw := number - v.first
	if bad := c.iteration(variable, draw, int(iteration)); bad != nil {
		return bad.in(v.name)
	}
	return c.take(variable, draw, cells[1], number)
}

// iteration compares the number of a draw's iteration with those of the variable that comes first,
// which rise in equal steps. Where the index is wrong one variable goes on where the next one has
// begun.
func (c *codaChain) iteration(variable, draw, iteration int) *fault {
	if variable == c.order[0] && draw == 0 {
		c.first = iteration
	}
	if variable == c.order[0] && draw == 1 {
		c.step = iteration - c.first
	}
	if want := c.first + draw*c.step; iteration != want || draw == 1 && c.step < 1 {
		return &fault{
			found: fmt.Sprintf("iteration %d as draw %d of the variable, but %s has %d", iteration, draw+1, c.variables[c.order[0]].name, want),
			want:  "give the index of this chain; iterations must rise in equal steps and be the same for all variables",
		}
	}
	return nil
}

// coda reads the draws of coda's files: the chains beside the index, or those that are given.
func (r *reading) coda(ctx context.Context, paths []string) error {
	at := slices.IndexFunc(paths, isCodaIndex)
	chains := slices.Delete(slices.Clone(paths), at, at+1)
	if other := slices.IndexFunc(chains, isCodaIndex); other >= 0 {
		return (&fault{found: "a second index beside " + paths[at], want: "give one index and its chains"}).at(chains[other], -1, 0)
	}
	index, err := readCodaIndex(ctx, paths[at])
	if err == nil && len(chains) == 0 {
		chains, err = codaChains(paths[at])
	}
	if err != nil {
		return err
	}
	var names []string
	for _, v := range index.variables {
		names = append(names, v.name)
	}
	for _, name := range r.named(names) {
		r.variable(name)
	}
	for _, path := range chains {
		c := r.chain(path)
		err := index.readChain(ctx, path, func(variable, _ int, cell []byte, line int) *fault {
			v, bad := r.parse(variable, cell)
			if bad != nil {
				return bad
			}
			return r.add(c, variable, v, cell, func() string { return fmt.Sprintf("%s, line %d", path, line) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// codaRows reads the rows of coda's files: a row has a value of each variable. Chains follow one
// another.
type codaRows struct {
	index  *codaIndex
	fields []field
	chains []string   // that are not yet read
	path   string     // of the chain whose cells are here
	cells  [][]string // by variable, those of the columns that are used
	at     int        // the next row of that chain
	rows   int        // how many rows have been read
}

// maxCodaCells is the most cells of a chain, which stand in memory as the file gives them.
const maxCodaCells = 1 << 22

// openCoda reads an index and finds the chains beside it.
func openCoda(ctx context.Context, path string, o Options) (*codaRows, *layout, error) {
	index, err := readCodaIndex(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, v := range index.variables {
		names = append(names, v.name)
	}
	l, bad := namedLayout("the variables ", names, o)
	if bad != nil {
		return nil, nil, bad.at(path, -1, 0)
	}
	chains, err := codaChains(path)
	if err != nil {
		return nil, nil, err
	}
	return &codaRows{index: index, fields: l.fields, chains: chains}, l, nil
}

func (c *codaRows) decode(ctx context.Context, t *table, limit int) (int, error) {
	for n := range limit {
		if c.path == "" || c.at == c.index.draws() {
			err := c.load(ctx)
			if n > 0 && err != nil {
				return n, nil // what stopped it is found again by the next call
			}
			if err != nil {
				return 0, err
			}
		}
		if bad, line := c.row(t, n); bad != nil {
			return n, bad.at(c.path, c.rows, line)
		}
		c.at++
		c.rows++
	}
	return limit, nil
}

// load reads the next chain, and returns io.EOF after the last.
func (c *codaRows) load(ctx context.Context) error {
	if len(c.chains) == 0 {
		return io.EOF
	}
	path, cells, total := c.chains[0], make([][]string, len(c.fields)), 0
	err := c.index.readChain(ctx, path, func(variable, _ int, cell []byte, _ int) *fault {
		if !c.fields[variable].used {
			return nil
		}
		if total++; total > maxCodaCells {
			return tooMany(maxCodaCells)
		}
		cells[variable] = append(cells[variable], string(cell))
		return nil
	})
	if err != nil {
		return err
	}
	c.chains, c.path, c.cells, c.at = c.chains[1:], path, cells, 0
	return nil
}

// row puts the next draw of the chain into a row of the table.
func (c *codaRows) row(t *table, row int) (bad *fault, line int) {
	for i := range c.fields {
		if f := &c.fields[i]; f.used {
			if bad = t.setCell(f, row, []byte(c.cells[i][c.at])); bad != nil {
				return bad, c.index.variables[i].first + c.at
			}
		}
	}
	return t.checkEnds(row), 0
}
