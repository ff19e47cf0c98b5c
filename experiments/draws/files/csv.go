package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// csvRows reads rows of text whose cells are separated by commas, tabs, semicolons or blanks.
type csvRows struct {
	textRows
	separator byte
	columns   []string // their names
	unquoted  []byte
	stan      stanRun   // what the comments say of a run of CmdStan's
	rowNames  *rowNames // nil unless each row begins with a name of its own
	decimal   bool      // whether decimals are written with a comma, so that it separates no cells
}

// blanks is the separator of cells between which any number of blanks and tabs stand.
const blanks = ' '

// noSeparator is the separator of lines that are one cell.
const noSeparator = 0

// openCSV reads the header, or finds out that there is none.
func openCSV(ctx context.Context, name string, in *lines, o Options) (*csvRows, *layout, error) {
	c := &csvRows{textRows: textRows{name: name, in: in}}
	cells, comment, headless, err := c.top(ctx, isRow)
	if err != nil {
		return nil, nil, err
	}
	names, bad, row, line := cells, (*fault)(nil), -1, c.in.number
	if headless {
		names, bad, row = unnamed(cells, comment, o)
	} else {
		bad = namedTwice("a header, "+listed(cells), cells, o)
	}
	var l *layout
	if bad == nil {
		if l, bad = newLayout(names, o.Space); headless {
			line = 0 // the names come from elsewhere, or from a comment
		}
	}
	if bad != nil {
		return nil, nil, bad.at(name, row, line)
	}
	for _, f := range l.fields {
		c.columns = append(c.columns, f.name)
	}
	if len(l.fields) == 1 && l.fields[0].state != absent {
		c.separator = noSeparator // so that a state can be written as 3,4 or (3, 4)
	}
	return c, l, nil
}

// top returns the cells of the first line that is no comment, the last comment above it, and
// whether the line is a row, which is then kept.
func (c *csvRows) top(ctx context.Context, isRow func(cells []string) bool) (cells []string, comment []byte, row bool, err error) {
	if err := checkText(ctx, c.name, c.in); err != nil {
		return nil, nil, false, err
	}
	for {
		line, _, err := c.textRows.next(ctx)
		if err == io.EOF {
			return nil, nil, false, noRows().at(c.name, -1, 0)
		}
		if err != nil {
			if e, ok := err.(*Error); ok {
				e.Row = -1
			}
			return nil, nil, false, err
		}
		bad := notText(line)
		if remark, is := tables.Comment(string(bytes.TrimSpace(line))); bad == nil && is {
			comment = []byte(strings.TrimLeft(remark, "#%/ \t"))
			c.stan.configure(remark)
			continue
		}
		if c.in.number == 1 && len(line) == len("sep=;") && bytes.HasPrefix(line, []byte("sep=")) { // for Excel
			continue
		}
		c.begun, c.separator = true, c.separatorOf(line)
		if bad == nil {
			cells, bad = c.cells(line)
		}
		if bad == nil && isRow(cells) {
			if bad = c.decimalComma(cells); bad != nil {
				return nil, nil, false, bad.at(c.name, -1, c.in.number)
			}
			c.keep(line)
			return cells, comment, true, nil
		}
		if bad == nil {
			bad = c.stan.begin(cells)
			c.gaps = c.stan.known
		}
		if bad != nil {
			return nil, nil, false, bad.at(c.name, -1, c.in.number)
		}
		return cells, comment, false, nil
	}
}

// decimalComma refuses two columns without names of a file, of which the second has digits behind a
// zero, as no whole number has, in one of the rows that have been read.
func (c *csvRows) decimalComma(cells []string) *fault {
	if len(cells) != 2 || c.separator != ',' {
		return nil
	}
	text := strings.Join(cells, ",") + "\n"
	if c.in.waiting == nil {
		text += string(c.in.buf[c.in.from:c.in.to])
	}
	for line := range strings.Lines(text) {
		whole, digits, _ := strings.Cut(strings.TrimSpace(line), ",")
		if len(digits) > 1 && digits[0] == '0' && strings.Trim(strings.TrimPrefix(whole, "-")+digits, "0123456789") == "" {
			return &fault{found: fmt.Sprintf("rows such as %s,%s, each of which may be one number with a decimal comma, or two columns", whole, digits),
				want: "write decimals with points, as by tr , . <FILE >NEW, or name the columns in a first line"}
		}
	}
	return nil
}

// notText returns the fault of a header that is no text.
func notText(line []byte) *fault {
	switch {
	case !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0:
		return &fault{found: "bytes that are not UTF-8 text, " + quoted(line), want: "write a line with the names of the columns, and then the rows"}
	case bytes.IndexByte(line, '\r') >= 0:
		return &fault{found: "lines that end in a carriage return alone", want: "end them with a line feed"}
	}
	return nil
}

// sameNames reports whether two lists of names are the same but for blanks around them.
func sameNames(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return strings.TrimSpace(x) == strings.TrimSpace(y) })
}

// unnamed returns the names of the columns of a text that begins with a row of cells: those in the
// comment above it, or those of the options. A fault is in the returned row, or in none if that is
// -1.
func unnamed(cells []string, comment []byte, o Options) (names []string, bad *fault, row int) {
	names, bad = (&csvRows{separator: separatorOf(comment)}).cells(comment)
	switch {
	case bad == nil && len(names) == len(cells) && isHeader(names):
		return names, namedTwice("a header, "+listed(names), names, o), -1
	case o.Columns == nil && o.Alone != "" && len(cells) == 1:
		return []string{o.Alone}, nil, -1
	case o.Columns == nil:
		return nil, advised("a row of values and no header",
			chains.NewAdvice("write a first line with the names of the columns, %s, or give {input-columns|them separately}", usable(o.Space))), -1
	case len(o.Columns) != len(cells):
		return nil, &fault{found: selector.Count(len(cells), "cell"),
			want: fmt.Sprintf("write %d in every row, one for each of %s", len(o.Columns), listed(o.Columns))}, 0
	}
	return o.Columns, nil, -1
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
		for part := range bytes.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" ;,\t\"", r) }) {
			_, _, number := draws.ParseNumber(part)
			_, infinity := parseInfinity(part)
			if !number && !infinity && !bytes.EqualFold(part, []byte("nan")) {
				return false
			}
		}
	}
	return true
}

// separatorOf finds the separator in the first line: that which separatorOf finds, blanks if tabs
// and blanks alike separate numbers, and no comma where it is that of decimals.
func (c *csvRows) separatorOf(line []byte) byte {
	if c.decimal {
		line = bytes.ReplaceAll(line, []byte(","), []byte("."))
	}
	separator := separatorOf(line)
	if words := selector.Fields(string(line)); separator == '\t' && isRow(words) && len(words) > 1+bytes.Count(bytes.TrimSpace(line), []byte{'\t'}) {
		return blanks
	}
	return separator
}

// separatorOf finds the separator in a line.
func separatorOf(line []byte) byte {
	return byte(tables.SeparatorOf(string(bytes.TrimSpace(line)), "\t,; "))
}

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

// cut returns the first cell of the rest of a line without blanks around it, what follows after the
// separator, and whether there was one.
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

// end returns the index of the first separator, and -1 if there is none.
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
		return nil, nil, false, &fault{found: "a cell that continues after its closing quotation mark, " + quoted(line), want: "double quotation marks inside a cell"}
	}
	return nil, nil, false, &fault{found: "a cell without its closing quotation mark, " + quoted(line), want: "close it on the same line"}
}

func (c *csvRows) decode(ctx context.Context, t *table, limit int) (int, error) {
	return c.textRows.decode(ctx, limit, c.nextRow, func(line []byte, row int) *fault {
		if bad := c.each(line, "header", func(i int, cell []byte) *fault { return t.setCell(&t.layout.fields[i], row, cell) }); bad != nil {
			return bad
		}
		return t.checkEnds(row)
	})
}

// nextRow returns the line of the next row and its number.
func (c *csvRows) nextRow(ctx context.Context) ([]byte, int, error) {
	kept := c.first != nil
	for {
		line, number, err := c.next(ctx)
		if err == io.EOF && c.rows == 0 {
			return nil, 0, c.stan.none().at(c.name, -1, 0)
		}
		if err != nil || kept {
			return line, number, err
		}
		if !c.stan.known {
			return c.unnamedRow(line), number, nil
		}
		draw, bad := c.stanDraw(line)
		if bad != nil {
			return nil, 0, bad.at(c.name, c.rows, number)
		}
		if draw {
			return line, number, nil
		}
	}
}

// stanDraw reports whether a line of a file of CmdStan's is a draw after the warm-up. It is none if
// it is a comment, and if the run was aborted within it.
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

// commentBetween is the fault of a comment between rows, which belongs above the header or above
// the rows.
func commentBetween(line []byte, above string) *fault {
	return &fault{found: "a comment between rows, " + quoted(line), want: "delete it, or put it above the " + above}
}

// each calls put with every cell of a row and returns the first fault. Comments belong above the
// line of that name.
func (c *csvRows) each(line []byte, above string, put func(column int, cell []byte) *fault) *fault {
	if bytes.HasPrefix(line, []byte("#")) {
		return commentBetween(line, above)
	}
	rest, more := line, true
	for i := range c.columns {
		if !more {
			return c.ragged(line)
		}
		var cell []byte
		var bad *fault
		if cell, rest, more, bad = c.cut(rest); bad != nil {
			return bad.in(c.columns[i])
		}
		if bad = put(i, cell); bad != nil {
			// A value in the wrong column is found because cells are missing or too many. That is
			// what to say then.
			if ragged := c.ragged(line); ragged != nil {
				return ragged
			}
			return bad
		}
	}
	if more {
		return c.ragged(line)
	}
	return nil
}

// ragged returns the fault of a row that does not have as many cells as there are columns, and nil
// if it does.
func (c *csvRows) ragged(line []byte) *fault {
	cells, bad := c.cells(line)
	columns := len(c.columns)
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
