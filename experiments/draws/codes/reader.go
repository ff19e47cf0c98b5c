package codes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
)

// Reader reads states, one a row.
type Reader struct {
	*files.Rows
	Counted bool     // whether every row says how often its state was drawn, so that nothing is known of their order
	Left    []string // the ignored columns
	// Weighted says whether every row has the weight of its draw, which Readers.LogWeight returns.
	Weighted bool

	codes       *Codes
	columns     *files.Columns     // what the columns are for
	counted     map[string]float64 // by chain, the last number of a draw
	chainNow    string             // what it said of the last row
	chainName   string             // the name of that chain
	state       int                // the column of the state; -1 if there is one for each variable
	count       int                // that of counts; -1 if there is none
	weight      int                // that of weights; -1 if there is none
	logs        bool               // whether they are logarithms
	logWeight   float64            // of the last row
	axes, seen  []int              // the column of each axis, and of each observed variable; -1 if it has none
	known       map[string]int     // what was read before
	whole       []int32            // 1 more than the state of each whole number that was read before; 0 of others
	columnNames []string
	left        []left
}

// left is a column that is left out, of which no column says which chain a row is.
type left struct {
	column int
	turns  files.Turns
}

// Doubts say which of the ignored columns may distinguish chains, and the doubts of the rows.
func (r *Reader) Doubts() (doubts []chains.Advice) {
	doubts = r.Rows.Doubts()
	for _, l := range r.left {
		if doubt, is := l.turns.Doubt(r.Name(), r.columnNames[l.column]); is {
			doubts = append(doubts, doubt)
		}
	}
	return doubts
}

// Open opens a file: text, a NumPy array, or files of CmdStan or coda. The caller closes it.
func (c *Codes) Open(ctx context.Context, path string) (*Reader, error) {
	rows, err := files.OpenRows(ctx, path, c.Header, files.DrawsOptions{Shape: c.Shape, Names: c.elements, Decimal: c.Decimal, TopLine: c.TopLine, Content: c.Content})
	if err == nil && rows.Names() == nil && selector.Ending(path) == ".npy" && rows.Width() > max(1, len(c.Axes)) {
		rows, err = c.chains(ctx, rows)
	}
	return c.reader(rows, err)
}

// elements returns the names of the variables of arrays. As many elements as there are axes are the
// coordinates.
func (c *Codes) elements(given []string, columns int) []string {
	if given == nil && columns == len(c.Axes) {
		for _, a := range c.Axes {
			given = append(given, a.Name)
		}
	}
	return given
}

// chains returns the rows of an array of states that has a chain in each row, as those of NumPy's
// with the shape (chains, draws).
func (c *Codes) chains(ctx context.Context, array *files.Rows) (*files.Rows, error) {
	defer array.Close()
	if bad := files.Doubtful(array.Name(), "", []int{array.Length(), array.Width()}, c.Shape); bad != nil {
		return nil, bad
	}
	return array.ByChain(ctx, stateColumn, c.Header)
}

// Stream reads a stream, which may be endless. A call returns at once when its context ends.
func (c *Codes) Stream(ctx context.Context, name string, in io.Reader) (*Reader, error) {
	rows, err := files.StreamRows(ctx, name, in, c.Header)
	return c.reader(rows, err)
}

func (c *Codes) reader(rows *files.Rows, err error) (*Reader, error) {
	if err != nil {
		return nil, err
	}
	r := &Reader{Rows: rows, codes: c, state: -1, count: -1, weight: -1, known: map[string]int{}, counted: map[string]float64{},
		columnNames: rows.Names(), chainName: rows.Name()}
	for range c.Axes {
		r.axes = append(r.axes, -1)
	}
	for range c.Observed {
		r.seen = append(r.seen, -1)
	}
	r.columns, err = r.ColumnsOf(c.Roles, c.own)
	if err == nil && (rows.Names() == nil || rows.Numbered()) {
		err = r.unnamed()
	} else if err == nil {
		err = r.named()
	}
	if name := c.Weights; err == nil && name != "" && name != NoWeights && !r.Weighted {
		err = r.WrongColumns("no column "+name, errors.New("name the column of the weights in the first line"))
	}
	if err != nil {
		rows.Close()
		return nil, err
	}
	return r, nil
}

// own reports whether a column is a variable, whatever else its name may say.
func (c *Codes) own(name string) bool {
	return name == stateColumn || name == countColumn || c.find(c.Axes, name) >= 0 || c.find(c.Observed, name) >= 0
}

// unnamed finds what the columns are of rows without names: the state, or its coordinates.
func (r *Reader) unnamed() error {
	r.columnNames = make([]string, r.Width())
	switch r.Width() {
	case 1:
		r.state = 0
		return nil
	case len(r.codes.Axes):
		for k := range r.axes {
			r.axes[k] = k
		}
		return nil
	}
	return r.WrongColumns(fmt.Sprintf("rows of %d cells and no header", r.Width()),
		errors.New("write a first line with the names of the columns: "+r.codes.columns()))
}

// columns says which columns there may be.
func (c *Codes) columns() string {
	text := "state"
	if len(c.Axes) > 0 {
		var names []string
		for _, a := range c.Axes {
			names = append(names, a.Name)
		}
		text += ", or " + strings.Join(names, ",")
	}
	return text + ", or state,count"
}

// named finds what the columns are by their names.
func (r *Reader) named() error {
	var others []int
	take := func(to *int, column int) error {
		if *to >= 0 {
			return r.WrongColumns("two columns "+files.Quoted([]byte(r.columnNames[column])), errors.New("keep one of them"))
		}
		*to = column
		return nil
	}
	for i, name := range r.columnNames {
		var err error
		switch axis, seen := r.codes.find(r.codes.Axes, name), r.codes.find(r.codes.Observed, name); {
		case r.columns.Counts(i):
		case axis >= 0:
			err = take(&r.axes[axis], i)
		case name == stateColumn:
			err = take(&r.state, i)
		case name == countColumn:
			err = take(&r.count, i)
		case seen >= 0:
			err = take(&r.seen[seen], i)
		case r.codes.weighs(name):
			err = take(&r.weight, i)
		case name == "Freq" || name == "n": // as R's table and dplyr call counts
			err = take(&r.count, i)
		default:
			others = append(others, i)
		}
		if err != nil {
			return err
		}
	}
	missing := slices.Index(r.axes, -1)
	byAxes := len(r.axes) > 0 && missing < 0
	if r.state < 0 && !byAxes && len(others) == 1 && !slices.ContainsFunc(r.axes, func(at int) bool { return at >= 0 }) {
		r.state, others = others[0], nil // the only column that may be one, whatever it is called
	}
	if r.state < 0 && !byAxes && len(r.columnNames) == 1 && len(others) == 0 && r.codes.Weights == "" && len(r.codes.Roles) == 0 && !slices.Contains(r.seen, 0) {
		r.state, r.weight, r.count = 0, -1, -1 // likewise, also if others have weights, counts or numbers of rows under its name
		r.columns.Alone()
	}
	for _, i := range others {
		r.Left = append(r.Left, r.columnNames[i])
		if r.columns.Chain < 0 && len(r.codes.Roles) == 0 {
			r.left = append(r.left, left{column: i})
		}
	}
	r.Counted, r.Weighted = r.count >= 0, r.weight >= 0
	r.logs = r.Weighted && isLog(r.codes.Meant(r.columnNames[r.weight]))
	if r.Counted && r.Weighted {
		return r.WrongColumns("counts and weights", errors.New("give either a row with a weight for each draw, or counts"))
	}
	line := "" // of a file for {map}
	if missing >= 0 {
		line = ", as by a file with the header name,state and the line V1," + r.codes.Axes[missing].Name
	}
	switch {
	case r.state >= 0 || byAxes:
		return nil
	case missing >= 0 && len(others) < len(r.columnNames):
		return r.WrongColumns("no column "+r.codes.Axes[missing].Name,
			chains.NewAdvice("write one for each variable, or a column state; {map} translates other names%s", line))
	}
	return r.WrongColumns("a header without a column state, "+files.Quoted([]byte(strings.Join(r.columnNames, ","))),
		chains.NewAdvice("name the columns %s; {map} translates other names%s; write labels with commas or blanks in quotation marks", r.codes.columns(), line))
}

// mostKnown is how many texts are remembered with their states.
const mostKnown = 1 << 16

// Next returns the next state and its count (one if the file has no counts), and io.EOF after the
// last.
func (r *Reader) Next(ctx context.Context) (x, count int, err error) {
	if next := r.Known(r.whole); next > 0 {
		return int(next) - 1, 1, nil
	}
	cells, err := r.Rows.Next(ctx)
	if err != nil {
		return 0, 0, err
	}
	for k, at := range r.seen {
		if at < 0 {
			continue
		}
		if _, err := r.codes.Coordinate(r.codes.Observed[k], 1, string(cells[at])); err != nil {
			was := r.codes.Observed[k]
			return 0, 0, r.Wrong(r.columnNames[at], files.Quoted(cells[at]),
				fmt.Errorf("the evidence of the target is %s=%s: give draws with the same evidence, or delete the column", was.Name, was.Labels[0]))
		}
	}
	if chain := r.columns.Chain; chain >= 0 && r.chainNow != string(cells[chain]) {
		r.chainNow = string(cells[chain])
		r.chainName = "chain " + r.chainNow + " of " + r.Name()
	}
	if err := r.counts(cells); err != nil {
		return 0, 0, err
	}
	for i := range r.left {
		v, _, _ := draws.ParseNumber(cells[r.left[i].column]) // 0 of what is none, which ends the turn
		r.left[i].turns.Add(v)
	}
	if err := r.weigh(cells); err != nil {
		return 0, 0, err
	}
	count = 1
	if r.count >= 0 {
		v, _, ok := draws.ParseNumber(cells[r.count])
		if !ok || v != math.Trunc(v) || v < 0 || v > 1<<50 {
			return 0, 0, r.Wrong(countColumn, files.Quoted(cells[r.count]), errors.New("write a whole number of draws from 0 to 2^50"))
		}
		count = int(v)
	}
	if r.state >= 0 {
		x, err = r.one(cells[r.state])
		return x, count, err
	}
	for k, at := range r.axes {
		c, err := r.codes.Coordinate(r.codes.Axes[k], r.codes.Sides[k], string(cells[at]))
		if err != nil {
			return 0, 0, r.Wrong(r.codes.Axes[k].Name, files.Found(cells[at]), err)
		}
		x = x*r.codes.Sides[k] + c
	}
	return x, count, nil
}

// counts fails if a number of a draw does not rise in its chain, as where several rows are one
// draw, or several chains stand one under another.
func (r *Reader) counts(cells [][]byte) error {
	at := r.columns.Iteration
	if at < 0 || r.Counted {
		return nil
	}
	v, _, ok := draws.ParseNumber(cells[at])
	before, seen := r.counted[r.chainNow]
	if name := r.columnNames[at]; !ok || seen && v <= before {
		return r.Wrong(name, fmt.Sprintf("%s, and %v before it", files.Found(cells[at]), before), chains.NewAdvice(
			"number the draws of each chain so that they rise, one row a draw, with a column that tells chains apart, as in {column} NAME=chain; {column} %s=none leaves the numbers out", name))
	}
	r.counted[r.chainNow] = v
	return nil
}

// Readers reads several readers, one after another.
type Readers struct {
	List []*Reader
	at   int
}

// Next is Reader.Next for all of them.
func (r *Readers) Next(ctx context.Context) (x, count int, err error) {
	for ; r.at < len(r.List); r.at++ {
		if x, count, err = r.List[r.at].Next(ctx); err == nil || !errors.Is(err, io.EOF) {
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

// one returns the state of a cell.
func (r *Reader) one(cell []byte) (int, error) {
	if x, is := r.known[string(cell)]; is {
		return x, nil
	}
	x, err := r.codes.State(string(cell))
	if err != nil {
		return 0, r.Wrong(r.columnNames[r.state], files.Found(cell), err)
	}
	if len(r.known) < mostKnown {
		r.known[string(cell)] = x
	}
	if n, err := strconv.Atoi(string(cell)); err == nil && n >= 0 && n < mostKnown && strconv.Itoa(n) == string(cell) {
		r.whole = append(r.whole, make([]int32, max(0, n+1-len(r.whole)))...)
		r.whole[n] = int32(x) + 1
	}
	return x, nil
}

// Place returns the place of the last row, as in "draws.csv, line 3".
func (r *Readers) Place() string { return r.List[r.at].Place() }
