package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Rows reads the rows of a text as they stand, also of one whose first line names no columns.
// Arrays of .npy and coda's files are read as the text of their numbers. It knows nothing of what
// the cells mean.
type Rows struct {
	csvRows
	names []string
	cells [][]byte
	array bool // whether there are no lines that a reader could look up
	close func() error
}

// mostNumbers is the most numbers of an array, and of coda's files, which are read at once.
const mostNumbers = 1 << 24

// Header reports whether the cells of the first line name the columns. It knows the next line too,
// which is empty if there is none, or it has not come yet.
type Header func(cells []string, next string) bool

// OpenRows opens a file. Whether its first line names the columns is asked of header; the last
// comment above it may name them too, as numpy.savetxt writes it. The caller closes it.
func OpenRows(ctx context.Context, path string, header Header) (*Rows, error) {
	var text io.Reader
	ending := selector.Ending(path)
	closing := func() error { return nil }
	switch {
	case isCodaIndex(path):
		draws, err := ReadDraws(ctx, []string{path}, DrawsOptions{Most: mostNumbers})
		if err != nil {
			return nil, err
		}
		text = draws.text()
	case ending == ".npy":
		series, err := Series(ctx, path, mostNumbers)
		if err != nil {
			return nil, err
		}
		rows := slices.Values(series)
		if len(series) == 1 { // an array of one dimension has a row for each of its numbers
			rows = slices.Chunk(series[0], 1)
		}
		text = textOf(nil, rows)
	case slices.Contains([]string{".csv", ".tsv", ".txt"}, ending):
		file, err := selector.OpenFile(path, maxFile)
		if err != nil {
			return nil, err
		}
		closing = file.Close
		if text, err = file.Text(); err != nil {
			closing()
			return nil, err
		}
	default:
		return nil, wrongEnding(path, "write text with a row for each draw to .csv, .tsv or .txt, or NumPy arrays to .npy; for coda's files give the index, such as CODAindex.txt")
	}
	array := isCodaIndex(path) || ending == ".npy"
	asked := header
	if array { // whose numbers are written here, so that 0 says no more than 0.0
		asked = func(cells []string, _ string) bool { return header(cells, "") }
	}
	r, err := newRows(ctx, path, &lines{in: text}, asked)
	if err != nil {
		closing()
		return nil, err
	}
	r.close, r.array = closing, array
	return r, nil
}

// StreamRows reads a stream, which may be endless. When the context of a call is done the call
// returns at once.
func StreamRows(ctx context.Context, name string, in io.Reader, header Header) (*Rows, error) {
	return newRows(ctx, name, &lines{waiting: &waiting{in: in}}, header)
}

func newRows(ctx context.Context, name string, in *lines, header Header) (*Rows, error) {
	r := &Rows{csvRows: csvRows{textRows: textRows{name: name, in: in}}, close: func() error { return nil }}
	cells, comment, row, err := r.top(ctx, func(cells []string) bool { return !header(cells, in.following()) })
	if err != nil {
		return nil, err
	}
	if r.columns = cells; !row {
		r.names = cells
	} else if named, bad := (&csvRows{separator: separatorOf(comment)}).cells(comment); len(comment) > 0 && bad == nil && len(named) == len(cells) && header(named, "") {
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
	return r, nil
}

// text returns the draws of all chains, one after another, as text with a first line of names.
func (d *Draws) text() io.Reader {
	var rows [][]float64
	for chain := range d.Sources {
		for draw := range d.Values[0][chain] {
			row := []float64{float64(chain + 1)}
			for i := range d.Names {
				row = append(row, d.Values[i][chain][draw])
			}
			rows = append(rows, row)
		}
	}
	return textOf(append([]string{ChainColumn}, d.Names...), slices.Values(rows))
}

// textOf returns rows of numbers as text, with a first line of names if there are any.
func textOf(names []string, rows iter.Seq[[]float64]) io.Reader {
	var b []byte
	for i, name := range names {
		b = append(b, name...)
		b = append(b, "\t\n"[min(1, (i+1)/len(names))])
	}
	for row := range rows {
		for i, v := range row {
			b = strconv.AppendFloat(b, v, 'g', -1, 64)
			b = append(b, "\t\n"[min(1, (i+1)/len(row))])
		}
	}
	return bytes.NewReader(b)
}

// Name returns the path of the file or the name of the stream.
func (r *Rows) Name() string { return r.name }

// Names returns the names of the columns; nil if nothing names them.
func (r *Rows) Names() []string { return r.names }

// Numbered reports whether the first line is 0, 1, 2, ..., two or more.
func (r *Rows) Numbered() bool { return numbered(r.columns) }

// Width returns the number of columns.
func (r *Rows) Width() int { return len(r.columns) }

// Close closes the file. It does not close the input of a stream.
func (r *Rows) Close() error { return r.close() }

// Notes say what was left out, once all rows have been read.
func (r *Rows) Notes() (notes []string) {
	for _, note := range r.stan.notes() {
		notes = append(notes, r.name+": "+note)
	}
	return notes
}

// Next returns the cells of the next row, which are valid until the next call, and io.EOF after the
// last.
func (r *Rows) Next(ctx context.Context) ([][]byte, error) {
	line, _, err := r.nextRow(ctx)
	if err != nil {
		return nil, err
	}
	r.cells = r.cells[:0]
	quoted := bytes.IndexByte(line, '"') >= 0
	bad := r.each(line, "rows", func(_ int, cell []byte) *fault {
		if quoted { // what was in quotation marks is written over by the next cell
			cell = bytes.Clone(cell)
		}
		r.cells = append(r.cells, cell)
		return nil
	})
	if r.rows++; bad != nil {
		return nil, r.Wrong(bad.column, bad.found, errors.New(bad.want))
	}
	return r.cells, nil
}

// Wrong returns the error of what was found in a column of the row that was read last, with what to
// write instead, which may name options.
func (r *Rows) Wrong(column, found string, want error) error {
	line := r.in.number
	if r.array {
		line = 0
	}
	return wanted(column, found, want).at(r.name, r.rows-1, line)
}

// WrongColumns returns the error of what was found in the first line, with what to write instead,
// which may name options.
func (r *Rows) WrongColumns(found string, want error) error {
	return wanted("", found, want).at(r.name, -1, min(1, r.in.number))
}

func wanted(column, found string, want error) *fault {
	if advice, is := errors.AsType[chains.Advice](want); is {
		return advised(found, advice).in(column)
	}
	return &fault{column: column, found: found, want: want.Error()}
}
