package matrices

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
)

// isSciPy reports whether an archive has the arrays of a sparse matrix.
func isSciPy(a *numpy.Archive) bool {
	keys := a.Keys()
	return slices.Contains(keys, "format") && slices.Contains(keys, "shape") && slices.Contains(keys, "data")
}

// ReadSciPy reads a square sparse matrix of at most the given number of rows from an archive of
// SciPy's save_npz, in the formats csr, csc, bsr, coo and dia. Repeated entries are added up, as in
// SciPy. It returns false if the archive has no sparse matrix.
//
// Source: scipy.sparse.save_npz.
func ReadSciPy(path string, most int) (rows *Rows, is bool, err error) {
	file, err := selector.OpenFile(path, maxFile)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	archive, err := numpy.OpenArchive(file, file.Size())
	if err != nil || !isSciPy(archive) {
		return nil, false, err
	}
	s := &sparse{archive: archive, most: most}
	rows, err = s.makeRows()
	return rows, true, err
}

// sparse is a sparse matrix that is being read.
type sparse struct {
	archive *numpy.Archive
	most, n int
	entries []entry
}

func (s *sparse) makeRows() (*Rows, error) {
	format, err := s.text("format")
	if err != nil {
		return nil, err
	}
	shape, err := s.wholes("shape", 2)
	if err != nil {
		return nil, err
	}
	if len(shape) != 2 || shape[0] != shape[1] {
		return nil, errs.New("the matrix has the shape %s; a chain has as many rows as columns",
			numpy.ShapeText(shape))
	}
	if err := fits(uint64(max(0, shape[0])), uint64(s.most)); err != nil {
		return nil, err
	}
	s.n = shape[0]
	switch format {
	case "coo":
		err = s.coordinates()
	case "csr", "csc", "bsr":
		err = s.compressed(format)
	case "dia":
		err = s.diagonals()
	default:
		err = errs.New(
			"the format is %q; save csr, csc, bsr, coo or dia, as in scipy.sparse.save_npz(FILE, A.tocsr())",
			selector.Cut(format),
		)
	}
	if err != nil {
		return nil, err
	}
	return gather(s.n, s.addDuplicates())
}

// addDuplicates adds up entries that are given twice, and leaves the others as they are.
func (s *sparse) addDuplicates() []entry {
	slices.SortStableFunc(s.entries, byPlace)
	var sums []entry
	for _, e := range s.entries {
		if last := len(sums) - 1; last >= 0 && sums[last].from == e.from && sums[last].to == e.to {
			sums[last].p += e.p
			continue
		}
		sums = append(sums, e)
	}
	return sums
}

// array reads an array of at most the given number of numbers.
func (s *sparse) array(key string, most int) (*numpy.Array, error) {
	data, err := s.archive.Read(key, numpy.Size(most))
	if err != nil {
		return nil, err
	}
	a, err := numpy.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", key, err)
	}
	return a, nil
}

// text reads the only text of an array.
func (s *sparse) text(key string) (string, error) {
	data, err := s.archive.Read(key, numpy.Size(8))
	if err != nil {
		return "", err
	}
	h, at, err := numpy.ReadHeader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", fmt.Errorf("array %s: %w", key, err)
	}
	if kind := h.Fields[0].Kind; kind != 'S' && kind != 'U' || len(h.Shape) > 0 {
		return "", errs.New("array %s is not text; write the matrix with scipy.sparse.save_npz", key)
	}
	return strings.ReplaceAll(string(data[at:]), "\x00", ""), nil
}

// mostSparse is the most numbers of an array of a sparse matrix, however many states there are.
const mostSparse = 1 << 26

// numbers reads the numbers of an array, and its shape. All diagonals of a matrix have twice as
// many numbers as the matrix.
func (s *sparse) numbers(key string) ([]float64, []int, error) {
	a, err := s.array(key, int(min(mostSparse, 2*int64(s.n)*int64(s.n))))
	if err != nil {
		return nil, nil, err
	}
	v, err := a.Floats()
	if err != nil {
		return nil, nil, fmt.Errorf("array %s: %w", key, err)
	}
	return v, a.Shape, nil
}

// wholes reads an array of at most the given number of whole numbers.
func (s *sparse) wholes(key string, most int) ([]int, error) {
	a, err := s.array(key, most)
	if err != nil {
		return nil, err
	}
	values, err := a.Floats()
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", key, err)
	}
	wholes := make([]int, len(values))
	for i, v := range values {
		if v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
			return nil, fmt.Errorf("array %s has %v, and should have whole numbers below 2^31", key, v)
		}
		wholes[i] = int(v)
	}
	return wholes, nil
}

// addEntry adds an entry.
func (s *sparse) addEntry(from, to int, p float64) error {
	if from < 0 || to < 0 || from >= s.n || to >= s.n {
		return fmt.Errorf("there is an entry in row %d and column %d of a matrix of %dx%d, both counted from 0", from,
			to, s.n, s.n)
	}
	s.entries = append(s.entries, entry{from: int32(from), to: int32(to), p: p})
	return nil
}

// coordinates reads the arrays row, col and data.
func (s *sparse) coordinates() error {
	p, _, err := s.numbers("data")
	if err != nil {
		return err
	}
	row, err := s.wholes("row", len(p))
	if err != nil {
		return err
	}
	column, err := s.wholes("col", len(p))
	if err != nil {
		return err
	}
	if len(row) != len(p) || len(column) != len(p) {
		return errs.New("there are %d values, %d rows and %d columns of them; write the file again", len(p),
			len(row), len(column))
	}
	for i, v := range p {
		if err := s.addEntry(row[i], column[i], v); err != nil {
			return err
		}
	}
	return nil
}

// compressed reads the arrays indptr, indices and data: block x of rows has the blocks indptr[x] to
// indptr[x+1], which are of one entry but for bsr. Those of csc are of columns.
func (s *sparse) compressed(format string) error {
	p, shape, err := s.numbers("data")
	if err != nil {
		return err
	}
	// of a block
	high := 1
	wide := 1
	if format == "bsr" && len(shape) == 3 {
		high = shape[1]
		wide = shape[2]
	}
	if high < 1 || wide < 1 || s.n%high != 0 || s.n%wide != 0 {
		return fmt.Errorf("blocks of %dx%d do not fill a matrix of %dx%d", high, wide, s.n, s.n)
	}
	starts, err := s.wholes("indptr", s.n/high+1)
	if err != nil {
		return err
	}
	blocks := len(p) / (high * wide)
	indices, err := s.wholes("indices", blocks)
	if err != nil {
		return err
	}
	if len(indices) != blocks || len(starts) != s.n/high+1 || starts[0] != 0 ||
		starts[len(starts)-1] > blocks || !slices.IsSorted(starts) {
		return errs.New("indptr and indices do not fit %d values of a matrix of %dx%d; write the file again",
			len(p), s.n, s.n)
	}
	for x := range s.n / high {
		for k := starts[x]; k < starts[x+1]; k++ {
			for i, v := range p[k*high*wide : (k+1)*high*wide] {
				from, to := x*high+i/wide, indices[k]*wide+i%wide
				if format == "csc" {
					from, to = to, from
				}
				if err := s.addEntry(from, to, v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// diagonals reads the arrays offsets and data: row k of data has in column j the entry of column j
// on the diagonal that is offsets[k] above the main one.
func (s *sparse) diagonals() error {
	p, shape, err := s.numbers("data")
	if err != nil {
		return err
	}
	offsets, err := s.wholes("offsets", 2*s.n)
	if err != nil {
		return err
	}
	if len(shape) != 2 || shape[0] != len(offsets) {
		return errs.New("there are %d diagonals, and values of shape %s; write the file again",
			len(offsets), numpy.ShapeText(shape))
	}
	for k, offset := range offsets {
		for to := max(0, offset); to < min(s.n, s.n+offset, shape[1]); to++ {
			if err := s.addEntry(to-offset, to, p[k*shape[1]+to]); err != nil {
				return err
			}
		}
	}
	return nil
}
