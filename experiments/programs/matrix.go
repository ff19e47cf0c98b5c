package programs

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/matrices"
	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/toys"
)

// These bound a matrix file, however many states there are: the bytes of a text, and the numbers of
// an array, which are as many as kernel check takes.
const (
	maxMatrixFile = 1 << 30
	maxCells      = 1 << 26
)

// largeMatrix is the number of entries from which on memory is given back before others take it.
const largeMatrix = 1 << 20

// Matrix is a kernel given by its transition matrix, the same for every distribution: row x holds
// the probabilities to go from x to every state. It states no time reversal; package exact takes
// that from the rows.
type Matrix struct {
	path    string
	starts  []int // row x has the entries starts[x] to starts[x+1]
	entries []chains.Entry
	// Rounding is half a unit of the last digit that the file gives, or zero if the numbers are
	// binary; singleRounding or halfRounding if they have single or half precision.
	Rounding float64
}

// ReadMatrix reads a matrix over the states of the space from a file of rows (see matrices.Is),
// .npy, .npz, also of SciPy's save_npz, or else from a table with one row a line, or a list of rows
// in JSON. A negative entry, or a row sum further from one than the file's digits explain, is an
// error that names the row; nothing is ever rescaled. A file larger than a matrix on the space is
// not read.
func (e Env) ReadMatrix(path string) (*Matrix, error) {
	m, err := e.readRows(path)
	if err != nil {
		return nil, fmt.Errorf("matrix %s: %w", path, err)
	}
	m.path = path
	if len(m.entries) >= largeMatrix {
		debug.FreeOSMemory() // of the text and of the numbers that were read
	}
	return m, m.checkMatrix()
}

// readRows reads the rows of a matrix on a space, which may not be rows of probabilities.
func (e Env) readRows(path string) (*Matrix, error) {
	if err := selector.Unread(path); err != nil {
		return nil, err
	}
	rows, is, err := readSparse(path, e.Space.States())
	if !is {
		return e.readDense(path)
	}
	if err == nil {
		err = e.checkShape(rows.Len(), rows.Len())
	}
	if err != nil {
		return nil, err
	}
	m := &Matrix{starts: rows.Starts, entries: make([]chains.Entry, len(rows.P)), Rounding: rows.Rounding}
	for i, p := range rows.P {
		m.entries[i] = chains.Entry{To: int(rows.To[i]), P: p}
	}
	return m, nil
}

// dense returns the matrix of which all entries are given, and keeps those that are not zero.
func dense(n int, at func(x, y int) float64) *Matrix {
	m := &Matrix{starts: []int{0}, entries: make([]chains.Entry, 0, n*n)} // memory of zeros is not touched
	for x := range n {
		for y := range n {
			if p := at(x, y); p != 0 {
				m.entries = append(m.entries, chains.Entry{To: y, P: p})
			}
		}
		m.starts = append(m.starts, len(m.entries))
	}
	if 2*len(m.entries) < n*n {
		m.entries = slices.Clone(m.entries)
	}
	return m
}

// checkShape fails if a matrix has another shape than the space needs.
func (e Env) checkShape(rows, columns int) error {
	if n := e.Space.States(); rows != n || columns != n {
		return errs.New("it is %dx%d; a kernel on %s needs %dx%d, a row and a column for each state",
			rows, columns, e.Space, n, n)
	}
	return nil
}

// readSparse reads the rows of a file that lists entries of a matrix, and reports whether it is
// one.
func readSparse(path string, n int) (rows *matrices.Rows, is bool, err error) {
	switch {
	case matrices.Is(path):
		rows, err = matrices.ReadRows(path, n)
		return rows, true, err
	case numpy.KeyOf(path) == "" && selector.Ending(path) == ".npz":
		return matrices.ReadSciPy(path, n) // an archive that cannot be read is refused by readDense
	}
	return nil, false, nil
}

// readDense reads a matrix of which every entry is given.
func (e Env) readDense(path string) (*Matrix, error) {
	n := e.Space.States()
	if numpy.Is(path) {
		array, err := numpy.ReadFile(path, min(maxCells, n*n))
		if err != nil {
			return nil, err
		}
		if len(array.Shape) != 2 {
			return nil, errs.New("the array has the shape %s; a matrix has two sides", numpy.ShapeText(array.Shape))
		}
		if err := e.checkShape(array.Shape[0], array.Shape[1]); err != nil {
			return nil, err
		}
		at, err := array.Matrix()
		if err != nil {
			return nil, err
		}
		return dense(n, at), nil
	}
	data, err := selector.ReadFile(path, min(maxMatrixFile, toys.MaxText((n+1)*(n+1))))
	if err != nil {
		return nil, err
	}
	t, err := tables.Parse(data, 4*(n+2)*(n+2), tables.BySight)
	if err != nil {
		return nil, err
	}
	t.Square()
	err = e.checkShape(len(t.Rows), t.Width())
	if err != nil && t.Width() == 3 {
		return nil, errs.New(`%w; a list of moves is written as a matrix by pandas, as in read_csv(PATH, header=0, `+
			`names=["from", "to", "p"]).pivot(index="from", columns="to", values="p").fillna(0).to_csv(NEW); without a `+
			`line of names write header=None, and sep=" " for blanks`, err)
	}
	if err != nil {
		return nil, err
	}
	return e.rowsOf(t)
}

// rowsOf returns the rows of a table in the order of the states.
func (e Env) rowsOf(t *tables.Table) (*Matrix, error) {
	rows, columns, err := e.places(t.Index, t.Names)
	if err != nil {
		return nil, err
	}
	n := len(t.Rows)
	p := make([]float64, 0, n*n)
	for _, i := range rows {
		for _, j := range columns {
			v, err := tables.Floats(t.Rows[i][j])
			if err != nil {
				return nil, t.Wrong(i, j, err)
			}
			p = append(p, v)
		}
	}
	m := dense(n, func(x, y int) float64 { return p[x*n+y] })
	m.Rounding = matrices.Rounding(func(yield func(string) bool) {
		for _, i := range rows {
			for _, j := range columns {
				if !yield(t.Rows[i][j]) {
					return
				}
			}
		}
	})
	return m, nil
}

// places returns the row and the column of each state, by their names. Names that only number are
// passed over, unless those of the other side are numbers in another order, and one set of names
// stands for both if it has the order of the states. If the states have no such names, their order
// is that of the rows, unless numbers name another one.
func (e Env) places(index, names []string) (rows, columns []int, err error) {
	n := e.Space.States()
	same := slices.Equal(slices.Sorted(slices.Values(index)), slices.Sorted(slices.Values(names))) &&
		!(tables.Numbered(index) && tables.Numbered(names))
	if tables.Numbered(index) && !same {
		index = nil
	}
	if tables.Numbered(names) && !same {
		names = nil
	}
	half := index == nil || names == nil
	if index == nil {
		index = names
	}
	if names == nil {
		names = index
	}
	known := e.Labels
	if known == nil {
		known = []func(int) string{
			e.Space.Label, strconv.Itoa, func(x int) string { return strconv.Itoa(x + 1) }}
	}
	named := func() string {
		return fmt.Sprintf("the rows are named %s and the columns %s",
			selector.Cut(strings.Join(index, ", ")), selector.Cut(strings.Join(names, ", ")))
	}
	at := slices.IndexFunc(known, func(label func(int) string) bool { return slices.Contains(index, label(0)) })
	switch {
	case index == nil,
		at < 0 && e.Labels == nil && slices.Equal(index, names) && !areUnsorted(index):
		for x := range n {
			rows = append(rows, x)
		}
		return rows, rows, nil
	case at < 0 && e.Labels == nil:
		return nil, nil, errors.New(named() + ", and the target has no names; give both the order of its states")
	}
	label := known[max(at, 0)]
	for x := range n {
		row, column := slices.Index(index, label(x)), slices.Index(names, label(x))
		if row < 0 || column < 0 {
			return nil, nil, errs.New("no row, or no column, is that of the state %s; %s; give target and matrix the same names",
				label(x), named())
		}
		rows, columns = append(rows, row), append(columns, column)
	}
	if half && !slices.IsSorted(rows) {
		return nil, nil, errs.New("only its rows or only its columns are named, %s, in another order than the states; "+
			"name rows and columns", selector.Cut(strings.Join(index, ", ")))
	}
	return rows, columns, nil
}

// areUnsorted reports whether names are numbers in no increasing order, which say another order
// than that of the rows.
func areUnsorted(names []string) bool {
	values := make([]float64, len(names))
	for i, name := range names {
		v, err := strconv.ParseFloat(name, 64)
		if err != nil {
			return false
		}
		values[i] = v
	}
	return !slices.IsSorted(values)
}

func (m *Matrix) checkMatrix() error {
	if m.Rounding < rowSum && m.hasSinglePrecision(false) {
		m.Rounding = singleRounding
	}
	allowed := rowSum + m.Slack()
	for x := range m.States() {
		total := 0.0
		for _, e := range m.row(x) {
			if !(e.P >= 0 && e.P <= 1+m.Rounding) {
				return errs.New("matrix %s, row %d, column %d: %v is not a probability; divide percentages by 100, and "+
					"counts by the sum of their row", m.path, x+1, e.To+1, e.P)
			}
			total += e.P
		}
		if math.Abs(total-1) > allowed && m.Rounding < rowSum && m.hasSinglePrecision(true) {
			m.Rounding = singleRounding
			return m.checkMatrix()
		}
		if math.Abs(total-1) > allowed && math.Abs(total-1) < maxSlack && m.Rounding <= singleRounding && m.hasHalfPrecision() {
			m.Rounding = halfRounding
			return m.checkMatrix()
		}
		if math.Abs(total-1) > allowed {
			cure := "; divide each row by its sum"
			if m.transposed(allowed) {
				cure = "; its columns sum to 1: write its transpose"
			}
			return errs.New("matrix %s, row %d sums to %v; with its digits the sum may differ from 1 by %.2g%s",
				m.path, x+1, total, allowed, cure)
		}
	}
	return nil
}

// hasSinglePrecision reports whether all entries are numbers of single precision, and one has 20 or
// more of its 24 bits unless the rows show that they are rounded: 0.5 and 0.25 have both
// precisions.
func (m *Matrix) hasSinglePrecision(rounded bool) bool {
	for _, e := range m.entries {
		p := float32(e.P)
		if float64(p) != e.P {
			return false
		}
		rounded = rounded || math.Float32bits(p)&31 != 0
	}
	return rounded
}

// hasHalfPrecision reports whether all entries are numbers of float16, with fractions of ten bits.
func (m *Matrix) hasHalfPrecision() bool {
	return !slices.ContainsFunc(m.entries, func(e chains.Entry) bool {
		return float64(float32(e.P)) != e.P || math.Float32bits(float32(e.P))&0x1fff != 0
	})
}

// transposed reports whether each column sums to one, as each row should.
func (m *Matrix) transposed(allowed float64) bool {
	sums := make([]float64, m.States())
	for _, e := range m.entries {
		sums[e.To] += e.P
	}
	return !slices.ContainsFunc(sums, func(sum float64) bool { return math.Abs(sum-1) > allowed })
}

const (
	rowSum   = 1e-12 // how far a row sum of binary numbers may be from one
	maxSlack = 0.02  // the largest slack, however few digits a file has

	singleRounding = 0x1p-23 // of the last digit of single precision
	halfRounding   = 0x1p-11 // of that of float16
)

// Slack returns the largest error of a row sum by rounding of the file's numbers.
func (m *Matrix) Slack() float64 { return min(float64(m.States())*m.Rounding, maxSlack) }

// IsRounded reports whether the numbers have half or single precision, which they show by
// themselves.
func (m *Matrix) IsRounded() bool { return m.Rounding == singleRounding || m.Rounding == halfRounding }

// Digits says how many digits the numbers in the file have, as in "4 decimals"; "" if they have
// those of a float64.
func (m *Matrix) Digits() string {
	switch m.Rounding {
	case 0:
		return ""
	case singleRounding:
		return "24 bits of single precision"
	case halfRounding:
		return "11 bits of half precision"
	}
	return selector.Count(int(math.Round(-number.Log10(2*m.Rounding))), "decimal")
}

// Move draws from the row.
func (m *Matrix) Move(c chains.Chooser, _ []float64, x int) int {
	row := m.row(x)
	p := make([]float64, len(row))
	for i, e := range row {
		p[i] = e.P
	}
	return row[c.Choose(p)].To
}

// AppendRow appends the positive entries of the row.
func (m *Matrix) AppendRow(dst []chains.Entry, _ []float64, x int) []chains.Entry {
	return append(dst, m.row(x)...)
}

func (m *Matrix) row(x int) []chains.Entry { return m.entries[m.starts[x]:m.starts[x+1]] }

// Rows returns the entries of all rows, and the index of the first entry of each row. Do not change
// them.
func (m *Matrix) Rows() (starts []int, entries []chains.Entry) { return m.starts, m.entries }

// States returns the number of states.
func (m *Matrix) States() int { return len(m.starts) - 1 }

// String returns the selector.
func (m *Matrix) String() string { return "matrix:" + m.path }

// InexactOf returns the largest rounding of any matrix file among kernels, and 0 if there is none.
// Matrices whose rows all sum to one within an ulp do not count: they are exact kernels, with any
// number of digits.
func InexactOf(moves *chains.Transitions) float64 {
	rounding := 0.0
	for t := 2; t <= max(2, moves.Distributions()); t++ {
		if m, ok := moves.KernelAt(t).(*Matrix); ok && m.Rounding > rounding && !m.sumsToOne() {
			rounding = m.Rounding
		}
	}
	return rounding
}

// sumsToOne reports whether each row sums to one within an ulp.
func (m *Matrix) sumsToOne() bool {
	for x := range m.States() {
		var total number.Sum
		for _, e := range m.row(x) {
			total.Add(e.P)
		}
		if math.Abs(total.Value()-1) > 0x1p-52 {
			return false
		}
	}
	return true
}
