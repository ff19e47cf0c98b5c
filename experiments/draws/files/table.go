package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// Table reads the rows of a table, one after another. It does not interpret the cells.
type Table struct {
	name  string
	names []string // of the columns; nil if there are none
	width int
	rows  rows
	close func() error
	read  int // how many rows have been read
	// the number in the first row, if it is the only one of a text without names of columns; else 0
	first   int64
	columns *Columns
	warm    int // how many rows of the warm-up were omitted
	notes   []string
}

// rows reads the rows of one format.
type rows interface {
	// next returns the cells of the next row, which are valid until the next call, and io.EOF after
	// the last. A fault is an error of the row.
	next(ctx context.Context) ([]Cell, error)
	// ready reports whether next returns without waiting.
	ready() bool
	// line returns the line of the last row; 0 if there are no lines.
	line() int
	// binary returns the precision of a column of a file of NumPy, and reports whether it has one.
	binary(column int) (draws.Precision, bool)
	// remarks say what was omitted from the file, once it has been read.
	remarks() []string
}

// TableOptions are the options of OpenTable and StreamTable.
type TableOptions struct {
	Roles Roles // of columns, if their names do not tell
	// Row reports whether the first line of a text is a row of a table whose columns have no names.
	// If it is nil they must have names.
	Row    func(cells []string) bool
	Chains bool  // whether the first sides of arrays are chains and draws, instead of rows
	Shape  Shape // of these sides
	// Elements returns the names of that many numbers that each draw of an array has that is alone
	// in its file; nil for the usual ones. An array without a Shape that has as many columns as
	// Sides has a row for each draw.
	Elements func(n int) []string
	Sides    int
	Content  []byte // of the file, if it is in memory; else nil
}

const (
	maxFile   = 1e12    // the most bytes of a text that is read row by row
	maxMemory = 1 << 30 // the most bytes of a file that is held in memory
	maxWidth  = 100_000 // the most columns
	maxChains = 10_000  // the most chains of a file
)

// OpenTable opens a file by the ending of its name: .npy and .npz are NumPy's formats, .json,
// .jsonl and .ndjson are JSON with an object for each row, and other files are text with a row a
// line. Errors in the content are an *Error. The caller closes the table.
func OpenTable(ctx context.Context, path string, o TableOptions) (*Table, error) {
	if err := refuseFormat(path); err != nil {
		return nil, err
	}
	arrays := numpy.Is(path)
	if o.Shape != "" && !arrays {
		return nil, wrong("a file that is not an array of NumPy",
			"leave {shape} out, which says what the sides of arrays are").withPlace(path, -1, 0)
	}
	file, err := o.openFile(numpy.FileOf(path))
	if err != nil {
		return nil, err
	}
	if arrays {
		defer file.Close()
		return openArrays(path, file, o)
	}
	t, err := newTable(ctx, path, &lines{in: &packedText{path: path, file: file}}, o)
	if err != nil {
		file.Close()
		return nil, err
	}
	t.close = file.Close
	return t, nil
}

// openFile opens a file, or the one that is in memory.
func (o *TableOptions) openFile(path string) (*selector.File, error) {
	if o.Content != nil {
		return selector.InMemory(path, o.Content, 1<<26), nil
	}
	return selector.OpenFile(path, maxFile)
}

// packedText reads a file from its beginning, unpacked if gzip has compressed it.
type packedText struct {
	path string
	file *selector.File
	in   io.Reader // nil until the first bytes are asked for
}

func (p *packedText) Read(to []byte) (n int, err error) {
	if p.in == nil {
		p.in, err = p.file.Text()
	}
	if err == nil {
		n, err = p.in.Read(to)
	}
	return n, packedFault(p.path, err)
}

// StreamTable reads a stream, which may be endless: text, or JSON if it begins with an object. The
// name is for messages. A call returns at once when its context ends; bytes that arrive later are
// not lost.
func StreamTable(ctx context.Context, name string, in io.Reader, o TableOptions) (*Table, error) {
	return newTable(ctx, name, &lines{waiting: &waiting{in: in}}, o)
}

// newTable reads the beginning of a text.
func newTable(ctx context.Context, name string, in *lines, o TableOptions) (*Table, error) {
	t := &Table{name: name, close: func() error { return nil }}
	if err := checkText(ctx, name, in); err != nil {
		return nil, err
	}
	isJSON, err := beginsAsJSON(ctx, in)
	if err != nil {
		return nil, err
	}
	if isJSON || strings.HasPrefix(selector.Ending(name), ".json") || selector.Ending(name) == ".ndjson" {
		err = t.openJSON(ctx, in)
	} else {
		err = t.openText(ctx, in, o)
	}
	if bad, is := errors.AsType[*fault](err); is {
		err = bad.withPlace(name, -1, in.number)
	}
	if err == nil && t.width > maxWidth {
		err = t.WrongColumns(selector.Count(t.width, "column"), "write at most %d", maxWidth)
	}
	return t, err
}

// beginsAsJSON reports whether a text begins with an object, or with a list of objects.
func beginsAsJSON(ctx context.Context, in *lines) (bool, error) {
	const most = 64
	for n := 1; n < most; n++ {
		start, err := in.peekBytes(ctx, n)
		if err != nil || len(start) < n {
			return false, err
		}
		switch start[n-1] {
		case '{':
			return true, nil
		case ' ', '\t', '\r', '\n', '[':
		default:
			return false, nil
		}
	}
	return false, nil
}

// Name returns the path of the file or the name of the stream.
func (t *Table) Name() string { return t.name }

// Names returns the names of the columns; nil if they have none.
func (t *Table) Names() []string { return t.names }

// Width returns the number of columns.
func (t *Table) Width() int { return t.width }

// Close closes the file. It does not close the input of a stream.
func (t *Table) Close() error { return t.close() }

// Next returns the cells of the next row that is not of the warm-up, which are valid until the next
// call, and io.EOF after the last. An *Error in a row ends the table. If the context is done Next
// returns its error and may be called again.
func (t *Table) Next(ctx context.Context) ([]Cell, error) {
	for {
		cells, err := t.rows.next(ctx)
		if err == io.EOF && t.read == 0 {
			return nil, noRows().withPlace(t.name, -1, 0)
		}
		if err == io.EOF && t.first > 1 && t.first == int64(t.read-1) {
			return nil, t.WrongColumns(fmt.Sprintf("%d, and %[1]d rows below it", t.first),
				"delete the first line if it counts the rows, or write a heading above it")
		}
		if bad, is := errors.AsType[*fault](err); is {
			return nil, bad.withPlace(t.name, t.read, t.rows.line())
		}
		if err != nil {
			return nil, err
		}
		t.read++
		if t.columns == nil {
			return cells, nil
		}
		if at := t.columns.Chain; at >= 0 && cells[at].isMissing() {
			return nil, t.Wrong(t.names[at], cells[at].Found(),
				"write the chain of every row, or leave the column out with {column} %s=none",
				t.names[at])
		}
		if at := t.columns.Number; at >= 0 && t.columns.Roles[at] == tables.Iteration {
			if v, _ := cells[at].Number(); v < 0 { // as NONMEM numbers the warm-up
				t.warm++
				continue
			}
		}
		if t.columns.warmup < 0 {
			return cells, nil
		}
		warm, ok := cells[t.columns.warmup].Number()
		if !ok || warm != 0 && warm != 1 {
			name := t.names[t.columns.warmup]
			return nil, t.Wrong(name, cells[t.columns.warmup].Found(),
				"say of every row whether it is of the warm-up, as 0 or 1, or give {column} %s=variable",
				name)
		}
		if warm == 0 {
			return cells, nil
		}
		t.warm++
	}
}

// ready reports whether Next returns without waiting.
func (t *Table) ready() bool { return t.rows.ready() }

// Notes say what was omitted, once all rows have been read.
func (t *Table) Notes() []string {
	notes := slices.Clone(t.notes)
	if t.warm > 0 {
		notes = append(notes, selector.Count(t.warm, "row")+" of the warm-up omitted, as a column says")
	}
	notes = append(notes, t.rows.remarks()...)
	for i, note := range notes {
		notes[i] = t.name + ": " + note
	}
	return notes
}

// Wrong returns the error for a column of the last row: what was found, and what to write instead,
// which may name options, like errs.New.
func (t *Table) Wrong(column, found, want string, args ...any) error {
	return t.WrongCell(column, found, errs.New(want, args...))
}

// WrongCell is Wrong with an error that says what to write.
func (t *Table) WrongCell(column, found string, want error) error {
	return (&fault{column, found, want}).withPlace(t.name, t.read-1, t.rows.line())
}

// WrongColumns returns the error for the names of the columns: what was found, and what to write
// instead, which may name options.
func (t *Table) WrongColumns(found, want string, args ...any) error {
	line := 0
	if t.rows != nil {
		line = min(1, t.rows.line())
	}
	return wrong(found, want, args...).withPlace(t.name, -1, line)
}

// Place returns the place of the last row, as in "draws.csv, line 3 (row 2)".
func (t *Table) Place() string {
	return (&Error{Source: t.name, Row: t.read - 1, Line: t.rows.line()}).describePlace()
}

// ragged is the fault of a row that has not as many cells as there are columns.
func ragged(cells, columns int) *fault {
	want := fmt.Sprintf("write %d in every row, one for each column", columns)
	switch {
	case cells == columns+1:
		want += "; a name before each row needs a heading too, as by write.csv in R"
	case columns == 1:
		want = "write one value a line"
	case cells > columns:
		want += ", with coordinates as in 3;4"
	}
	return wrong(selector.Count(cells, "cell"), "%s", want)
}
