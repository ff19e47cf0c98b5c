package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"breadboard/chains/selector"
)

// Cells reads text whose first line names columns that are not those of a chain, and whose other lines are rows of as many cells,
// separated by commas. It knows nothing of what the cells mean.
type Cells struct {
	name  string
	in    *lines
	names []string
	cells [][]byte
	row   int // the number of rows that have been read
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

// StreamCells reads a stream, which may be endless. When the context of a call is done the call returns at once.
func StreamCells(ctx context.Context, name string, in io.Reader) (*Cells, error) {
	return newCells(ctx, name, &lines{waiting: &waiting{in: in}})
}

func newCells(ctx context.Context, name string, in *lines) (*Cells, error) {
	c := &Cells{name: name, in: in, close: func() error { return nil }}
	if err := checkText(ctx, name, in); err != nil {
		return nil, err
	}
	line, err := c.line(ctx)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(line) {
		return nil, notText(line).at(name, -1, 1)
	}
	for _, cell := range bytes.Split(line, []byte{','}) {
		c.names = append(c.names, string(bytes.TrimSpace(cell)))
	}
	return c, nil
}

// Name returns the path of the file or the name of the stream.
func (c *Cells) Name() string { return c.name }

// Names returns the names of the columns.
func (c *Cells) Names() []string { return c.names }

// Close closes the file. It does not close the input of a stream.
func (c *Cells) Close() error { return c.close() }

// Next returns the cells of the next row, which are valid until the next call, and io.EOF after the last. Empty lines at the end are
// passed over.
func (c *Cells) Next(ctx context.Context) ([][]byte, error) {
	line, err := c.line(ctx)
	blank := 0
	for ; err == nil && len(bytes.TrimSpace(line)) == 0; line, err = c.line(ctx) {
		blank = c.in.number
	}
	if err != nil {
		return nil, err
	}
	if blank > 0 {
		return nil, emptyLine().at(c.name, c.row, blank)
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
	c.row++
	return c.cells, nil
}

// Wrong returns the error of what was found in a column of the row that was read last, with what to write instead.
func (c *Cells) Wrong(column, found, want string) error {
	return (&fault{column: column, found: found, want: want}).at(c.name, max(0, c.row-1), c.in.number)
}

// Quoted returns a cell as it stands in errors.
func Quoted(cell []byte) string { return quoted(cell) }

// line returns the next line.
func (c *Cells) line(ctx context.Context) ([]byte, error) {
	line, err := c.in.next(ctx)
	if err == errLongLine {
		err = longLine().at(c.name, c.row, c.in.number)
	}
	return line, err
}
