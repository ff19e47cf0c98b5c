// Package files reads the output of external programs: chains, kernel transitions, estimates,
// states and the draws of variables, from delimited text, CmdStan's CSV, NumPy's .npy and .npz, and
// JSON. It checks every value. An Error has the source, the row and the column, what was found
// there and what to write.
//
// It never tests a distribution, never corrects its input and never guesses: a column has a
// documented name, or a user gives it a role, and other input is an error.
//
// OpenTable reads the rows of any of these formats as they are. Open makes batches of chains,
// transitions and estimates of them, and ReadDraws the values of variables along chains. Package
// codes reads states.
//
// # Columns of batches
//
// The names of the columns are log_w (nats), x_first, x_last, all of x_1 to x_T or the same as path
// in one cell, all of increment_2 to increment_T (nats, by the stage that adds them), beta with
// from and to, log_z (nats), and se, the standard errors of log_z (nats). At least one is required.
//
// A state is its number, counted from 0, or its coordinates on a lattice, slowest axis first and
// counted from 0: in one cell, as in 3;4 or (3, 4) or an array, or in one column an axis, as in
// x_first_0 and x_first_1.
//
// # Formats
//
// Text has its columns separated by commas, tabs, semicolons or blanks, whichever the first line
// has that is no comment. It names the columns. A column of states or of estimates that is alone
// needs no name. Files of CmdStan have comments that say which draws are of the warm-up: these are
// omitted. Arrays of .npy are structured, or have one column; .npz has an array for each column.
// JSON has an object for each row, on a line of its own or in a list.
package files

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
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// Options are the options of Open and NewStream.
type Options struct {
	Space draws.Space
	Roles Roles  // of columns, if their names do not tell
	Alone string // the name of a single column without a name; empty if it must have one
}

// Reader makes batches of the rows of a table.
type Reader struct {
	table   *Table
	space   draws.Space
	strides []int // of the axes, by which coordinates become a number
	fields  []field
	columns draws.Columns
	// the index of a quantity's first column among those of numbers or of states, or absent; a
	// whole path is at pathState
	first   [quantities]int
	numbers [][]float64
	states  [][]int32
	batch   draws.Batch
	rows    int
	end     error
	parts   []Cell

	sawZero   bool // whether any state or coordinate was 0 so far
	precision [quantities]draws.Precision
	doubles   [quantities]firstDoubles // of the float64 of binary files
}

// Open opens a file of samples, as OpenTable does. Errors in the content are an *Error. The caller
// closes the reader.
func Open(ctx context.Context, path string, o Options) (*Reader, error) {
	t, err := OpenTable(ctx, path, o.ofTable())
	if err != nil {
		return nil, err
	}
	return newReader(t, o)
}

// NewStream returns a source that reads a stream, which may be endless. A batch ends when the
// stream makes its reader wait. A call returns at once when its context ends; bytes that arrive
// later are not lost.
func NewStream(ctx context.Context, name string, in io.Reader, o Options) (*Reader, error) {
	t, err := StreamTable(ctx, name, in, o.ofTable())
	if err != nil {
		return nil, err
	}
	return newReader(t, o)
}

// ofTable returns the options of the table of batches.
func (o *Options) ofTable() TableOptions {
	return TableOptions{
		Roles: o.Roles,
		Row:   func(cells []string) bool { return o.Alone != "" && len(cells) == 1 && isNumbers(cells) },
	}
}

// newReader finds out from the names of the columns what they hold.
func newReader(t *Table, o Options) (*Reader, error) {
	s := o.Space
	r := &Reader{table: t, space: s, strides: make([]int, len(s.Sides))}
	stride := 1
	for axis := len(s.Sides) - 1; axis >= 0; axis-- {
		r.strides[axis] = stride
		stride *= s.Sides[axis]
	}
	if t.names == nil && t.width == 1 && o.Alone != "" {
		t.names = []string{o.Alone}
	}
	t.readAs(o)
	err := r.layout(o)
	if bad, is := errors.AsType[*fault](err); is {
		err = t.WrongColumns(bad.found, "%w", bad.want)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return r, nil
}

// readAs has a reader of estimates take log weights, which are estimates of log Z, if there are no
// others.
func (t *Table) readAs(o Options) {
	at := slices.IndexFunc(t.names, func(name string) bool { return tables.PlainName(name) == "logw" })
	if o.Alone == "log_z" && at >= 0 && o.Roles[t.names[at]] == "" &&
		!slices.ContainsFunc(t.names, func(name string) bool { return tables.PlainName(name) == "logz" }) {
		t.names = slices.Clone(t.names)
		t.names[at] = o.Alone
	}
}

// Name returns the path of the file or the name of the stream.
func (r *Reader) Name() string { return r.table.name }

// Columns returns the columns of the batches.
func (r *Reader) Columns() draws.Columns { return r.columns }

// Notes say what was omitted from the file so far.
func (r *Reader) Notes() []string { return r.table.Notes() }

// Close closes the file. It does not close the input of a stream.
func (r *Reader) Close() error { return r.table.Close() }

// Precision returns the precision of the log weights, or of the estimates if there are any, in the
// rows so far.
func (r *Reader) Precision() draws.Precision {
	if r.columns.LogZ {
		return r.precisionOf(logZ)
	}
	return r.precisionOf(logW)
}

// IncrementPrecision returns the precision of the increments in the rows so far.
func (r *Reader) IncrementPrecision() draws.Precision { return r.precisionOf(increment) }

func (r *Reader) precisionOf(q quantity) draws.Precision {
	if r.doubles[q].seen > 0 {
		return r.doubles[q].precision()
	}
	return r.precision[q]
}

const (
	maxRows  = 1 << 16 // the most rows of a batch
	maxCells = 1 << 22 // the most cells of a batch, however many rows are asked for
)

// Next returns at most the given number of next rows, and io.EOF after the last. An *Error in a row
// ends the source; earlier rows of the same batch are not returned. If the context is done Next
// returns its error and may be called again. One call takes memory for some million values at most,
// for any number of rows.
func (r *Reader) Next(ctx context.Context, rows int) (*draws.Batch, error) {
	if r.end != nil {
		return nil, r.end
	}
	if rows < 1 {
		panic("files: a batch needs room for a row")
	}
	rows = r.room(rows)
	n := 0
	for n < rows && (n == 0 || r.table.ready()) {
		if err := ctx.Err(); err != nil && n == 0 {
			return nil, err
		}
		cells, err := r.table.Next(ctx)
		if err == nil {
			err = r.addRow(cells, n)
		}
		if n > 0 && (err == io.EOF || err != nil && err == ctx.Err()) {
			break // what stopped it is found again by the next call
		}
		if err != nil && !chains.Ended(ctx, err) {
			r.end = err
		}
		if err != nil {
			return nil, err
		}
		n++
	}
	r.fillBatch(n)
	r.rows += n
	return &r.batch, nil
}

// room makes room for that many rows, or for as many as a batch may have, and returns their number.
func (r *Reader) room(rows int) int {
	rows = min(rows, maxRows, max(1, maxCells/max(1, len(r.numbers)+len(r.states))))
	for i, of := range r.numbers {
		r.numbers[i] = slices.Grow(of[:0], rows)[:rows]
	}
	for i, of := range r.states {
		r.states[i] = slices.Grow(of[:0], rows)[:rows]
		clear(r.states[i]) // coordinates are added up
	}
	return rows
}

// fillBatch makes a batch of the first rows.
func (r *Reader) fillBatch(rows int) {
	numbers := func(q quantity) []float64 { return part(r.numbers, r.first[q], rows) }
	states := func(q quantity) []int32 { return part(r.states, r.first[q], rows) }
	b := &r.batch
	*b = draws.Batch{
		First:      r.rows,
		Rows:       rows,
		LogW:       numbers(logW),
		LogZ:       numbers(logZ),
		SE:         numbers(standardError),
		Beta:       numbers(beta),
		XFirst:     states(xFirst),
		XLast:      states(xLast),
		From:       states(from),
		To:         states(to),
		Path:       b.Path[:0],
		Increments: b.Increments[:0],
	}
	if r.columns.Increments {
		for i := range r.space.Distributions - 1 {
			b.Increments = append(b.Increments, part(r.numbers, r.first[increment]+i, rows))
		}
	}
	if r.columns.Path {
		for i := range r.space.Distributions {
			b.Path = append(b.Path, part(r.states, r.first[pathState]+i, rows))
		}
		b.XFirst = b.Path[0]
		b.XLast = b.Path[len(b.Path)-1]
	}
}

// part returns the first rows of a column, and nil if it is absent.
func part[E any](columns [][]E, i, rows int) []E {
	if i == absent {
		return nil
	}
	return columns[i][:rows]
}

// addRow puts the cells of a row into the batch.
func (r *Reader) addRow(cells []Cell, row int) error {
	var bad *fault
	for i := 0; i < len(r.fields) && bad == nil; i++ {
		f := &r.fields[i]
		switch {
		case !f.used:
			continue
		case f.target.quantity == wholePath:
			bad = r.setPath(f, row, cells[i])
		case f.target.quantity.isState():
			bad = r.setState(f, f.index, row, cells[i])
		default:
			bad = r.setNumber(f, row, cells[i], i)
		}
		if bad != nil {
			bad = bad.in(f.name)
		}
	}
	if bad == nil {
		bad = r.checkEnds(row)
	}
	if bad == nil {
		return nil
	}
	return r.table.WrongCell(bad.column, bad.found, bad.want)
}

// checkEnds returns the fault of a row in which the ends of the path are not what the columns of
// the ends say.
func (r *Reader) checkEnds(row int) *fault {
	path := r.first[pathState]
	if path == absent {
		return nil
	}
	for _, end := range [...]struct {
		quantity quantity
		stage    int
		name     string
	}{{xFirst, 1, "x_first"}, {xLast, r.space.Distributions, "x_last"}} {
		column := r.first[end.quantity]
		if column == absent {
			continue
		}
		if given, inPath := r.states[column][row], r.states[path+end.stage-1][row]; given != inPath {
			return wrong(fmt.Sprintf("%d, but x_%d is %d", given, end.stage, inPath),
				"write the same state in both, or delete one of the columns").in(end.name)
		}
	}
	return nil
}

// setNumber puts a number into a row, and notes with how many digits it is written.
func (r *Reader) setNumber(f *field, row int, cell Cell, column int) *fault {
	q := f.target.quantity
	v := 0.0
	digits := draws.Digits{}
	ok := true
	if p, binary := r.table.rows.binary(column); binary {
		v, ok = cell.Number()
		if p == (draws.Precision{}) {
			r.doubles[q].addNumber(v)
		} else {
			r.precision[q] = p
		}
	} else if v, digits, ok = draws.ParseNumber(cell.text); ok {
		r.precision[q].Add(digits)
	} else {
		v, ok = parseInfinity(cell.text)
	}
	want := "write a number, -inf or inf"
	if q == beta {
		want = "write an inverse temperature from 0 to 1"
	}
	if !ok || v != v {
		return notNumber(cell.Text(), want)
	}
	if q == beta && !(v >= 0 && v <= 1) {
		return wrong(string(cell.Text()), "%s", want)
	}
	r.numbers[f.index][row] = v
	return nil
}

// setPath puts a whole path in one cell into a row: its states, or their coordinates.
func (r *Reader) setPath(f *field, row int, cell Cell) *fault {
	T := r.space.Distributions
	d := len(r.space.Sides)
	r.parts = cell.appendParts(r.parts[:0])
	n := len(r.parts) / T
	if n*T != len(r.parts) || n != 1 && n != d {
		return wrong("a path of "+selector.Count(len(r.parts), "number"),
			"write %d states, x_1 to x_%[1]d, since T = %[1]d, or the coordinates of each", T)
	}
	for t := range T {
		if bad := r.setParts(f, f.index+t, row, r.parts[t*n:(t+1)*n]); bad != nil {
			return bad
		}
	}
	return nil
}

// setState puts the state of a cell, or one of its coordinates, into a column of states.
func (r *Reader) setState(f *field, index, row int, cell Cell) *fault {
	if v, is := cell.Integer(); is {
		return r.setWhole(f, index, row, v)
	}
	r.parts = cell.appendParts(r.parts[:0])
	if len(r.parts) == 0 {
		return r.badState(f, "an empty cell")
	}
	return r.setParts(f, index, row, r.parts)
}

// setParts puts a state with such numbers into a column of states: its number, or its coordinates.
func (r *Reader) setParts(f *field, index, row int, parts []Cell) *fault {
	sides := r.space.Sides
	if len(parts) == 1 {
		v, ok := parts[0].Integer()
		if !ok {
			return r.badState(f, parts[0].Found())
		}
		return r.setWhole(f, index, row, v)
	}
	if f.target.axis != whole || len(sides) == 0 {
		return wrong(fmt.Sprintf("%d numbers", len(parts)), "write one number, %s", r.describeChoices(f))
	}
	if len(parts) != len(sides) {
		return wrong(fmt.Sprintf("%d coordinates", len(parts)),
			"write %d coordinates, or a state from 0 to %d", len(sides), r.space.States-1)
	}
	state := 0
	for axis, part := range parts {
		v, ok := part.Integer()
		if !ok {
			return r.badState(f, part.Found())
		}
		if v < 0 || v >= int64(sides[axis]) {
			return wrong(fmt.Sprintf("the coordinate %d on axis %d", v, axis),
				"write a coordinate from 0 to %d there%s", sides[axis]-1,
				r.countsFromOne(v, int64(sides[axis])))
		}
		r.sawZero = r.sawZero || v == 0
		state += int(v) * r.strides[axis]
	}
	r.states[index][row] = int32(state)
	return nil
}

// setWhole adds a state, or one of its coordinates, to a column of states.
func (r *Reader) setWhole(f *field, index, row int, v int64) *fault {
	n := int64(r.space.States)
	stride := int64(1)
	if axis := f.target.axis; axis != whole {
		n = int64(r.space.Sides[axis])
		stride = int64(r.strides[axis])
	}
	if v < 0 || v >= n {
		return wrong(strconv.FormatInt(v, 10), "write %s%s", r.describeChoices(f), r.countsFromOne(v, n))
	}
	r.sawZero = r.sawZero || v == 0
	r.states[index][row] += int32(v * stride)
	return nil
}

// describeChoices describes what a column of states or of coordinates may hold.
func (r *Reader) describeChoices(f *field) string {
	if f.target.axis != whole {
		return fmt.Sprintf("a coordinate from 0 to %d", r.space.Sides[f.target.axis]-1)
	}
	return fmt.Sprintf("a state from 0 to %d", r.space.States-1)
}

// countsFromOne returns what a message says besides if the number is the one after the last, as of
// a program that counts from 1, and if it is negative, as of one that counts from the end.
func (r *Reader) countsFromOne(v, n int64) string {
	switch {
	case v < 0:
		return "; states are numbered from 0, so no state is negative"
	case v == n && !r.sawZero:
		return "; states are numbered from 0: do you count from 1?"
	}
	return ""
}

// badState returns the fault of what is no whole number.
func (r *Reader) badState(f *field, found string) *fault {
	want := "write " + r.describeChoices(f)
	if f.target.axis == whole && len(r.space.Sides) > 0 {
		want += ", or its coordinates as in " +
			strings.TrimSuffix(strings.Repeat("0;", len(r.space.Sides)), ";")
	}
	return wrong(found, "%s", want)
}

const (
	// the number of float64 of a binary file by whose digits it is judged whether they were rounded
	judged        = 256
	leastDecimals = 4 // from this number of decimals on, float64 that all have no more were rounded to them
)

// firstDoubles are what the first float64 of a column of a binary file say about how they are
// given.
type firstDoubles struct {
	seen   int
	digits draws.Precision // of their shortest decimal forms
}

// addNumber notes another number.
func (b *firstDoubles) addNumber(v float64) {
	if b.seen == judged || v != v || math.IsInf(v, 0) {
		return
	}
	b.seen++
	b.digits.CountDigits(strconv.AppendFloat(nil, v, 'g', -1, 64))
}

// precision returns that of float64 unless all numbers seem to have been rounded to some decimals,
// as np.round does.
func (b *firstDoubles) precision() draws.Precision {
	if b.digits.Decimals < leastDecimals || b.digits.Significant >= draws.DoubleDigits {
		return draws.Precision{}
	}
	return b.digits
}
