package numpy_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"breadboard/chains/matrices"
	"breadboard/chains/numpy"
	"breadboard/grid/longtest"
)

// bytesOf returns a text as an array of bytes, as SciPy writes the format: numpy.asarray(b"csr").
func bytesOf(text string) []byte {
	header := fmt.Sprintf("{'descr': '|S%d', 'fortran_order': False, 'shape': (), }", len(text))
	return append(append(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header))),
		header...), text...)
}

// members are the arrays of a matrix in a format of SciPy's, without those that are given as nil.
func members(format string, shape []int, data []byte, more map[string][]int) []numpy.Member {
	list := []numpy.Member{{Name: "format", Data: bytesOf(format)},
		{Name: "shape", Data: numpy.Integers(shape, len(shape))}, {Name: "data", Data: data}}
	for name, v := range more {
		list = append(list, numpy.Member{Name: name, Data: numpy.Integers(v, len(v))})
	}
	return list
}

func archived(t testing.TB, list []numpy.Member) string {
	t.Helper()
	var b bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&b, list))
	path := longtest.File(t, "k.npz", b.String())
	return path
}

// TestSciPy: the matrix ((0.5, 0.5, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1), (0.25, 0, 0.75, 0)) in all
// formats, as SciPy 1.10 has them.
func TestSciPy(t *testing.T) {
	four := []int{4, 4}
	data := func(v ...float64) []byte { return numpy.Floats(v, len(v)) }
	want := "[0 2 3 4 6] [0 1 1 3 0 2] [0.5 0.5 1 1 0.25 0.75]"
	for _, list := range [][]numpy.Member{
		members("csr", four, data(0.5, 0.5, 1, 1, 0.25, 0.75),
			map[string][]int{"indptr": {0, 2, 3, 4, 6}, "indices": {0, 1, 1, 3, 0, 2}}),
		// columns in any order
		members("csr", four, data(0.5, 0.5, 1, 1, 0.75, 0.25),
			map[string][]int{"indptr": {0, 2, 3, 4, 6}, "indices": {1, 0, 1, 3, 2, 0}}),
		members("csc", four, data(0.5, 0.25, 0.5, 1, 0.75, 1),
			map[string][]int{"indptr": {0, 2, 4, 5, 6}, "indices": {0, 3, 0, 1, 3, 2}}),
		members("coo", four, data(0.25, 0.25, 0.5, 1, 1, 0.25, 0.75, 0),
			map[string][]int{"row": {0, 0, 0, 1, 2, 3, 3, 3}, "col": {0, 0, 1, 1, 3, 0, 2, 3}}),
		members("bsr", four, numpy.Floats([]float64{0.5, 0.5, 0, 1, 0, 0, 0.25, 0, 0, 1, 0.75, 0}, 3, 2, 2),
			map[string][]int{"indptr": {0, 1, 3}, "indices": {0, 0, 1}}),
		members("dia", four, numpy.Floats([]float64{0.25, 0, 0, 0, 0, 0, 0.75, 0, 0.5, 1, 0, 0, 0, 0.5, 0, 1},
			4, 4), map[string][]int{"offsets": {-3, -1, 0, 1}}),
	} {
		r, is, err := matrices.ReadSciPy(archived(t, list), 4)
		if err != nil || !is {
			t.Errorf("%s: %v %v", list[0].Data, is, err)
			continue
		}
		if got := fmt.Sprint(r.Starts, r.To, r.P); got != want || r.Rounding != 0 {
			t.Errorf("%s: %s", list[0].Data, got)
		}
	}
	other := archived(t, []numpy.Member{{Name: "a", Data: data(1)}})
	if r, is, err := matrices.ReadSciPy(other, 4); r != nil || is || err != nil {
		t.Errorf("an archive of something else: %v %v %v", r, is, err)
	}
}

// TestBadSciPy: what is wrong with a sparse matrix, without panics and without more memory than a
// dense one would take.
func TestBadSciPy(t *testing.T) {
	two := []int{2, 2}
	data := func(v ...float64) []byte { return numpy.Floats(v, len(v)) }
	csr := map[string][]int{"indptr": {0, 1, 2}, "indices": {0, 1}}
	for want, list := range map[string][]numpy.Member{
		"the matrix has the shape (2, 3)":                     members("csr", []int{2, 3}, data(1, 1), csr),
		"there are 5 states, and at most 4 can be used":       members("csr", []int{5, 5}, data(1, 1), csr),
		`the format is "lil"; save csr, csc, bsr, coo or dia`: members("lil", two, data(1, 1), csr),
		"indptr and indices do not fit 2 values of a matrix": members("csr",
			two, data(1, 1), map[string][]int{"indptr": {0, 3, 2}, "indices": {0, 1}}),
		"an entry in row 0 and column -1 of a matrix of 2x2": members("csr",
			two, data(1, 1), map[string][]int{"indptr": {0, 1, 2}, "indices": {-1, 1}}),
		`the archive has no array "row"`: members("coo", two, data(1), nil),
		"there are 1 diagonals, and values of shape (2, 2)": members("dia",
			two, numpy.Floats([]float64{1, 1, 1, 1}, 2, 2), map[string][]int{"offsets": {0}}),
		"blocks of 3x1 do not fill a matrix of 2x2": members("bsr", two, numpy.Floats([]float64{1, 1, 1}, 1, 3, 1),
			map[string][]int{"indptr": {0, 1}, "indices": {0}}),
		"array data: it has more than 65600 bytes": members("coo", two, numpy.Floats(make([]float64, 9000), 9000), nil),
		"array row has 0.5, and should have whole numbers below": append(
			members("coo", two, data(1), nil),
			numpy.Member{Name: "row", Data: data(0.5)},
		),
		"array data: found Python objects": members("coo", two, []byte(objects()), nil),
		"array format is not text": {
			{Name: "format", Data: data(1)}, {Name: "shape", Data: data(1)}, {Name: "data", Data: data(1)}},
	} {
		_, is, err := matrices.ReadSciPy(archived(t, list), 4)
		if !is {
			t.Errorf("%s: no sparse matrix", want)
		}
		longtest.Refused(t, err, want)
	}
}

// objects is an array of Python objects, which are pickled.
func objects() string {
	const header = "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
	return "\x93NUMPY\x01\x00" + string(rune(len(header))) + "\x00" + header + "\x80\x04."
}

func FuzzSciPy(f *testing.F) {
	f.Add("csr", int64(2), []byte{2, 0, 3}, []byte{0, 1, 2}, []byte{0, 1})
	f.Add("bsr", int64(4), []byte{1, 2, 3, 4}, []byte{0, 1, 1}, []byte{0})
	f.Add("dia", int64(2), []byte{1, 2}, []byte{0}, []byte{255})
	f.Fuzz(func(t *testing.T, format string, n int64, data, starts, indices []byte) {
		wholes := func(b []byte) (v []int) {
			for _, c := range b {
				v = append(v, int(int8(c)))
			}
			return v
		}
		values := make([]float64, len(data))
		for i, c := range data {
			values[i] = float64(c) / 4
		}
		shape := []int{len(values)}
		if side := len(values) / 2; side > 0 && len(values)%2 == 0 && format != "csr" {
			shape = []int{side, 2, 1}[:2+min(1, len(format)%2)]
		}
		list := members(format, []int{int(n), int(n)}, numpy.Floats(values, shape...),
			map[string][]int{"indptr": wholes(starts), "indices": wholes(indices), "row": wholes(starts),
				"col": wholes(indices), "offsets": wholes(indices)})
		r, _, err := matrices.ReadSciPy(archived(t, list), 20)
		if err != nil {
			return
		}
		if r.Len() != int(n) || r.Starts[r.Len()] != len(r.P) || len(r.To) != len(r.P) {
			t.Fatalf("%d rows of %d, %v", r.Len(), n, r.Starts)
		}
		for _, to := range r.To {
			if to < 0 || int64(to) >= n {
				t.Fatalf("column %d of %d", to, n)
			}
		}
	})
}
