package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
)

// Rows reads the rows of a text unchanged, with or without a first line of column names. Arrays of
// NumPy and files of coda are read as the text of their numbers. It does not interpret the cells.
type Rows struct {
	csvRows
	names   []string
	of      *Columns // what the columns are for; nil until ColumnsOf has found it
	headed  bool     // whether the first line names the columns
	cells   [][]byte
	lists   []int           // by column of the text, how many numbers a list in its cells has; 0 of single cells, and nil if there are no lists
	array   bool            // whether there are no lines that a reader could look up
	between int             // how many comments between rows have been passed over
	warm    int             // how many rows were of the warm-up
	drawn   map[string]bool // by chain, whether a row has come that is not
	close   func() error
	numbers []float64 // of an array, those that have not been read; the text is no more than what stands above them
	width   int       // how many of them are a row; 0 of a text
	digits  []byte    // of the cells

	said   []string // how an array is read
	doubts []chains.Advice
}

// mostNumbers is the most numbers of an array, and of coda's files, which are read at once.
const mostNumbers = 1 << 24

// Header reports whether the cells of the first line name the columns. Next is the next line, empty
// if there is none, or it has not arrived.
type Header func(cells []string, next string) bool

// OpenRows opens a file. Header decides whether its first line names the columns; the last comment
// above it may name them too, as numpy.savetxt writes it. The options say how arrays of draws are
// read, and which variables they are; at most mostNumbers are read. The caller closes it.
func OpenRows(ctx context.Context, path string, header Header, o DrawsOptions) (*Rows, error) {
	if err := onlyOfArrays(path, o.Shape); err != nil {
		return nil, err
	}
	switch ending := selector.Ending(path); {
	case path == Stdin && o.Stdin != nil:
		return newRows(ctx, "standard input", &lines{waiting: &waiting{in: o.Stdin}, ends: true}, header, o)
	case o.Content == nil && isCodaIndex(path), isChainsJSON(path), numpy.Is(path) && ending != ".npy":
		return rowsOfDraws(ctx, path, header, o)
	case ending == ".npy":
		return rowsOfArray(ctx, path, header, o)
	}
	if found, _ := unread(path); found != "" || slices.Contains([]string{".jsonl", ".ndjson", ".json"}, selector.Ending(path)) {
		return nil, wrongEnding(path, "write text with a row for each draw, or NumPy arrays to .npy or .npz; for coda's files give the index, such as CODAindex.txt")
	}
	file, err := o.open(path)
	if err != nil {
		return nil, err
	}
	r, err := newRows(ctx, path, linesOf(path, file), header, o)
	if err != nil {
		file.Close()
		return nil, err
	}
	r.close = file.Close
	return r, nil
}

// Stdin is the path of standard input.
const Stdin = "-"

// rowsOfDraws returns the draws of a file as rows that begin with the number of their chain.
func rowsOfDraws(ctx context.Context, path string, header Header, o DrawsOptions) (*Rows, error) {
	o.Most = mostNumbers
	draws, err := ReadDraws(ctx, []string{path}, o)
	if err != nil {
		return nil, err
	}
	r, err := inMemory(ctx, path, append([]string{ChainColumn}, draws.Names...), draws.flat(), 1+len(draws.Names), header)
	if err == nil {
		r.said, r.doubts = draws.Notes, draws.Doubts
	}
	return r, err
}

// rowsOfArray returns the rows of an array of two sides as they stand, and those of one with a row
// for each number. Others are draws.
func rowsOfArray(ctx context.Context, path string, header Header, o DrawsOptions) (*Rows, error) {
	file, err := o.open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	a, err := alone(ctx, path, file, mostNumbers)
	switch {
	case err != nil:
		return nil, err
	case o.Shape != "" || len(a.sides) > 2:
		return rowsOfDraws(ctx, path, header, o)
	}
	if bad := a.notFinite(); bad != nil {
		return nil, bad.at(path, -1, 0)
	}
	width := a.sides[len(a.sides)-1]
	if len(a.sides) == 1 {
		width = 1
	}
	return inMemory(ctx, path, nil, a.numbers, width, header)
}

// ByChain returns the rows of an array with a chain in each row: the chain's number, and a value,
// whose column has the given name.
func (r *Rows) ByChain(ctx context.Context, name string, header Header) (*Rows, error) {
	numbers := make([]float64, 0, 2*len(r.numbers))
	for i, v := range r.numbers {
		numbers = append(numbers, float64(i/r.width+1), v)
	}
	return inMemory(ctx, r.name, []string{ChainColumn, name}, numbers, 2, header)
}

// Length returns the number of rows of an array.
func (r *Rows) Length() int { return len(r.numbers) / r.width }

// inMemory returns the rows of numbers that no file has lines of, width numbers in each. Without
// names of the columns the first row may have them.
func inMemory(ctx context.Context, path string, names []string, numbers []float64, width int, header Header) (*Rows, error) {
	top := strings.Join(names, "\t")
	if names == nil {
		for _, v := range numbers[:width] {
			top += "\t" + string(appendNumber(nil, v))
		}
		top = top[1:]
	}
	named := func(cells []string, _ string) bool { return names != nil || header(cells, "") }
	r, err := newRows(ctx, path, &lines{in: strings.NewReader(top + "\n")}, named, DrawsOptions{})
	if err != nil {
		return nil, err
	}
	if r.array, r.doubts, r.numbers, r.width = true, nil, numbers, width; r.headed && names == nil {
		r.numbers = numbers[width:]
	}
	return r, nil
}

// appendNumber appends the shortest text of a number.
func appendNumber(b []byte, v float64) []byte {
	if n := int(v); n > 0 && n < 1e6 && float64(n) == v { // the same text, sooner
		return strconv.AppendInt(b, int64(n), 10)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// StreamRows reads a stream, which may be endless. A call returns at once when its context ends.
func StreamRows(ctx context.Context, name string, in io.Reader, header Header) (*Rows, error) {
	return newRows(ctx, name, &lines{waiting: &waiting{in: in}}, header, DrawsOptions{})
}

func newRows(ctx context.Context, name string, in *lines, header Header, o DrawsOptions) (*Rows, error) {
	r := &Rows{csvRows: csvRows{textRows: textRows{name: name, in: in}, decimal: o.Decimal == Comma}, close: func() error { return nil }}
	if err := checkText(ctx, name, in); err != nil {
		return nil, err
	}
	if err := r.skipPreamble(ctx); err != nil {
		return nil, err
	}
	cells, comment, row, err := r.top(ctx, func(cells []string) bool { return !header(cells, in.following()) })
	if err != nil {
		return nil, err
	}
	if r.columns, r.headed = cells, !row; !row {
		r.names = slices.Clone(cells)
	} else if named, bad := (&csvRows{separator: separatorOf(comment)}).cells(comment); len(comment) > 0 && bad == nil && len(named) == len(cells) &&
		header(named, "") {
		r.names = named
	}
	for i, name := range r.names {
		if r.names[i] = strings.TrimSpace(name); r.stan.known {
			r.names[i] = stanName(name)
		}
	}
	if len(cells) == 1 {
		r.separator = noSeparator // so that a label may have any character in it
	}
	if row && o.TopLine == "" && tables.Counted(cells) && (len(cells) > 1 || strings.Contains(in.following(), ".")) {
		r.doubts = append(r.doubts, chains.NewAdvice("%s: the first line, %s, is taken as a row; if it numbers the columns, give {header} yes", name, listed(cells)))
	}
	r.vectors()
	return r, nil
}

// flat returns the draws of all chains, one after another, each behind the number of its chain.
func (d *Draws) flat() (numbers []float64) {
	for chain := range d.Sources {
		for draw := range d.Values[0][chain] {
			numbers = append(numbers, float64(chain+1))
			for i := range d.Names {
				numbers = append(numbers, d.Values[i][chain][draw])
			}
		}
	}
	return numbers
}

// Name returns the path of the file or the name of the stream.
func (r *Rows) Name() string { return r.name }

// Names returns the names of the columns; nil if there are none.
func (r *Rows) Names() []string { return r.names }

// Numbered reports whether the first line is 0, 1, 2, ..., at least two numbers.
func (r *Rows) Numbered() bool { return numbered(r.columns) }

// Width returns the number of columns.
func (r *Rows) Width() int { return max(len(r.columns), len(r.names)) }

// Close closes the file. It does not close the input of a stream.
func (r *Rows) Close() error { return r.close() }

// Notes say what was omitted, after all rows have been read.
func (r *Rows) Notes() (notes []string) {
	if notes = slices.Clone(r.said); r.between > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s between rows omitted", r.name, selector.Count(r.between, "comment")))
	}
	if r.warm > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s of the warm-up omitted, as a column says", r.name, selector.Count(r.warm, "row")))
	}
	for _, note := range r.stan.notes() {
		notes = append(notes, r.name+": "+note)
	}
	return notes
}

// Doubts are other possible meanings of the file.
func (r *Rows) Doubts() []chains.Advice { return slices.Clone(r.doubts) }

// Next returns the cells of the next row that is not of the warm-up, which are valid until the next
// call, and io.EOF after the last.
func (r *Rows) Next(ctx context.Context) ([][]byte, error) {
	for {
		if err := r.read(ctx); err != nil || r.of == nil {
			return r.cells, err
		}
		if r.headed && slices.EqualFunc(r.cells, r.columns, func(cell []byte, name string) bool { return string(cell) == name }) {
			return nil, r.Wrong("", "the header again", errors.New("give every chain as a file of its own"))
		}
		if warm, err := r.isWarm(); !warm || err != nil {
			return r.cells, err
		}
	}
}

// read reads the cells of the next row.
func (r *Rows) read(ctx context.Context) error {
	if r.width > 0 {
		return r.readNumbers(ctx)
	}
	line, _, err := r.nextRow(ctx)
	for ; err == nil && bytes.HasPrefix(line, []byte("#")); line, _, err = r.nextRow(ctx) {
		r.between++
	}
	if err != nil {
		return err
	}
	r.cells = r.cells[:0]
	quoted := bytes.IndexByte(line, '"') >= 0
	bad := r.each(line, "rows", func(column int, cell []byte) *fault {
		if quoted { // what was in quotation marks is written over by the next cell
			cell = bytes.Clone(cell)
		}
		return r.put(column, cell)
	})
	if r.rows++; bad != nil {
		return r.Wrong(bad.column, bad.found, errors.New(bad.want))
	}
	return nil
}

// Known skips the next row of an array of one column if its number is an index in a list with a
// value other than 0, and returns that value. It makes no text of the row.
func (r *Rows) Known(list []int32) int32 {
	if r.width != 1 || len(r.numbers) == 0 {
		return 0
	}
	v := r.numbers[0]
	if !(v >= 0 && v < float64(len(list))) || float64(int(v)) != v || list[int(v)] == 0 {
		return 0
	}
	r.numbers, r.rows = r.numbers[1:], r.rows+1
	return list[int(v)]
}

// readNumbers gives the next row of an array as the texts of its numbers.
func (r *Rows) readNumbers(ctx context.Context) error {
	if len(r.numbers) == 0 {
		return io.EOF
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.cells, r.digits = r.cells[:0], r.digits[:0]
	for _, v := range r.numbers[:r.width] {
		begin := len(r.digits)
		r.digits = appendNumber(r.digits, v)
		r.cells = append(r.cells, r.digits[begin:])
	}
	r.numbers, r.rows = r.numbers[r.width:], r.rows+1
	return nil
}

// Wrong returns the error for a column of the last row: what was found, and what to write instead,
// which may name options.
func (r *Rows) Wrong(column, found string, want error) error {
	return wanted(column, found, want).at(r.name, r.rows-1, r.line())
}

// line returns the line of the row that was read last; 0 if there are no lines.
func (r *Rows) line() int {
	if r.array {
		return 0
	}
	return r.in.number
}

// Place returns the place of the last row, as in "draws.csv, line 3 (row 1)".
func (r *Rows) Place() string {
	return (&Error{Source: r.name, Row: r.rows - 1, Line: r.line()}).place()
}

// WrongColumns returns the error for the first line: what was found, and what to write instead,
// which may name options.
func (r *Rows) WrongColumns(found string, want error) error {
	return wanted("", found, want).at(r.name, -1, min(1, r.line()))
}

func wanted(column, found string, want error) *fault {
	if advice, is := errors.AsType[chains.Advice](want); is {
		return advised(found, advice).in(column)
	}
	return &fault{column: column, found: found, want: want.Error()}
}
