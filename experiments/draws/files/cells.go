package files

import (
	"context"
	"io"
)

// Cells reads text whose first line names columns. It does not interpret the cells.
type Cells struct {
	*Table
	texts [][]byte
}

// OpenCells opens a file. The caller closes it.
func OpenCells(ctx context.Context, path string) (*Cells, error) {
	t, err := OpenTable(ctx, path, TableOptions{})
	if err != nil {
		return nil, err
	}
	return &Cells{Table: t}, nil
}

// StreamCells reads a stream, which may be endless. A call returns at once when its context ends.
func StreamCells(ctx context.Context, name string, in io.Reader) (*Cells, error) {
	t, err := StreamTable(ctx, name, in, TableOptions{})
	if err != nil {
		return nil, err
	}
	return &Cells{Table: t}, nil
}

// Next returns the cells of the next row, which are valid until the next call, and io.EOF after the
// last.
func (c *Cells) Next(ctx context.Context) ([][]byte, error) {
	cells, err := c.Table.Next(ctx)
	c.texts = c.texts[:0]
	for _, cell := range cells {
		c.texts = append(c.texts, cell.Text())
	}
	return c.texts, err
}

// Wrong returns the error for a column of the last row: what was found, and what to write instead.
func (c *Cells) Wrong(column, found, want string) error {
	return c.Table.Wrong(column, found, "%s", want)
}
