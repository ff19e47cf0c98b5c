package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/samples"
)

// csvRows reads rows of text whose cells are separated by commas, tabs, semicolons or blanks.
type csvRows struct {
	name      string
	in        *lines
	separator byte
	first     []byte // the first row, where it had to be read to find out that there is no header; nil afterwards
	firstLine int
	blank     int // the line of the last blank line, after which no row may follow; 0 where there was none
	rows      int // how many rows have been read
	unquoted  []byte
	stan      stanRun // what the comments say of a run of CmdStan's
}

// blanks is the separator of cells between which any number of blanks and tabs stand.
const blanks = ' '

// noSeparator is the separator of lines that are one cell.
const noSeparator = 0

// openCSV reads the header, or finds out that there is none.
func openCSV(ctx context.Context, name string, in *lines, o Options) (*csvRows, *layout, error) {
	c := &csvRows{name: name, in: in}
	if err := checkText(ctx, name, in); err != nil {
		return nil, nil, err
	}
	names, err := c.header(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	l, bad := newLayout(names, o.Space)
	if bad != nil {
		line := c.in.number
		if c.first != nil {
			line = 0 // the names come from elsewhere, or from a comment
		}
		return nil, nil, bad.at(name, -1, line)
	}
	if len(l.fields) == 1 && l.fields[0].state != absent {
		c.separator = noSeparator // so that a state can be written as 3,4 or (3, 4)
	}
	return c, l, nil
}

// header returns the names of the columns: of the first line that is no comment, or, where that is a row of numbers, of the
// comment before it or of the options.
func (c *csvRows) header(ctx context.Context, o Options) ([]string, error) {
	var comments [][]byte // the last one only
	for {
		line, err := c.next(ctx)
		if err == io.EOF {
			return nil, noRows().at(c.name, -1, 0)
		}
		if err != nil {
			return nil, err
		}
		if bad := notText(line); bad != nil {
			return nil, bad.at(c.name, -1, c.in.number)
		}
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) == 0 {
			continue
		}
		if trimmed[0] == '#' {
			comments = [][]byte{append([]byte(nil), bytes.TrimLeft(trimmed, "# \t")...)}
			c.stan.configure(trimmed)
			continue
		}
		c.separator = separatorOf(line)
		cells, bad := c.cells(line)
		if bad != nil {
			return nil, bad.at(c.name, -1, c.in.number)
		}
		if !isRow(cells) {
			if bad := c.stan.begin(cells); bad != nil {
				return nil, bad.at(c.name, -1, c.in.number)
			}
			return c.named(cells, o)
		}
		c.first, c.firstLine = append([]byte{}, line...), c.in.number
		return c.unnamed(len(cells), comments, o)
	}
}

// next returns the next line, and the error of one that is too long.
func (c *csvRows) next(ctx context.Context) ([]byte, error) {
	line, err := c.in.next(ctx)
	if err == errLongLine {
		err = longLine().at(c.name, -1, c.in.number)
	}
	return line, err
}

// notText returns the fault of a header that is no text.
func notText(line []byte) *fault {
	switch {
	case !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0:
		return &fault{found: "bytes that are no text in UTF-8, " + quoted(line), want: "write a line with the names of the columns, and then the rows"}
	case bytes.IndexByte(line, '\r') >= 0:
		return &fault{found: "lines that end in a carriage return alone", want: "end them with a line feed"}
	}
	return nil
}

// named returns the names in a header.
func (c *csvRows) named(cells []string, o Options) ([]string, error) {
	if o.Columns != nil && !sameNames(cells, o.Columns) {
		bad := namedTwice("a header, "+listed(cells), o)
		return nil, bad.at(c.name, -1, c.in.number)
	}
	return cells, nil
}

// sameNames reports whether two lists of names are the same but for blanks around them.
func sameNames(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if strings.TrimSpace(a[i]) != strings.TrimSpace(b[i]) {
			return false
		}
	}
	return true
}

// unnamed returns the names of the columns of a text that begins with a row of so many cells.
func (c *csvRows) unnamed(cells int, comments [][]byte, o Options) ([]string, error) {
	for _, comment := range comments {
		names, bad := (&csvRows{separator: separatorOf(comment)}).cells(comment)
		if bad == nil && len(names) == cells && isHeader(names) {
			if o.Columns != nil && !sameNames(names, o.Columns) {
				return c.named(names, o)
			}
			return names, nil
		}
	}
	if o.Columns == nil {
		bad := advised("a row of values and no header",
			chains.NewAdvice("write a first line with the names of the columns, %s, or give {input-columns|them besides}", usable(o.Space)))
		return nil, bad.at(c.name, -1, c.firstLine)
	}
	if len(o.Columns) != cells {
		bad := &fault{found: selector.Count(cells, "cell"), want: fmt.Sprintf("write %d in every row, one for each of %s", len(o.Columns), listed(o.Columns))}
		return nil, bad.at(c.name, 0, c.firstLine)
	}
	return o.Columns, nil
}

// isHeader reports whether any of the names is, or was probably meant to be, one that is known.
func isHeader(names []string) bool {
	for _, n := range names {
		n = strings.TrimSpace(n)
		if _, ok := parseName(n); ok {
			return true
		}
		if _, ok := nearMiss(n); ok {
			return true
		}
	}
	return false
}

// isRow reports whether all cells are values, and none of them a name.
func isRow(cells []string) bool {
	for _, c := range cells {
		text := []byte(strings.Trim(c, "()[]+- \t"))
		for part := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ';' || r == ',' }) {
			_, _, number := samples.ParseNumber(part)
			_, infinity := parseInfinity(part)
			if !number && !infinity && !bytes.EqualFold(part, []byte("nan")) {
				return false
			}
		}
	}
	return true
}

// separatorOf finds the separator in a line: the first of tab, comma, semicolon and blank that it has outside of quotation
// marks.
func separatorOf(line []byte) byte {
	var outside []byte
	inside := false
	for _, b := range bytes.TrimSpace(line) {
		if b == '"' {
			inside = !inside
		} else if !inside {
			outside = append(outside, b)
		}
	}
	for _, s := range []byte{'\t', ',', ';', blanks} {
		if bytes.IndexByte(outside, s) >= 0 {
			return s
		}
	}
	return ','
}

// cells returns all cells of a line.
func (c *csvRows) cells(line []byte) (cells []string, bad *fault) {
	rest, more := line, true
	for more {
		var cell []byte
		cell, rest, more, bad = c.cut(rest)
		if bad != nil {
			return nil, bad
		}
		cells = append(cells, string(cell))
	}
	return cells, nil
}

// cut returns the first cell of the rest of a line without blanks around it, what follows after the separator, and whether
// there was one.
func (c *csvRows) cut(line []byte) (cell, rest []byte, more bool, bad *fault) {
	if c.separator == blanks || len(line) > 0 && line[0] <= ' ' {
		line = trimLeft(line, c.separator)
	}
	if len(line) > 0 && line[0] == '"' {
		return c.cutQuoted(line)
	}
	at := c.end(line)
	if at < 0 {
		return trimRight(line), nil, false, nil
	}
	cell, rest = trimRight(line[:at]), line[at+1:]
	if c.separator == blanks {
		rest = trimLeft(rest, blanks)
		return cell, rest, len(rest) > 0, nil
	}
	return cell, rest, true, nil
}

// end returns the index of the first separator, and -1 where there is none.
func (c *csvRows) end(line []byte) int {
	also := c.separator
	if c.separator == blanks {
		also = '\t'
	}
	for i, b := range line { // cells are too short for bytes.IndexByte to be faster
		if b == c.separator || b == also {
			return i
		}
	}
	return -1
}

// trimLeft passes over blanks, and over tabs unless they separate cells.
func trimLeft(line []byte, separator byte) []byte {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t' && separator != '\t') {
		line = line[1:]
	}
	return line
}

// trimRight leaves out blanks and tabs at the end.
func trimRight(cell []byte) []byte {
	for len(cell) > 0 && (cell[len(cell)-1] == ' ' || cell[len(cell)-1] == '\t') {
		cell = cell[:len(cell)-1]
	}
	return cell
}

// cutQuoted cuts a cell in quotation marks, in which two of them stand for one.
func (c *csvRows) cutQuoted(line []byte) (cell, rest []byte, more bool, bad *fault) {
	c.unquoted = c.unquoted[:0]
	for i := 1; i < len(line); i++ {
		if line[i] != '"' {
			c.unquoted = append(c.unquoted, line[i])
			continue
		}
		if i+1 < len(line) && line[i+1] == '"' {
			c.unquoted = append(c.unquoted, '"')
			i++
			continue
		}
		cell, rest = bytes.Trim(c.unquoted, " \t"), trimLeft(line[i+1:], c.separator)
		switch {
		case len(rest) == 0:
			return cell, nil, false, nil
		case c.separator == blanks && len(rest) < len(line[i+1:]):
			return cell, rest, true, nil
		case c.separator != blanks && rest[0] == c.separator:
			return cell, rest[1:], true, nil
		}
		return nil, nil, false, &fault{found: "a cell that goes on after its closing quotation mark, " + quoted(line), want: "write quotation marks inside of a cell twice"}
	}
	return nil, nil, false, &fault{found: "a cell without its closing quotation mark, " + quoted(line), want: "close it on the line on which it is opened"}
}

// decode reads up to limit rows.
func (c *csvRows) decode(ctx context.Context, t *table, limit int) (int, error) {
	for n := range limit {
		if n > 0 && c.in.waiting != nil && !c.in.ready() {
			return n, nil
		}
		line, number, err := c.nextRow(ctx)
		if n > 0 && (err == io.EOF || err != nil && err == ctx.Err()) {
			return n, nil // what stopped it is found again by the next call
		}
		if err != nil {
			return n, err
		}
		if bad := c.row(line, t, n); bad != nil {
			return n, bad.at(c.name, c.rows, number)
		}
		c.rows++
	}
	return limit, nil
}

// nextRow returns the line of the next row and its number.
func (c *csvRows) nextRow(ctx context.Context) ([]byte, int, error) {
	if line := c.first; line != nil {
		c.first = nil
		return line, c.firstLine, nil
	}
	for {
		line, err := c.next(ctx)
		if err == io.EOF && c.rows == 0 {
			return nil, 0, c.stan.none().at(c.name, -1, 0)
		}
		if err != nil {
			if e, ok := err.(*Error); ok {
				e.Row = c.rows
			}
			return nil, 0, err
		}
		if len(line) == 0 || line[0] <= ' ' && len(bytes.TrimSpace(line)) == 0 {
			if c.blank == 0 {
				c.blank = c.in.number
			}
			continue
		}
		if c.blank > 0 {
			return nil, 0, emptyLine().at(c.name, c.rows, c.blank)
		}
		if !c.stan.known {
			return line, c.in.number, nil
		}
		draw, bad := c.stanDraw(line)
		if bad != nil {
			return nil, 0, bad.at(c.name, c.rows, c.in.number)
		}
		if draw {
			return line, c.in.number, nil
		}
	}
}

// stanDraw reports whether a line of a file of CmdStan's is a draw after the warm-up. It is none where it is a comment, and where the run
// was aborted within it.
func (c *csvRows) stanDraw(line []byte) (bool, *fault) {
	switch {
	case line[0] == '#':
		return false, c.stan.comment(line)
	case c.in.open && c.stan.aborted(1+bytes.Count(line, []byte{c.separator})):
		c.stan.cut = true
		return false, nil
	}
	return c.stan.take(), nil
}

// row puts the cells of a line into a row of the table.
func (c *csvRows) row(line []byte, t *table, row int) *fault {
	if line[0] == '#' {
		return &fault{found: "a comment between rows, " + quoted(line), want: "leave it out, or put it above the header"}
	}
	fields := t.layout.fields
	rest, more := line, true
	for i := range fields {
		if !more {
			return c.ragged(line, len(fields))
		}
		var cell []byte
		var bad *fault
		cell, rest, more, bad = c.cut(rest)
		if bad != nil {
			return bad.in(fields[i].name)
		}
		if !fields[i].used {
			continue
		}
		if fields[i].target.quantity == wholePath {
			bad = t.setPathText(&fields[i], row, cell)
		} else {
			bad = t.setText(&fields[i], row, 0, cell)
		}
		if bad != nil {
			// A value in the wrong column is found because cells are missing or too many. That is what to say then.
			if r := c.ragged(line, len(fields)); r != nil {
				return r
			}
			return bad
		}
	}
	if more {
		return c.ragged(line, len(fields))
	}
	return t.checkEnds(row)
}

// ragged returns the fault of a row that does not have as many cells as there are columns, and nil where it does.
func (c *csvRows) ragged(line []byte, columns int) *fault {
	cells, bad := c.cells(line)
	if bad != nil {
		return bad
	}
	if len(cells) == columns {
		return nil
	}
	want := fmt.Sprintf("write %d in every row, one for each column", columns)
	if len(cells) > columns && bytes.ContainsAny(line, "([") {
		want += ", with coordinates in quotation marks or as in 3;4"
	}
	return &fault{found: selector.Count(len(cells), "cell"), want: want}
}
