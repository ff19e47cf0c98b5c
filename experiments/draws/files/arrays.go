package files

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/chains/work"
	"breadboard/experiments/draws"
)

// Shape names the first sides of an array of draws; the later sides are those of the elements of a
// variable. If it is empty the first sides are chains and draws, unless there are more chains than
// draws.
type Shape string

// The shapes of arrays.
const (
	chainsFirst Shape = "chains,draws" // as in ArviZ
	DrawsFirst  Shape = "draws,chains" // as in emcee
	oneChain    Shape = "draws"        // as the joined chains of NumPyro
)

// Shapes returns the shapes of arrays.
func Shapes() []string { return []string{string(chainsFirst), string(DrawsFirst), string(oneChain)} }

// array is an array of a file, or a field of a structured one.
type array struct {
	name      string
	shape     []int
	numbers   []float64
	precision draws.Precision // of its numbers; zero of float64 and of integers
}

// column is a column of numbers in memory: row r has each numbers from start + r stride on.
type column struct {
	name                string
	of                  *array
	start, stride, each int
}

// memory is the rows of arrays.
type memory struct {
	columns  []column
	rows, at int
	draws    int // of each chain, if the sides of arrays are chains and draws
	cells    []Cell
}

// openArrays reads the arrays of a file into memory.
func openArrays(path string, file *selector.File, o TableOptions) (*Table, error) {
	t := &Table{name: path, close: func() error { return nil }}
	m := &memory{}
	t.rows = m
	list, structured, bad := readArrays(path, file, o.Roles)
	if bad == nil {
		bad = m.arrange(list, structured, numpy.KeyOf(path) == "" && isNPY(path), &o)
	}
	if bad != nil {
		return nil, packedFault(path, placed(bad, path))
	}
	for _, c := range m.columns {
		t.names = append(t.names, c.name)
	}
	t.width = len(m.columns)
	if t.width > maxWidth {
		return nil, t.WrongColumns(selector.Count(t.width, "column"), "write at most %d", maxWidth)
	}
	if !slices.ContainsFunc(t.names, func(name string) bool { return name != "" }) {
		t.names = nil
	}
	m.cells = make([]Cell, t.width)
	return t, nil
}

// isNPY reports whether a path is of a file with one array.
func isNPY(path string) bool { return selector.Ending(numpy.FileOf(path)) == ".npy" }

// placed gives a fault its file.
func placed(err error, path string) error {
	switch bad := err.(type) {
	case *fault:
		return bad.withPlace(path, -1, 0)
	case *numpy.Mistake:
		return arrayFault(bad).withPlace(path, -1, 0)
	}
	return err
}

// readArrays reads the array of a file, or those of an archive that no role omits.
func readArrays(path string, file *selector.File, roles Roles) (list []*array, structured bool, err error) {
	in, err := file.Places(maxMemory)
	if err != nil {
		return nil, false, err
	}
	if in.Size() > maxMemory {
		return nil, false, wrong(selector.Bytes(in.Size()),
			"write files of at most %s, or text, which is read row by row", selector.Bytes(maxMemory))
	}
	if isNPY(path) {
		data := work.Slice[byte](int(in.Size()))
		if _, err := in.ReadAt(data, 0); err != nil && err != io.EOF {
			return nil, false, err
		}
		name := filepath.Base(path)
		name = name[:strings.LastIndex(strings.ToLower(name), ".npy")]
		return parseArray(name, data, roles)
	}
	archive, err := numpy.OpenArchive(in, in.Size())
	if err != nil {
		return nil, false, wrong("an archive that cannot be read: "+err.Error(), "write it again with numpy.savez")
	}
	keys := archive.Keys()
	if key := numpy.KeyOf(path); key != "" {
		keys = []string{key}
	}
	left := int64(maxMemory)
	for _, key := range keys {
		if roles.omits(key) {
			continue
		}
		data, err := archive.Read(key, left)
		if err != nil {
			return nil, false, wrong("an archive that cannot be read: "+err.Error(), "write it again with numpy.savez")
		}
		left -= int64(len(data))
		arrays, structured, err := parseArray(key, data, nil)
		if bad, is := placed(err, path).(*Error); is {
			return nil, false, wrong(bad.Found, "%w; {column} %s=none leaves it out", bad.Want, key).in(key)
		}
		if err != nil {
			return nil, false, err
		}
		if structured || len(arrays[0].shape) == 0 {
			return nil, false, wrong("a single value or a structured array",
				"write arrays of numbers; {column} %s=none leaves it out", key).in(key)
		}
		list = append(list, arrays...)
	}
	if len(list) == 0 {
		return nil, false, wrong("no arrays", "write one for each variable with numpy.savez")
	}
	return list, false, nil
}

// parseArray reads an array, or the fields of a structured one that no role omits.
func parseArray(name string, data []byte, roles Roles) (list []*array, structured bool, err error) {
	h, begin, err := numpy.ReadHeader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, false, err
	}
	data = data[begin:]
	if !h.Structured {
		if !h.Fields[0].Readable() {
			return nil, false, h.Fields[0].Unread()
		}
		a := &array{name: name, precision: precisionOf(h.Fields[0])}
		a.numbers, err = h.Floats(data)
		if err != nil {
			return nil, false, wrong("a damaged array: "+err.Error(), "write the file again with numpy.save")
		}
		for _, side := range h.Shape {
			a.shape = append(a.shape, int(side))
		}
		if len(a.numbers) == 0 {
			return nil, false, wrong("an array of shape "+numpy.ShapeText(h.Shape)+", which has no numbers",
				"write one with numbers")
		}
		return []*array{a}, false, nil
	}
	if len(h.Shape) != 1 || h.Shape[0] == 0 || h.RowBytes == 0 || h.Shape[0] != int64(len(data))/h.RowBytes ||
		int64(len(data))%h.RowBytes != 0 {
		return nil, true, wrong(
			fmt.Sprintf("a structured array of shape %s in %d bytes", numpy.ShapeText(h.Shape), len(data)),
			"write one of one dimension, an element for each row, with numpy.save",
		)
	}
	for _, f := range h.Fields {
		if roles.omits(f.Name) || f.Name == "" && f.Kind == 'V' { // what stands between aligned fields
			continue
		}
		if !f.Readable() {
			return nil, true, f.Unread()
		}
		a := &array{
			name:      f.Name,
			shape:     append([]int{int(h.Shape[0])}, f.Shape...),
			precision: precisionOf(f),
		}
		for at := f.Offset; at < int64(len(data)); at += h.RowBytes {
			for k := range f.Elements() {
				a.numbers = append(a.numbers, f.Float(data[at+int64(k*f.Size):]))
			}
		}
		list = append(list, a)
	}
	return list, true, nil
}

// precisionOf returns the precision of floating point numbers of less than 64 bits; zero of others.
func precisionOf(f numpy.Field) draws.Precision {
	switch {
	case f.Kind == 'f' && f.Size == 4:
		return draws.Precision{Significant: 7, Bits: 24}
	case f.Kind == 'f' && f.Size == 2:
		return draws.Precision{Significant: 3, Bits: 11}
	}
	return draws.Precision{}
}

// arrange finds the rows and columns of arrays.
func (m *memory) arrange(list []*array, structured, alone bool, o *TableOptions) error {
	if !o.Chains || structured {
		return m.arrangeRows(list, alone && !structured)
	}
	first := list[0]
	if alone && o.Shape == "" && len(first.shape) == 2 &&
		(first.shape[1] == o.Sides || first.shape[1] == 1 && o.Sides > 0) {
		if err := m.arrangeRows(list, true); err != nil {
			return err
		}
		for i, name := range o.Elements(len(m.columns)) {
			m.columns[i].name = name
		}
		return nil
	}
	chains := 0
	draws := 0
	for i, a := range list {
		if len(a.shape) > 1 && o.Shape == "" && a.shape[0] > a.shape[1] {
			return doubtful(a)
		}
		if len(a.shape) > 1 && o.Shape == DrawsFirst {
			a.exchange()
		}
		c, n, elements := a.sizes(o.Shape)
		if i == 0 {
			chains = c
			draws = n
		}
		if c != chains || n != draws {
			return wrong(fmt.Sprintf("%s of %s, but %s has %s of %s", selector.Count(c, "chain"),
				selector.Count(n, "draw"), first.name,
				selector.Count(chains, "chain"), selector.Count(draws, "draw")),
				"give arrays of one shape, (chains, draws), or one of them, as in FILE.npz#NAME; {column} "+
					"%s=none leaves it out",
				a.name).in(a.name)
		}
		names := a.elementNames(elements)
		if alone && o.Elements != nil {
			if known := o.Elements(len(names)); known != nil {
				names = known
			}
		}
		for k, name := range names {
			m.columns = append(m.columns, column{name: name, of: a, start: k, stride: len(names), each: 1})
		}
	}
	m.rows = chains * draws
	m.draws = draws
	if len(first.shape) > 1 && o.Shape != oneChain {
		number := &array{numbers: work.Slice[float64](m.rows)[:0]}
		for row := range m.rows {
			number.numbers = append(number.numbers, float64(row/draws+1))
		}
		m.columns = slices.Insert(m.columns, 0, column{name: chainColumn, of: number, stride: 1, each: 1})
	}
	return nil
}

// chainColumn is the name of the column of chains, as in R's package posterior.
const chainColumn = ".chain"

// arrangeRows makes a row of each element of the first side. The columns of an array without a name
// are columns.
func (m *memory) arrangeRows(list []*array, alone bool) error {
	for _, a := range list {
		width := len(a.numbers) / a.shape[0]
		if m.rows == 0 {
			m.rows = a.shape[0]
		}
		switch {
		case a.shape[0] != m.rows:
			return wrong(fmt.Sprintf("%d rows, but %s has %d", a.shape[0], list[0].name, m.rows),
				"write arrays with a row for each row").in(a.name)
		case alone && len(a.shape) > 2:
			return wrong("an array of shape "+numpy.ShapeText(a.shape),
				"write one with a row for each row, a structured array, or .npz with an array for each column")
		case !alone:
			m.columns = append(m.columns, column{name: a.name, of: a, stride: width, each: width})
			continue
		}
		for k := range width {
			m.columns = append(m.columns, column{of: a, start: k, stride: width, each: 1})
		}
	}
	return nil
}

// doubtful is the fault of an array with more chains than draws if the shape is not given: such
// arrays have their draws first, or are of one chain.
func doubtful(a *array) *fault {
	return wrong("an array of shape "+numpy.ShapeText(a.shape),
		"give {shape} draws,chains if it has %[1]s of %[2]s, as emcee has them, {shape} draws if it has "+
			"%[1]s of one chain, or {shape} chains,draws if it has %[3]s of %[4]s",
		selector.Count(a.shape[0], "draw"), selector.Count(a.shape[1], "chain"),
		selector.Count(a.shape[1], "draw"), selector.Count(a.shape[0], "chain")).in(a.name)
}

// exchange exchanges the first two sides.
func (a *array) exchange() {
	n := a.shape[0]
	chains := a.shape[1]
	elements := len(a.numbers) / (n * chains)
	numbers := make([]float64, 0, len(a.numbers))
	for c := range chains {
		for i := range n {
			at := (i*chains + c) * elements
			numbers = append(numbers, a.numbers[at:at+elements]...)
		}
	}
	a.numbers = numbers
	a.shape[0], a.shape[1] = chains, n
}

// sizes returns the numbers of chains and of draws, and the sides of the elements.
func (a *array) sizes(s Shape) (chains, draws int, elements []int) {
	if len(a.shape) == 1 || s == oneChain {
		return 1, a.shape[0], a.shape[1:]
	}
	return a.shape[0], a.shape[1], a.shape[2:]
}

// elementNames returns the names of the elements, as in x[0,1], and that of the variable if it has
// none.
func (a *array) elementNames(elements []int) []string {
	indices := []string{""}
	for _, side := range elements {
		var longer []string
		for _, index := range indices {
			for i := range side {
				longer = append(longer, index+","+strconv.Itoa(i))
			}
		}
		indices = longer
	}
	names := make([]string, len(indices))
	for i, index := range indices {
		names[i] = a.name
		if index != "" {
			names[i] += "[" + index[1:] + "]"
		}
	}
	return names
}

func (m *memory) next(ctx context.Context) ([]Cell, error) {
	if m.at == m.rows {
		return nil, io.EOF
	}
	if m.at%4096 == 0 && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i := range m.columns {
		c := &m.columns[i]
		from := c.start + m.at*c.stride
		m.cells[i] = Cell{numbers: c.of.numbers[from : from+c.each]}
	}
	m.at++
	return m.cells, nil
}

func (m *memory) ready() bool { return true }

func (m *memory) line() int { return 0 }

func (m *memory) remarks() []string { return nil }

func (m *memory) binary(column int) (draws.Precision, bool) {
	return m.columns[column].of.precision, true
}

// omits reports whether a column has the role that leaves it out.
func (r Roles) omits(name string) bool { return r[name] == string(tables.Omitted) }
