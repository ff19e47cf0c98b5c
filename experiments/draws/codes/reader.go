package codes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws/files"
)

// Reader reads states, one a row.
type Reader struct {
	*files.Table
	// whether every row says how often its state was drawn, so that nothing is known of their order
	Counted bool
	// Weighted says whether every row has the weight of its draw, which Readers.LogWeight returns.
	Weighted bool

	codes     *Codes
	columns   *files.Columns // what the columns are for; nil of a table without names
	chainNow  string         // what the column of chains said of the last row
	chainName string         // the name of that chain
	state     int            // the column of the state; -1 if there is one for each variable
	count     int            // that of counts; -1 if there is none
	logWeight float64        // of the last row
	axes      []int          // the column of each axis
	seen      []int          // the column of each observed variable; -1 if it has none
	known     map[string]int // what was read before
	// 1 more than the state of each whole number of an array that was read before; 0 of others
	whole []int32
}

// Open opens a file as files.OpenTable does. An array has the shape (chains, draws), a row for each
// draw with its coordinates, or that of Shape. The caller closes it.
func (c *Codes) Open(ctx context.Context, path string) (*Reader, error) {
	t, err := files.OpenTable(ctx, path, files.TableOptions{
		Roles:    c.Roles,
		Row:      c.isRow,
		Chains:   true,
		Shape:    c.Shape,
		Content:  c.Content,
		Elements: c.elements,
		Sides:    max(1, len(c.Axes)),
	})
	return c.reader(t, err)
}

// elements returns the names of the numbers of a draw in an array: a state, or its coordinates.
func (c *Codes) elements(n int) []string {
	switch n {
	case 1:
		return []string{stateColumn}
	case len(c.Axes):
		return c.axisNames()
	}
	return nil
}

func (c *Codes) axisNames() (names []string) {
	for _, a := range c.Axes {
		names = append(names, a.Name)
	}
	return names
}

// Stream reads a stream, which may be endless. A call returns at once when its context ends.
func (c *Codes) Stream(ctx context.Context, name string, in io.Reader) (*Reader, error) {
	t, err := files.StreamTable(ctx, name, in, files.TableOptions{Roles: c.Roles, Row: c.isRow})
	return c.reader(t, err)
}

func (c *Codes) reader(t *files.Table, err error) (*Reader, error) {
	if err != nil {
		return nil, err
	}
	r := &Reader{Table: t, codes: c, state: -1, count: -1, known: map[string]int{}, chainName: t.Name()}
	r.axes = slices.Repeat([]int{-1}, len(c.Axes))
	r.seen = slices.Repeat([]int{-1}, len(c.Observed))
	if t.Names() != nil {
		err = r.findColumns()
	} else if t.Width() == 1 {
		r.state = 0
	} else { // the coordinates
		for k := range r.axes {
			r.axes[k] = k
		}
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return r, nil
}

// own reports whether a column is a variable, whatever else its name may say.
func (c *Codes) own(name string) bool {
	return c.findVariable(c.Axes, name) >= 0 || c.findVariable(c.Observed, name) >= 0
}

// findColumns finds what the columns are by their names.
func (r *Reader) findColumns() error {
	given := maps.Clone(r.codes.Roles)
	if given == nil {
		given = files.Roles{}
	}
	for _, name := range r.Names() {
		if meant := r.codes.Meant(name); meant != name && given[name] == "" {
			given[name] = meant
		}
	}
	if alone := r.Names()[0]; r.Width() == 1 && tables.RoleOf(alone) == tables.Draw && given[alone] == "" {
		given[alone] = string(tables.State) // which has nothing to count
	}
	var err error
	r.columns, err = r.Columns(
		files.Reading{Given: given, Own: r.codes.own, Names: r.codes.axisNames(), Takes: []tables.Role{
			tables.State, tables.Count, tables.Weight, tables.LogWeight, tables.Chain, tables.Iteration,
			tables.Draw, tables.Warmup}},
	)
	if err != nil {
		return err
	}
	some := false
	for i, role := range r.columns.Roles {
		if role != tables.Variable {
			continue
		}
		name := r.columns.Names[i]
		to := r.seen
		at := r.codes.findVariable(r.codes.Observed, name)
		if axis := r.codes.findVariable(r.codes.Axes, name); axis >= 0 {
			to = r.axes
			at = axis
			some = true
		}
		if to[at] >= 0 {
			return r.WrongColumns("two columns of "+name, "keep one of them")
		}
		to[at] = i
	}
	r.state = r.columns.Find(tables.State)
	r.count = r.columns.Find(tables.Count)
	r.Counted = r.count >= 0
	r.Weighted = r.columns.Weight >= 0
	if r.Counted && r.Weighted {
		return r.WrongColumns("counts and weights",
			"give either a row with a weight for each draw, or counts; {column} NAME=none leaves a column out")
	}
	missing := slices.Index(r.axes, -1)
	switch {
	case r.state >= 0 && some:
		return r.WrongColumns("the column state and others of its coordinates",
			"keep one of them; {column} NAME=none leaves a column out")
	case r.state >= 0 || len(r.axes) > 0 && missing < 0:
		return nil
	case some:
		return r.WrongColumns("no column "+r.codes.Axes[missing].Name,
			"write one for each variable, or a column state; {column} NAME=%s says which it is",
			r.codes.Axes[missing].Name)
	}
	return r.WrongColumns("the columns "+selector.Listed(r.Names()), "name them %s", r.codes.layouts())
}

// layouts says which columns there may be.
func (c *Codes) layouts() string {
	text := "state"
	if len(c.Axes) > 0 {
		text += ", or " + selector.Listed(c.axisNames())
	}
	return text + ", or state and count; write labels with commas or blanks in quotation marks"
}

// mostKnown is how many texts are remembered with their states.
const mostKnown = 1 << 16

// Next returns the next state and its count (one if the file has no counts), and io.EOF after the
// last.
func (r *Reader) Next(ctx context.Context) (x, count int, err error) {
	cells, err := r.Table.Next(ctx)
	if err != nil {
		return 0, 0, err
	}
	if r.columns != nil {
		if err := r.beside(cells); err != nil {
			return 0, 0, err
		}
	}
	count = 1
	if r.count >= 0 {
		v, ok := cells[r.count].Integer()
		if !ok || v < 0 || v > 1<<50 {
			return 0, 0, r.Wrong(r.columns.Names[r.count], cells[r.count].Found(),
				"write a whole number of draws from 0 to 2^50")
		}
		count = int(v)
	}
	if r.state >= 0 {
		x, err = r.one(cells[r.state])
		return x, count, err
	}
	for k, at := range r.axes {
		c, err := r.codes.Coordinate(r.codes.Axes[k], r.codes.Sides[k], string(cells[at].Text()))
		if err != nil {
			return 0, 0, r.WrongCell(r.codes.Axes[k].Name, cells[at].Found(), err)
		}
		x = x*r.codes.Sides[k] + c
	}
	return x, count, nil
}

// beside reads what stands beside the state in a row: observed values, the chain, the number of the
// draw and its weight.
func (r *Reader) beside(cells []files.Cell) error {
	for k, at := range r.seen {
		if at < 0 {
			continue
		}
		was := r.codes.Observed[k]
		if _, err := r.codes.Coordinate(was, 1, string(cells[at].Text())); err != nil {
			return r.Wrong(was.Name, cells[at].Found(),
				"the evidence of the target is %s=%s: give draws with the same evidence, or delete the column",
				was.Name,
				was.Labels[0])
		}
	}
	if chain := r.columns.Chain; chain >= 0 && r.chainNow != string(cells[chain].Text()) {
		r.chainNow = string(cells[chain].Text())
		r.chainName = "chain " + r.chainNow + " of " + r.Name()
	}
	if !r.Counted {
		if err := r.CheckNumber(cells, r.chainNow); err != nil {
			return err
		}
	}
	if !r.Weighted {
		return nil
	}
	v, ok := cells[r.columns.Weight].Number()
	name := r.columns.Names[r.columns.Weight]
	logs := r.columns.Roles[r.columns.Weight] == tables.LogWeight
	switch {
	case logs && (!ok || v != v || math.IsInf(v, 1)):
		return r.Wrong(name, cells[r.columns.Weight].Found(),
			"write the natural logarithm of the weight, a number or -inf")
	case logs:
		r.logWeight = v
	case !ok || !(v >= 0) || math.IsInf(v, 1):
		return r.Wrong(name, cells[r.columns.Weight].Found(),
			"write a weight of 0 or more, or give {column} %s=log-weight of natural logarithms, or "+
				"{column} %[1]s=none, which leaves it out",
			name)
	default:
		r.logWeight = number.Log(v)
	}
	return nil
}

// one returns the state of a cell.
func (r *Reader) one(cell files.Cell) (int, error) {
	whole := int64(-1)
	if cell.IsNumber() {
		if n, ok := cell.Integer(); ok {
			whole = n
		}
		if whole >= 0 && whole < int64(len(r.whole)) && r.whole[whole] > 0 {
			return int(r.whole[whole]) - 1, nil
		}
	}
	text := cell.Text()
	if x, is := r.known[string(text)]; is {
		return x, nil
	}
	x, err := r.codes.State(string(text))
	if err != nil {
		return 0, r.WrongCell(stateColumn, cell.Found(), err)
	}
	if len(r.known) < mostKnown {
		r.known[string(text)] = x
	}
	if cell.IsNumber() && whole >= 0 && whole < mostKnown {
		r.whole = append(r.whole, make([]int32, max(0, int(whole)+1-len(r.whole)))...)
		r.whole[whole] = int32(x) + 1
	}
	return x, nil
}

// Readers reads several readers, one after another.
type Readers struct {
	List []*Reader
	at   int
}

// Next is Reader.Next for all of them.
func (r *Readers) Next(ctx context.Context) (x, count int, err error) {
	for ; r.at < len(r.List); r.at++ {
		x, count, err = r.List[r.at].Next(ctx)
		if err == nil || !errors.Is(err, io.EOF) {
			return x, count, err
		}
	}
	return 0, 0, io.EOF
}

// Chain returns the chain of the last row: from its column, or from its file.
func (r *Readers) Chain() string { return r.List[r.at].chainName }

// Name names the files.
func (r *Readers) Name() string {
	name := r.List[0].Name()
	if more := len(r.List) - 1; more > 0 {
		name += fmt.Sprintf(" and %s more", selector.Count(more, "file"))
	}
	return name
}

// LogWeight returns the log weight of the last row, and zero if its file has no weights.
func (r *Readers) LogWeight() float64 { return r.List[r.at].logWeight }
