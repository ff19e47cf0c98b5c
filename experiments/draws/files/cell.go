package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"unicode/utf8"

	"breadboard/chains/selector"
	"breadboard/experiments/draws"
)

// setCell puts a cell of a text into a row, unless its column is passed over.
func (t *table) setCell(f *field, row int, cell []byte) *fault {
	switch {
	case !f.used:
		return nil
	case f.target.quantity == wholePath:
		return t.setPathText(f, row, cell)
	}
	return t.setText(f, row, 0, cell)
}

// setText puts the value that a cell of a text writes into a row.
func (t *table) setText(f *field, row, offset int, cell []byte) *fault {
	if f.number != absent {
		return t.setNumberText(f, row, cell)
	}
	if v, ok := parseDigits(cell); ok {
		return t.setState(f, row, offset, v)
	}
	if v, _, ok := draws.ParseNumber(cell); ok { // as in 3.000000000000000000e+00
		state, bad := t.wholeState(f, v)
		if bad != nil {
			return bad
		}
		return t.setState(f, row, offset, state)
	}
	return t.setStateText(f, row, offset, cell)
}

// setNumberText reads a number, and notes with how many digits it is written.
func (t *table) setNumberText(f *field, row int, cell []byte) *fault {
	v, d, ok := draws.ParseNumber(cell)
	if !ok {
		if v, ok = parseInfinity(cell); !ok {
			return f.badText(cell)
		}
	} else {
		t.precision[f.target.quantity].Add(d)
	}
	return t.setNumber(f, row, v)
}

// badText returns the fault of a text that is no number.
func (f *field) badText(cell []byte) *fault { return notNumber(cell, f.badNumber("").want).in(f.name) }

// notNumber is the fault of a cell that is no number, or none of those that are wanted.
func notNumber(cell []byte, want string) *fault {
	bad := &fault{found: Found(cell), want: want}
	if bytes.IndexByte(cell, ',') >= 0 {
		bad.want = "write decimals with a point, and thousands without a comma"
	}
	return bad
}

// setStateText reads a state that is not written as one number, but as coordinates.
func (t *table) setStateText(f *field, row, offset int, cell []byte) *fault {
	if len(cell) == 0 {
		return t.badStateText(f, "an empty cell")
	}
	var room [8]int64
	coordinates := room[:0]
	for part := range parts(cell) {
		v, _, ok := draws.ParseNumber(part)
		if !ok {
			return t.badStateText(f, quoted(cell))
		}
		state, bad := t.wholeState(f, v)
		if bad != nil {
			return bad
		}
		coordinates = append(coordinates, state)
	}
	return t.setCoordinates(f, row, offset, coordinates)
}

// parts yields the numbers that one cell holds, as in "3 4", "3;4", "(3, 4)" and "[3,4]", as texts;
// an empty one where a number is missing between two separators.
func parts(cell []byte) iter.Seq[[]byte] {
	inside := bytes.TrimSpace(cell)
	if n := len(inside); n >= 2 && (inside[0] == '(' && inside[n-1] == ')' || inside[0] == '[' && inside[n-1] == ']') {
		inside = bytes.TrimSpace(inside[1 : n-1])
		inside = bytes.TrimSuffix(inside, []byte(",")) // Python writes a single coordinate as (3,)
	}
	return func(yield func([]byte) bool) {
		separators := ";,"
		if !bytes.ContainsAny(inside, separators) {
			separators = " \t"
		}
		for rest, more := inside, true; more; {
			part := rest
			at := bytes.IndexAny(rest, separators)
			if more = at >= 0; more {
				part, rest = rest[:at], rest[at+1:]
				if separators[0] == ' ' {
					rest = trimLeft(rest, blanks)
				}
			}
			if !yield(bytes.TrimSpace(part)) {
				return
			}
		}
	}
}

// setPathText puts a whole path in one cell into a row: its states, separated as coordinates are.
func (t *table) setPathText(f *field, row int, cell []byte) *fault {
	states := 0
	for part := range parts(cell) {
		if states++; states > t.space.Distributions {
			continue
		}
		if bad := t.setText(f, row, states-1, part); bad != nil {
			return bad
		}
	}
	if states != t.space.Distributions {
		return t.badPathLength(f, states)
	}
	return nil
}

// badPathLength returns the fault of a path that has not T states.
func (t *table) badPathLength(f *field, states int) *fault {
	return &fault{column: f.name, found: "a path of " + selector.Count(states, "state"),
		want: fmt.Sprintf("write %d, x_1 to x_%d, since T = %d", t.space.Distributions, t.space.Distributions, t.space.Distributions)}
}

// parseDigits reads a number of at most 18 digits and nothing else.
func parseDigits(cell []byte) (v int64, ok bool) {
	if len(cell) == 0 || len(cell) > 18 {
		return 0, false
	}
	for _, c := range cell {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		v = 10*v + int64(d)
	}
	return v, true
}

// parseInfinity reads an infinity in any of its usual spellings.
func parseInfinity(cell []byte) (float64, bool) {
	sign := 1
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		if cell[0] == '-' {
			sign = -1
		}
		cell = cell[1:]
	}
	if bytes.EqualFold(cell, []byte("inf")) || bytes.EqualFold(cell, []byte("infinity")) {
		return math.Inf(sign), true
	}
	return 0, false
}

// Cells reads text whose first line names columns other than those of chains, and whose other lines
// are rows of that many cells, separated by commas. It does not interpret the cells.
type Cells struct {
	textRows
	names []string
	cells [][]byte
	close func() error
}

// OpenCells opens a file. The caller closes it.
func OpenCells(ctx context.Context, path string) (*Cells, error) {
	file, err := selector.OpenFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	c, err := newCells(ctx, path, &lines{in: file})
	if err != nil {
		file.Close()
		return nil, err
	}
	c.close = file.Close
	return c, nil
}

// StreamCells reads a stream, which may be endless. A call returns at once when its context ends.
func StreamCells(ctx context.Context, name string, in io.Reader) (*Cells, error) {
	return newCells(ctx, name, &lines{waiting: &waiting{in: in}})
}

func newCells(ctx context.Context, name string, in *lines) (*Cells, error) {
	c := &Cells{textRows: textRows{name: name, in: in}, close: func() error { return nil }}
	if err := checkText(ctx, name, in); err != nil {
		return nil, err
	}
	line, number, err := c.next(ctx)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(line) {
		return nil, notText(line).at(name, -1, number)
	}
	for _, cell := range bytes.Split(line, []byte{','}) {
		c.names = append(c.names, string(bytes.TrimSpace(cell)))
	}
	c.begun = true
	return c, nil
}

// Name returns the path of the file or the name of the stream.
func (c *Cells) Name() string { return c.name }

// Names returns the names of the columns.
func (c *Cells) Names() []string { return c.names }

// Close closes the file. It does not close the input of a stream.
func (c *Cells) Close() error { return c.close() }

// Next returns the cells of the next row, which are valid until the next call, and io.EOF after the
// last. Empty lines at the end are skipped.
func (c *Cells) Next(ctx context.Context) ([][]byte, error) {
	line, _, err := c.next(ctx)
	if err != nil {
		return nil, err
	}
	c.cells = c.cells[:0]
	for rest, more := line, true; more; {
		var cell []byte
		cell, rest, more = bytes.Cut(rest, []byte{','})
		c.cells = append(c.cells, bytes.TrimSpace(cell))
	}
	if len(c.cells) != len(c.names) {
		return nil, c.Wrong("", fmt.Sprintf("%d cells in a row of %d columns", len(c.cells), len(c.names)), "write one cell for each column")
	}
	c.rows++
	return c.cells, nil
}

// Wrong returns the error for a column of the last row: what was found, and what to write instead.
func (c *Cells) Wrong(column, found, want string) error {
	return (&fault{column: column, found: found, want: want}).at(c.name, max(0, c.rows-1), c.in.number)
}

// Quoted returns a cell for an error message.
func Quoted(cell []byte) string { return quoted(cell) }

// singlePrecision returns the precision of float32.
func singlePrecision() draws.Precision { return draws.Precision{Significant: 7, Bits: 24} }

// halfPrecision returns the precision of float16.
func halfPrecision() draws.Precision { return draws.Precision{Significant: 3, Bits: 11} }

// judged is the number of float64 of a binary file by whose digits it is judged whether they were
// rounded.
const judged = 256

// leastDecimals is the number of decimals from which on float64 that all have no more were rounded
// to them. Those with fewer may have them by their nature, or were rounded by mistake.
const leastDecimals = 4

// firstDoubles are what the first float64 of a column of a binary file say about how they are
// given.
type firstDoubles struct {
	seen   int
	digits draws.Precision // of their shortest decimal forms
}

// add notes another number.
func (b *firstDoubles) add(v float64) {
	if b.seen == judged || v != v || math.IsInf(v, 0) {
		return
	}
	b.seen++
	b.digits.Read(strconv.AppendFloat(nil, v, 'g', -1, 64))
}

// precision returns that of float64 unless all numbers seem to have been rounded to some decimals,
// as np.round does.
func (b *firstDoubles) precision() draws.Precision {
	if b.digits.Decimals < leastDecimals || b.digits.Significant >= draws.DoubleDigits {
		return draws.Precision{}
	}
	return b.digits
}
