package numpy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestLiterals: values in Python's notation, and what is none.
func TestLiterals(t *testing.T) {
	for text, want := range map[string]any{
		`{}`: map[string]any{}, `{'a': (1, -2L,), "b": [True, False]}`: map[string]any{"a": []any{int64(1), int64(-2)}, "b": []any{true, false}},
		`'it\'s "\\ \x41é'`: `it's "\ Aé`, `"'"`: `'`, ` ( ) `: []any{},
	} {
		if got, err := (&literals{text: text}).value(0); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "{", "{1: 2}", "{'a' 2}", "{'a': 1 'b': 2}", "{'a': 1, 'a': 2}", "(1", "(1 2)", "'a", `'\`, "99999999999999999999",
		"-", "None", "1.5.", strings.Repeat("(", 100)} {
		p := &literals{text: text}
		if v, err := p.value(0); err == nil && p.at == len(text) {
			t.Errorf("%q is %v", text, v)
		}
	}
}

// TestDescriptions: descriptions of elements that are refused, and sizes at the bounds.
func TestDescriptions(t *testing.T) {
	for descr, ok := range map[string]bool{
		"[('a',)]": false, "[('a', '<f8', (2,), 3)]": false, "[]": false, "[1]": false, "[(1, '<f8')]": false, "[('a', 1)]": false,
		"[('a', '<f8', 'b')]": false, "[('a', '<f8', (-1,))]": false,
		"[('a', '<f8', 3)]": true, "[('a', '<f8', ())]": true, "[(('b', 'a'), '<f8')]": true, "[(('b',), '<f8')]": false, "''": false, "'<'": false,
		"'<f-8'": false, "'<f8[s]'": false, "'<M8[s]'": true,
		"[('a', '|V16777216', (65536,))]": true, "[('a', '|V16777216', (65536,)), ('b', '|i1')]": false, // 2^40 bytes, and one more
		"[('a', '|V16777217')]": false, "[('a', '<f8', (16777216,))]": true, "[('a', '<f8', (16777217,))]": false, "[('a', '<f8', (4096, 4097))]": false,
	} {
		_, bad := parseHeader("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,)}")
		if ok != (bad == nil) {
			t.Errorf("%s: %+v", descr, bad)
		}
	}
	for length, ok := range map[uint32]bool{longestHeader: true, longestHeader + 1: false} {
		start := append([]byte("\x93NUMPY\x02\x00"), byte(length), byte(length>>8), byte(length>>16), byte(length>>24))
		if _, _, bad := preamble(start); ok != (bad == nil) {
			t.Errorf("a header of %d bytes: %+v", length, bad)
		}
	}
}

// TestShapesAtTheirBounds: an array has at most 64 sides, and a side of 2^32 numbers is not taken
// for none if an int has 32 bits.
func TestShapesAtTheirBounds(t *testing.T) {
	for shape, ok := range map[string]bool{
		"(1" + strings.Repeat(", 1", maxSides-1) + ")": true, "(1" + strings.Repeat(", 1", maxSides) + ")": false, "(4294967296, 1)": false,
		"(4294967297,)": false, "(1099511627776, 0)": false,
		"(0, 1099511627776)": false, "(1,)": true,
	} {
		text := "{'descr': '<f8', 'fortran_order': True, 'shape': " + shape + "}"
		file := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(text)))...)
		a, err := Parse(AppendFloats(append(file, text...), []float64{3}))
		if err == nil {
			_, err = a.Floats()
		}
		if ok != (err == nil) {
			t.Errorf("%s: %v", shape, err)
		}
	}
}

// failsAt is a file that cannot be read from a place on.
type failsAt struct {
	data []byte
	at   int64
}

func (f failsAt) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.at {
		return 0, errors.New("a bad sector")
	}
	return bytes.NewReader(f.data).ReadAt(p, at)
}

// TestFailingReads: an error of the disk is reported, and not taken for a damaged header. An
// archive's list is read up to its bound.
func TestFailingReads(t *testing.T) {
	data := Floats([]float64{1})
	for _, at := range []int64{0, 12} {
		_, _, err := ReadHeader(failsAt{data, at}, int64(len(data)))
		longtest.Refuses(0, err)(t, "a bad sector")
	}
	b := &boundedReader{from: failsAt{data, math.MaxInt64}, left: 4}
	if _, err := b.ReadAt(make([]byte, 4), 0); err != nil || b.over {
		t.Errorf("as many bytes as are allowed: %v", err)
	}
	longtest.Refuses(b.ReadAt(make([]byte, 1), 4))(t, "too long")
}
