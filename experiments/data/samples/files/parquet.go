package files

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetRows reads rows of a Parquet file, column by column.
type parquetRows struct {
	name    string
	in      file
	groups  []parquet.RowGroup // that are not yet read
	about   []format.RowGroup  // what the file says about them
	leaves  []leaf
	cursors []cursor // of the current group; nil between groups
	left    int64    // rows of the current group
	read    int
}

// leaf is a column of the file that is used.
type leaf struct {
	column   int // its number in the file
	field    int // its number among the columns of the source
	unsigned bool
}

// cursor is where the reading of a column in a group of rows is.
type cursor struct {
	pages  parquet.Pages
	values parquet.ValueReader // of the current page; nil between pages
	page   parquet.Page
	buf    []parquet.Value
}

const (
	maxFooter     = 1 << 26 // the most bytes of what a file says about its data
	maxPageHeader = 1 << 16 // the most bytes of what a page says about itself
	maxPage       = 1 << 28 // the most bytes of a page when it is unpacked
	maxPageValues = 1 << 24 // the most values of a page
	valuesAtOnce  = 1 << 10
)

// openParquet reads what a Parquet file says about its columns.
func openParquet(name string, in file, o Options) (*parquetRows, *layout, error) {
	r := &parquetRows{name: name, in: in}
	if err := r.checkFooter(); err != nil {
		return nil, nil, r.located(err)
	}
	var f *parquet.File
	err := guarded(func() (err error) {
		f, err = parquet.OpenFile(in, in.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		return err
	})
	if err != nil {
		return nil, nil, r.located(err)
	}
	r.groups, r.about = f.RowGroups(), f.Metadata().RowGroups
	names, kinds, bad := leaves(f)
	var l *layout
	if bad == nil {
		l, bad = namedLayout("a file with the columns ", names, o)
	}
	if bad == nil {
		bad = r.use(l, kinds)
	}
	if bad != nil {
		return nil, nil, bad.at(name, -1, 0)
	}
	return r, l, nil
}

// checkFooter checks the lengths at the end of the file.
func (r *parquetRows) checkFooter() error {
	size := r.in.Size()
	if size == 0 {
		return &fault{found: "nothing: it is empty", want: "write it with the columns of the rows"}
	}
	var head [4]byte
	var tail [8]byte
	if size < 12 {
		return errNoParquet
	}
	if _, err := r.in.ReadAt(head[:], 0); err != nil {
		return err
	}
	if _, err := r.in.ReadAt(tail[:], size-8); err != nil {
		return err
	}
	footer := int64(binary.LittleEndian.Uint32(tail[:4]))
	switch {
	case string(head[:]) == "PARE":
		return &fault{found: "an encrypted Parquet file", want: "write it without encryption"}
	case string(head[:]) != "PAR1":
		return errNoParquet
	case string(tail[4:]) != "PAR1":
		return &fault{found: "a Parquet file without its end", want: "write the file again: it is cut off"}
	case footer > size-12 || footer > maxFooter:
		return errThrift
	}
	b := make([]byte, footer)
	if _, err := r.in.ReadAt(b, size-8-footer); err != nil {
		return err
	}
	return (&compact{b: b}).structure(0, 0, nil)
}

// errNoParquet is the error of a file that is none of Parquet.
var errNoParquet = errors.New("it does not begin with PAR1")

// located returns an error of the library, or one that the reader has found before the library could, with the name of the
// file. Errors of the system stay what they are.
func (r *parquetRows) located(err error) error {
	var f *fault
	var system interface{ Timeout() bool } // *fs.PathError and its like have it
	switch {
	case errors.As(err, &f):
		return f.at(r.name, -1, 0)
	case errors.As(err, &system):
		return err
	case errors.Is(err, errNoParquet):
		return (&fault{found: "no Parquet file: " + err.Error(), want: "write it as Parquet, or give it the name of what it is"}).at(r.name, -1, 0)
	}
	return (&fault{found: "a Parquet file that is damaged or not supported: " + err.Error(), want: "write the file again"}).at(r.name, -1, 0)
}

// guarded calls f and turns a panic of the library into an error: on damaged files it has some.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return f()
}

// leaves returns the names of the columns, and why a column cannot be used, or nil where it can.
func leaves(f *parquet.File) (names []string, columns []*parquet.Column, bad *fault) {
	for _, path := range f.Schema().Columns() {
		column := f.Root()
		for _, name := range path {
			column = column.Column(name)
		}
		if _, known := parseName(path[0]); known && (len(path) > 1 || column.MaxRepetitionLevel() > 0) {
			return nil, nil, &fault{column: path[0], found: "lists or structures", want: "write numbers; coordinates have a column each, as in x_first_0, and so have the states of a path, as in x_1"}
		}
		names, columns = append(names, strings.Join(path, ".")), append(columns, column)
	}
	return names, columns, nil
}

// use notes which columns are used, and refuses those whose values are no numbers.
func (r *parquetRows) use(l *layout, columns []*parquet.Column) *fault {
	for i, column := range columns {
		if !l.fields[i].used {
			continue
		}
		used := leaf{column: i, field: i}
		kind, number := column.Type().Kind(), true
		if logical := column.Type().LogicalType(); logical != nil && logical.Value != nil {
			integer, ok := logical.Value.(*format.IntType)
			number = ok
			used.unsigned = ok && !integer.IsSigned
		}
		if !number || kind != parquet.Int32 && kind != parquet.Int64 && kind != parquet.Float && kind != parquet.Double {
			return &fault{column: l.fields[i].name, found: "values of the type " + column.Type().String(), want: "write DOUBLE, FLOAT, INT32 or INT64"}
		}
		if l.fields[i].target.quantity == wholePath {
			return &fault{column: l.fields[i].name, found: "one number in every row", want: "write the states of a path in a column each, as in x_1"}
		}
		r.leaves = append(r.leaves, used)
	}
	return nil
}

func (r *parquetRows) decode(ctx context.Context, t *table, limit int) (int, error) {
	for r.left == 0 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := r.nextGroup(); err != nil {
			return 0, err
		}
	}
	n := int(min(int64(limit), r.left))
	first, worst := n, (*fault)(nil)
	for i := range r.cursors {
		if err := ctx.Err(); err != nil && i == 0 { // afterwards the columns have to stay together
			return 0, err
		}
		var row int
		var bad *fault
		err := guarded(func() (err error) {
			row, bad, err = r.cursors[i].fill(t, r.leaves[i], n)
			return err
		})
		if err != nil {
			return 0, r.located(err)
		}
		if bad != nil && row < first {
			first, worst = row, bad
		}
	}
	if worst == nil {
		first, worst = t.checkAllEnds(n)
	}
	if worst != nil {
		return 0, worst.at(r.name, r.read+first, 0)
	}
	r.left -= int64(n)
	r.read += n
	return n, nil
}

// nextGroup opens the columns of the next group of rows, and returns io.EOF after the last.
func (r *parquetRows) nextGroup() error {
	if err := r.closeGroup(); err != nil {
		return err
	}
	if len(r.groups) == 0 {
		return io.EOF
	}
	group, about := r.groups[0], r.about[0]
	r.groups, r.about = r.groups[1:], r.about[1:]
	err := guarded(func() error {
		chunks := group.ColumnChunks()
		for _, leaf := range r.leaves {
			if err := r.checkPages(&about.Columns[leaf.column].MetaData, about.NumRows); err != nil {
				return err
			}
			r.cursors = append(r.cursors, cursor{pages: chunks[leaf.column].Pages(), buf: make([]parquet.Value, valuesAtOnce)})
		}
		r.left = group.NumRows()
		return nil
	})
	if err != nil {
		return r.located(err)
	}
	return nil
}

// closeGroup closes the columns of a group of rows that has been read.
func (r *parquetRows) closeGroup() error {
	for _, c := range r.cursors {
		if err := guarded(c.close); err != nil {
			return r.located(err)
		}
	}
	r.cursors = r.cursors[:0]
	return nil
}

// checkPages looks at what the pages of a column say about themselves, and refuses what would take more memory than there is
// in them, and columns that have not as many values as rows are promised.
func (r *parquetRows) checkPages(chunk *format.ColumnMetaData, rows int64) error {
	at, length := chunk.DataPageOffset, chunk.TotalCompressedSize
	if chunk.DictionaryPageOffset != 0 {
		at = chunk.DictionaryPageOffset
	}
	if at < 0 || length < 0 || at > r.in.Size() || length > r.in.Size()-at {
		return errThrift
	}
	values := int64(0)
	for end := at + length; at < end; {
		head := make([]byte, min(maxPageHeader, end-at))
		if _, err := r.in.ReadAt(head, at); err != nil {
			return err
		}
		var packed, unpacked, inPage, ofData int64
		walk := &compact{b: head}
		err := walk.structure(0, 0, func(outer, field int, v int64) {
			switch {
			case outer == 0 && field == 2:
				unpacked = v
			case outer == 0 && field == 3:
				packed = v
			case (outer == 5 || outer == 8) && field == 1: // data pages of version 1 and 2
				inPage, ofData = v, v
			case outer == 7 && field == 1: // a dictionary
				inPage = v
			}
		})
		if err != nil {
			return err
		}
		if unpacked < 0 || packed < 0 || inPage < 0 || packed > end-at {
			return errThrift
		}
		if unpacked > maxPage || inPage > maxPageValues {
			return &fault{found: fmt.Sprintf("a page of %d values in %d bytes", inPage, unpacked), want: fmt.Sprintf("write pages of at most %d values in %d bytes", maxPageValues, maxPage)}
		}
		values += ofData
		at += int64(walk.at) + packed
	}
	if values != rows {
		return fmt.Errorf("a column has %d values in a group of %d rows", values, rows)
	}
	return nil
}

// close gives back what the cursor holds.
func (c *cursor) close() error {
	if c.page != nil {
		parquet.Release(c.page)
		c.page, c.values = nil, nil
	}
	return c.pages.Close()
}

// fill puts the next values of a column into the first n rows. Where something is wrong with one it returns the first such
// row, and reads on to the end, so that all columns stay together.
func (c *cursor) fill(t *table, from leaf, n int) (first int, worst *fault, err error) {
	to := &t.layout.fields[from.field]
	for row := 0; row < n; {
		if c.values == nil {
			if c.page, err = c.pages.ReadPage(); err != nil {
				if err == io.EOF {
					err = io.ErrUnexpectedEOF
				}
				return 0, nil, err
			}
			c.values = c.page.Values()
		}
		k, err := c.values.ReadValues(c.buf[:min(n-row, len(c.buf))])
		for i := 0; i < k && worst == nil; i++ {
			if bad := t.setParquet(to, from, row+i, c.buf[i]); bad != nil {
				first, worst = row+i, bad
			}
		}
		row += k
		if err == io.EOF {
			parquet.Release(c.page)
			c.page, c.values = nil, nil
		} else if err != nil {
			return 0, nil, err
		} else if k == 0 {
			return 0, nil, io.ErrNoProgress
		}
	}
	return first, worst, nil
}

// setParquet puts a value into a row.
func (t *table) setParquet(to *field, from leaf, row int, v parquet.Value) *fault {
	float, integer, isFloat := 0.0, int64(0), false
	switch kind := v.Kind(); {
	case v.IsNull():
		if to.number != absent {
			return to.badNumber("null")
		}
		return t.badStateText(to, "null")
	case kind == parquet.Double:
		float, isFloat = v.Double(), true
	case kind == parquet.Float:
		float, isFloat = float64(v.Float()), true
		t.precision[to.target.quantity] = singlePrecision()
	case kind == parquet.Int32 && from.unsigned:
		integer = int64(v.Uint32())
	case kind == parquet.Int32:
		integer = int64(v.Int32())
	default:
		integer = v.Int64()
	}
	switch {
	case to.number != absent && v.Kind() == parquet.Double:
		return t.setDouble(to, row, float)
	case to.number != absent && isFloat:
		return t.setNumber(to, row, float)
	case to.number != absent && from.unsigned:
		return t.setNumber(to, row, float64(uint64(integer)))
	case to.number != absent:
		return t.setNumber(to, row, float64(integer))
	case from.unsigned && integer < 0: // above the largest int64
		return t.badStateText(to, strconv.FormatUint(uint64(integer), 10))
	case isFloat:
		var bad *fault
		if integer, bad = t.wholeState(to, float); bad != nil {
			return bad
		}
	}
	return t.setState(to, row, 0, integer)
}
