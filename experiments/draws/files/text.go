package files

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// textRows reads rows of text whose cells are separated by commas, tabs, semicolons or blanks.
type textRows struct {
	in        *lines
	separator byte
	columns   []string // the cells of the first line
	headed    bool     // whether they are names
	first     []byte   // the first row, if it is the first line; nil afterwards
	number    int      // the line of the last row
	blank     int      // the line of the first blank line, which no row may follow; 0 if there was none
	cells     []Cell
	unquoted  []byte
	stan      stanRun // what the comments say of a run of CmdStan's
}

const (
	blanks      = ' ' // the separator of cells between which any number of blanks and tabs stand
	noSeparator = 0   // that of lines that are one cell
)

// openText finds the columns in the first line that is no comment, or that the line is a row.
func (t *Table) openText(ctx context.Context, in *lines, o TableOptions) error {
	r := &textRows{in: in}
	t.rows = r
	line, err := r.head(ctx)
	if err == io.EOF {
		return noRows()
	}
	if err != nil {
		return err
	}
	r.number = in.number
	r.separator = separatorOf(line)
	var room []Cell
	room, bad := r.splitCells(line, room)
	if bad != nil {
		return bad
	}
	for _, cell := range room {
		last := len(r.columns) - 1
		if last >= 0 && strings.Count(r.columns[last], "[") > strings.Count(r.columns[last], "]") {
			r.columns[last] += string(r.separator) + string(cell.text) // a name such as beta[1,2]
			continue
		}
		r.columns = append(r.columns, string(cell.text))
	}
	t.width = len(r.columns)
	if t.width == 1 {
		r.separator = noSeparator // so that a label may have any character in it
	}
	isRow := o.Row != nil && o.Row(r.columns)
	switch {
	case isRow:
		r.first = bytes.Clone(line)
		if t.width == 1 {
			t.first, _ = room[0].Integer()
		}
		return nil
	case isNumbers(r.columns):
		return wrong("a line of values, "+listed(r.columns)+", and no names above it",
			"write one row a line, and a first line with the names of the columns (breadboard help files)")
	case strings.HasPrefix(r.columns[0], "[ID:"):
		return wrong("a file of MrBayes", `write, in Python, pandas.read_csv(PATH, sep="\t", comment="[").`+
			`rename(columns={"Gen": "draw"}).to_csv("draws.csv", index=False)`)
	case strings.IndexAny(r.columns[0], "[({") == 0:
		return wrong("a list, "+Quoted(line), "write one row a line, and a first line with the names of the columns")
	}
	r.headed = true
	t.names = slices.Clone(r.columns)
	return r.checkNames(t.names)
}

// head returns the first line that is no comment.
func (r *textRows) head(ctx context.Context) ([]byte, error) {
	for {
		line, err := r.nextLine(ctx)
		if err != nil {
			return nil, err
		}
		switch {
		case !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0:
			return nil, wrong("bytes that are not UTF-8 text, "+Quoted(line),
				"write a line with the names of the columns, and then the rows")
		case bytes.IndexByte(line, '\r') >= 0:
			return nil, wrong("lines that end in a carriage return alone", "end them with a line feed")
		}
		remark, is := tables.Comment(string(bytes.TrimSpace(line)))
		if !is {
			r.blank = 0
			return line, nil
		}
		r.stan.configure(remark)
	}
}

// checkNames looks at the names of the columns, which it changes to those of Stan's own tables in
// files of CmdStan's.
func (r *textRows) checkNames(names []string) error {
	if !r.stan.known {
		return nil
	}
	for i, name := range names {
		names[i] = stanName(name)
	}
	if bad := r.stan.checkComments(len(names)); bad != nil {
		return bad
	}
	return nil
}

// nextLine returns the next line that is not blank.
func (r *textRows) nextLine(ctx context.Context) ([]byte, error) {
	for {
		line, err := r.in.nextLine(ctx)
		if err == errLongLine {
			r.number = r.in.number
			return nil, longLine()
		}
		if err != nil || len(line) > 0 && line[0] > ' ' || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
		if r.blank == 0 {
			r.blank = r.in.number
		}
	}
}

func (r *textRows) line() int { return r.number }

func (r *textRows) ready() bool { return r.first != nil || r.in.waiting == nil || r.in.ready() }

func (r *textRows) binary(int) (p draws.Precision, is bool) { return p, false }

func (r *textRows) remarks() []string { return r.stan.notes() }

func (r *textRows) next(ctx context.Context) ([]Cell, error) {
	line := r.first
	r.first = nil
	for line == nil {
		next, err := r.nextLine(ctx)
		if err == io.EOF && r.stan.known && r.stan.rows <= r.stan.warm {
			return nil, r.stan.none()
		}
		if err != nil {
			return nil, err
		}
		r.number = r.in.number
		line, err = r.parseRow(next)
		if err != nil {
			return nil, err
		}
	}
	cells, bad := r.splitCells(line, r.cells[:0])
	r.cells = cells
	switch {
	case bad != nil:
		return nil, bad
	case len(cells) != len(r.columns):
		return nil, ragged(len(cells), len(r.columns))
	case r.headed && r.isHeader(cells):
		return nil, wrong("the header again", "give every chain as a file of its own")
	}
	return cells, nil
}

// parseRow returns a line if it is a row, and nil if it is a comment or of the warm-up of CmdStan.
func (r *textRows) parseRow(line []byte) ([]byte, error) {
	if line[0] == '#' {
		if bad := r.stan.comment(line); bad != nil {
			return nil, bad
		}
		return nil, nil
	}
	if !r.stan.known {
		if r.blank > 0 {
			r.number = r.blank
			return nil, wrong("an empty line between rows", "leave it out")
		}
		return line, nil
	}
	if r.in.open && r.stan.aborted(1+bytes.Count(line, []byte{r.separator})) {
		r.stan.cut = true
		return nil, nil
	}
	if !r.stan.countRow() {
		return nil, nil
	}
	return line, nil
}

// isHeader reports whether a row has the cells of the first line again, which are no row.
func (r *textRows) isHeader(cells []Cell) bool {
	for i, cell := range cells {
		if string(cell.text) != r.columns[i] {
			return false
		}
	}
	return len(cells) > 1
}

// isNumbers reports whether all cells are numbers.
func isNumbers(cells []string) bool {
	return !slices.ContainsFunc(cells, func(cell string) bool {
		_, is := Cell{text: []byte(cell)}.Number()
		return !is
	})
}

// separatorOf finds the separator in a line: a tab, a comma, a semicolon or blanks, the first of
// them that stands outside of quotation marks and brackets.
func separatorOf(line []byte) byte {
	depth := 0
	outside := strings.Map(func(r rune) rune {
		switch r {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
		if depth > 0 {
			return -1
		}
		return r
	}, string(bytes.TrimSpace(line)))
	separator := byte(tables.SeparatorOf(outside, "\t,; "))
	fields := selector.Fields(outside)
	if separator == '\t' && isNumbers(fields) && len(fields) > 1+strings.Count(outside, "\t") {
		return blanks // numbers behind tabs and blanks
	}
	return separator
}

// splitCells appends the cells of a line, without blanks around them.
func (r *textRows) splitCells(line []byte, cells []Cell) ([]Cell, *fault) {
	rest := line
	more := true
	quoted := false
	for more {
		var cell []byte
		var bad *fault
		if r.separator == blanks || len(rest) > 0 && rest[0] <= ' ' {
			rest = trimLeft(rest, r.separator)
		}
		if len(rest) > 0 && rest[0] == '"' {
			if !quoted {
				r.unquoted = slices.Grow(r.unquoted[:0], len(line))
			}
			quoted = true
			cell, rest, more, bad = r.cutQuoted(rest)
		} else {
			cell, rest, more = r.cut(rest)
		}
		if bad != nil {
			return cells, bad
		}
		cells = append(cells, Cell{text: cell})
	}
	return cells, nil
}

// cut returns the first cell of the rest of a line, what follows after the separator, and whether
// there was one.
func (r *textRows) cut(line []byte) (cell, rest []byte, more bool) {
	also := r.separator
	if r.separator == blanks {
		also = '\t'
	}
	for i, b := range line { // cells are too short for bytes.IndexByte to be faster
		if r.separator == noSeparator || b != r.separator && b != also {
			continue
		}
		rest = line[i+1:]
		if r.separator == blanks {
			rest = trimLeft(rest, blanks)
			return line[:i], rest, len(rest) > 0
		}
		return trimRight(line[:i]), rest, true
	}
	return trimRight(line), nil, false
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
func (r *textRows) cutQuoted(line []byte) (cell, rest []byte, more bool, bad *fault) {
	begin := len(r.unquoted)
	for i := 1; i < len(line); i++ {
		if line[i] != '"' {
			r.unquoted = append(r.unquoted, line[i])
			continue
		}
		if i+1 < len(line) && line[i+1] == '"' {
			r.unquoted = append(r.unquoted, '"')
			i++
			continue
		}
		cell = bytes.Trim(r.unquoted[begin:], " \t")
		rest = trimLeft(line[i+1:], r.separator)
		switch {
		case len(rest) == 0:
			return cell, nil, false, nil
		case r.separator == blanks && len(rest) < len(line[i+1:]):
			return cell, rest, true, nil
		case r.separator != blanks && rest[0] == r.separator:
			return cell, rest[1:], true, nil
		}
		return nil, nil, false, wrong("a cell that continues after its closing quotation mark, "+Quoted(line),
			"double quotation marks inside a cell")
	}
	return nil, nil, false, wrong("a cell without its closing quotation mark, "+Quoted(line),
		"close it on the same line")
}
