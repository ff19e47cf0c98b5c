package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/experiments/draws"
)

// npyRows reads rows of an array that NumPy has written.
type npyRows struct {
	name   string
	in     io.ReaderAt
	data   int64 // where the data begin
	rows   int64
	read   int64
	blocks []npyBlock
	buf    []byte
}

// npyBlock is a part of the file in which the rows follow one another at equal distances, with the
// fields that it holds.
type npyBlock struct {
	start  int64 // relative to the data
	stride int64
	fields []npyField
	first  int // the number of the block's first field among the columns of the source
}

// openNPY reads the header of a .npy file and checks that the file has as many bytes as it
// promises.
func openNPY(name string, in selector.Places, o Options) (*npyRows, *layout, error) {
	h, data, err := readNPYHeader(name, in)
	if err != nil {
		return nil, nil, err
	}
	r := &npyRows{name: name, in: in, data: data}
	names, bad := r.arrange(h, o)
	if bad == nil {
		bad = r.checkSize(in.Size() - data)
	}
	var l *layout
	if bad == nil {
		l, bad = newLayout(names, o.Space)
	}
	if bad == nil {
		bad = r.checkFields(l, o.Space)
	}
	if bad != nil {
		return nil, nil, bad.at(name, -1, 0)
	}
	return r, l, nil
}

// readNPYHeader reads the header, and returns it with the place where the data begin.
func readNPYHeader(name string, in selector.Places) (*numpy.Header, int64, error) {
	h, data, err := numpy.ReadHeader(in, in.Size())
	if bad, is := errors.AsType[*numpy.Mistake](err); is {
		return nil, 0, mistaken(bad).at(name, -1, 0)
	}
	return h, data, err
}

// mistaken returns what is wrong with an array as a fault.
func mistaken(m *numpy.Mistake) *fault { return &fault{column: m.Field, found: m.Found, want: m.Want} }

// npyField is a column of a .npy file, as rows of a table take it.
type npyField struct{ numpy.Field }

// arrange finds the rows and columns of the array and returns the names of the columns.
func (r *npyRows) arrange(h *numpy.Header, o Options) ([]string, *fault) {
	if len(h.Shape) > 0 {
		r.rows = h.Shape[0]
	}
	if h.Structured {
		if len(h.Shape) != 1 {
			return nil, &fault{found: "a structured array of shape " + numpy.ShapeText(h.Shape), want: "write one of one dimension, an element for each row"}
		}
		all := npyBlock{stride: h.RowBytes}
		var names []string
		for _, f := range h.Fields {
			names, all.fields = append(names, f.Name), append(all.fields, npyField{f})
		}
		r.blocks = []npyBlock{all}
		return names, namedTwice("a structured array with the fields "+listed(names), names, o)
	}
	columns := int64(1)
	switch len(h.Shape) {
	case 1:
	case 2:
		columns = h.Shape[1]
	default:
		return nil, &fault{found: "an array of shape " + numpy.ShapeText(h.Shape),
			want: "write one with a row for each row and a column for each column, or a structured array"}
	}
	if !h.Fields[0].Readable() {
		return nil, mistaken(h.Fields[0].Unread())
	}
	if o.Columns == nil && o.Alone != "" && columns == 1 {
		o.Columns = []string{o.Alone}
	}
	if o.Columns == nil {
		return nil, advised("a plain array of shape "+numpy.ShapeText(h.Shape)+"; its columns have no names",
			chains.NewAdvice("write a structured array with the fields %s, or give {input-columns|the names separately}", usable(o.Space)))
	}
	if columns != int64(len(o.Columns)) {
		want := fmt.Sprintf("write %s, one for each of %s", selector.Count(len(o.Columns), "column"), listed(o.Columns))
		if r.rows == int64(len(o.Columns)) {
			want += ": transpose the array"
		}
		return nil, &fault{found: fmt.Sprintf("an array of shape %s, of %s", numpy.ShapeText(h.Shape), selector.Count(int(columns), "column")), want: want}
	}
	r.arrangePlain(h, o.Columns)
	return o.Columns, nil
}

// arrangePlain finds the columns of an array without names: side by side in a row, or one after the
// other.
func (r *npyRows) arrangePlain(h *numpy.Header, names []string) {
	size := h.RowBytes
	all := npyBlock{stride: size * int64(len(names))}
	for i, name := range names {
		f := npyField{h.Fields[0]}
		f.Name = name
		if h.Fortran {
			r.blocks = append(r.blocks, npyBlock{start: int64(i) * r.rows * size, stride: size, fields: []npyField{f}, first: i})
			continue
		}
		f.Offset = int64(i) * size
		all.fields = append(all.fields, f)
	}
	if !h.Fortran {
		r.blocks = []npyBlock{all}
	}
}

// checkSize compares the number of bytes with what the header promises.
func (r *npyRows) checkSize(size int64) *fault {
	row, longest := int64(0), int64(0)
	for _, b := range r.blocks {
		row += b.stride
		longest = max(longest, b.stride)
	}
	switch {
	case row == 0:
		return &fault{found: "rows of no bytes", want: "write columns of numbers"}
	case r.rows > size/row:
		return &fault{found: fmt.Sprintf("%d of the %d rows that the header announces", size/row, r.rows), want: "write the file again: it is cut off"}
	case r.rows*row != size:
		return &fault{found: fmt.Sprintf("%d bytes after the rows that the header announces", size-r.rows*row), want: "write one array to a file"}
	case longest > chunk*64:
		return &fault{found: fmt.Sprintf("rows of %d bytes", longest), want: fmt.Sprintf("write rows of at most %d bytes", chunk*64)}
	}
	return nil
}

// checkFields refuses columns whose values cannot be what they are named.
func (r *npyRows) checkFields(l *layout, s draws.Space) *fault {
	for _, b := range r.blocks {
		for i, f := range b.fields {
			to := &l.fields[b.first+i]
			if !to.used {
				continue
			}
			if !f.Readable() {
				return mistaken(f.Unread())
			}
			if want, ok := shapeFits(f.Shape, to, s); !ok {
				return &fault{column: f.Name, found: "an array of shape " + numpy.ShapeText(f.Shape) + " in every row", want: want}
			}
		}
	}
	return nil
}

// shapeFits reports whether an array in a field of such a shape can be what the field is named: a
// number, a state, its coordinates, or a path of either. Otherwise it returns what would fit.
func shapeFits(shape []int, to *field, s draws.Space) (want string, ok bool) {
	d := len(s.Sides)
	switch {
	case to.target.quantity == wholePath:
		ok = len(shape) == 1 && shape[0] == s.Distributions || len(shape) == 2 && d > 0 && shape[0] == s.Distributions && shape[1] == d
		want = fmt.Sprintf("write one of shape (%d,), the states of the path", s.Distributions)
		if d > 0 {
			want = fmt.Sprintf("write one of shape (%d,) or (%d, %d), the states of the path or their coordinates", s.Distributions, s.Distributions, d)
		}
		return want, ok
	case len(shape) == 0:
		return "", true
	case to.target.quantity.isState() && to.target.axis == whole && d > 0:
		return fmt.Sprintf("write one state, or an array of shape (%d,) with its coordinates", d), len(shape) == 1 && shape[0] == d
	}
	return "write one number", false
}

func (r *npyRows) decode(ctx context.Context, t *table, limit int) (int, error) {
	if r.read == r.rows {
		return 0, io.EOF
	}
	n := int(min(int64(limit), r.rows-r.read))
	for _, b := range r.blocks {
		n = int(min(int64(n), max(1, 16*chunk/b.stride)))
	}
	for _, b := range r.blocks {
		if !b.isUsed(t.layout) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		r.buf = resized(r.buf, n*int(b.stride))
		if _, err := r.in.ReadAt(r.buf, r.data+b.start+r.read*b.stride); err != nil {
			if err == io.EOF {
				err = (&fault{found: "the end of the file, which had more rows when it was opened", want: "wait until it is completely written"}).at(r.name, int(r.read), 0)
			}
			return 0, err
		}
		if row, bad := b.put(t, r.buf, n); bad != nil {
			return 0, bad.at(r.name, int(r.read)+row, 0)
		}
	}
	if row, bad := t.checkAllEnds(n); bad != nil {
		return 0, bad.at(r.name, int(r.read)+row, 0)
	}
	r.read += int64(n)
	return n, nil
}

// isUsed reports whether any column of the block is used.
func (b npyBlock) isUsed(l *layout) bool {
	for i := range b.fields {
		if l.fields[b.first+i].used {
			return true
		}
	}
	return false
}

// put puts rows into a table, and returns the first in which something is wrong.
func (b npyBlock) put(t *table, buf []byte, rows int) (int, *fault) {
	first, worst := rows, (*fault)(nil)
	for i, f := range b.fields {
		to := &t.layout.fields[b.first+i]
		if !to.used {
			continue
		}
		switch {
		case f.Kind == 'f' && f.Size == 4:
			t.precision[to.target.quantity] = singlePrecision()
		case f.Kind == 'f' && f.Size == 2:
			t.precision[to.target.quantity] = halfPrecision()
		}
		for row := range first { // a later fault of another column is not of interest
			if bad := f.put(t, to, row, buf[int64(row)*b.stride+f.Offset:]); bad != nil {
				first, worst = row, bad
				break
			}
		}
	}
	return first, worst
}

// put puts the values of a field into a row.
func (f npyField) put(t *table, to *field, row int, b []byte) *fault {
	switch {
	case to.number != absent && f.Kind == 'f' && f.Size == 8:
		return t.setDouble(to, row, f.Float(b))
	case to.number != absent:
		return t.setNumber(to, row, f.Float(b))
	case to.target.quantity == wholePath:
		each := f.Elements() / t.space.Distributions
		for stage := range t.space.Distributions {
			if bad := f.putState(t, to, row, stage, each, b[stage*each*f.Size:]); bad != nil {
				return bad
			}
		}
		return nil
	}
	return f.putState(t, to, row, 0, f.Elements(), b)
}

// putState puts a state of that many elements into a row: its number, or its coordinates.
func (f npyField) putState(t *table, to *field, row, offset, elements int, b []byte) *fault {
	if elements == 1 {
		v, bad := f.state(t, to, b)
		if bad != nil {
			return bad
		}
		return t.setState(to, row, offset, v)
	}
	var room [8]int64
	coordinates := room[:0]
	for i := range elements {
		v, bad := f.state(t, to, b[i*f.Size:])
		if bad != nil {
			return bad
		}
		coordinates = append(coordinates, v)
	}
	return t.setCoordinates(to, row, offset, coordinates)
}

// state returns a value as a state or a coordinate.
func (f npyField) state(t *table, to *field, b []byte) (int64, *fault) {
	if f.Kind == 'f' {
		return t.wholeState(to, f.Float(b))
	}
	v := f.Integer(b)
	if f.Kind == 'u' && v < 0 {
		return 0, t.badStateText(to, strconv.FormatUint(uint64(v), 10))
	}
	return v, nil
}
