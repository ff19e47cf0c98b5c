package numpy_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/grid/longtest"
)

// arrayFile returns a file of one number with the header, whose length is one of 32 bits.
func arrayFile(header string) []byte {
	file := binary.LittleEndian.AppendUint32([]byte("\x93NUMPY\x02\x00"), uint32(len(header)))
	return numpy.AppendFloats(append(file, header...), []float64{3})
}

// TestHeaders: values in Python's notation, descriptions of elements and shapes, with sizes at the
// bounds, and what is none.
func TestHeaders(t *testing.T) {
	const descr, value, shape = "{'fortran_order': False, 'shape': (1,), 'descr': %s}",
		"{'fortran_order': True, 'shape': (1,), 'descr': '<f8', 'more': %s}",
		"{'descr': '<f8', 'fortran_order': True, 'shape': %s}"
	for _, c := range []struct {
		form           string
		taken, refused []string
	}{
		{value, []string{`{}`, `{'a': (1, -2L,), "b": [True, False]}`, `"'"`, ` ( ) `,
			"'" + strings.Repeat("x", 1<<20-len(value)) + "'"}, []string{
			"", "{", "{1: 2}", "{'a' 2}", "{'a': 1 'b': 2}", "{'a': 1, 'a': 2}", "(1", "(1 2)", "'a", `'\`,
			"99999999999999999999", "-", "None", "1.5.",
			strings.Repeat("(", 100), "'" + strings.Repeat("x", 1<<20-len(value)+1) + "'"}},
		{descr, []string{"[('a', '<f8', 3)]", "[('a', '<f8', ())]", "[(('b', 'a'), '<f8')]", "'<M8[s]'",
			"[('a', '<f8', (16777216,))]",
			"[('a', '|V16777216', (65536,))]"}, []string{
			"[('a',)]", "[('a', '<f8', (2,), 3)]", "[]", "[1]", "[(1, '<f8')]", "[('a', 1)]",
			"[('a', '<f8', 'b')]", "[('a', '<f8', (-1,))]",
			"[(('b',), '<f8')]", "''", "'<'", "'<f-8'", "'<f8[s]'", "[('a', '|V16777217')]",
			"[('a', '<f8', (16777217,))]", "[('a', '<f8', (4096, 4097))]",
			"[('a', '|V16777216', (65536,)), ('b', '|i1')]"}}, // 2^40 bytes, and one more
		{shape, []string{"(1" + strings.Repeat(", 1", 63) + ")", "(1,)"},
			[]string{"(1" + strings.Repeat(", 1", 64) + ")", "(1099511627777,)", "(-1,)", "1"}},
	} {
		for ok, list := range map[bool][]string{true: c.taken, false: c.refused} {
			for _, text := range list {
				file := arrayFile(fmt.Sprintf(c.form, text))
				if _, _, err := numpy.ReadHeader(bytes.NewReader(file), int64(len(file))); ok !=
					(err == nil) {
					t.Errorf("%.40s: %v", text, err)
				}
			}
		}
	}
	file := arrayFile(fmt.Sprintf(descr, `[('it\'s "\\ \x41é', '<f8')]`))
	if h, _, err := numpy.ReadHeader(bytes.NewReader(file), int64(len(file))); err != nil ||
		h.Fields[0].Name != `it's "\ Aé` {
		t.Errorf("%+v, %v", h, err)
	}
	for _, many := range []string{
		"(4294967296, 1)", "(4294967297,)", "(1099511627776, 0)", "(0, 1099511627776)"} {
		// not taken for none if an int has 32 bits
		a, err := numpy.Parse(arrayFile(fmt.Sprintf(shape, many)))
		if err == nil {
			_, err = a.Floats()
		}
		if err == nil {
			t.Errorf("%s is taken", many)
		}
	}
}

// failsAt is a file that cannot be read from a place on.
type failsAt struct {
	*bytes.Reader
	at int64
}

func (f failsAt) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.at {
		return 0, errors.New("a bad sector")
	}
	return f.Reader.ReadAt(p, at)
}

// TestFailingReads: an error of the disk is reported, and not taken for a damaged header.
func TestFailingReads(t *testing.T) {
	file := bytes.NewReader(numpy.Floats([]float64{1}))
	for _, at := range []int64{0, 12} {
		_, _, err := numpy.ReadHeader(failsAt{file, at}, file.Size())
		longtest.Refused(t, err, "a bad sector")
	}
}
