package numpy

import (
	"reflect"
	"strings"
	"testing"

	_ "breadboard/grid/longtest" // the flag -long
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
	for _, text := range []string{"", "{", "{1: 2}", "{'a' 2}", "{'a': 1 'b': 2}", "{'a': 1, 'a': 2}", "(1", "(1 2)", "'a", `'\`, "99999999999999999999", "-", "None", "1.5.", strings.Repeat("(", 100)} {
		p := &literals{text: text}
		if v, err := p.value(0); err == nil && p.at == len(text) {
			t.Errorf("%q is %v", text, v)
		}
	}
}

// TestDescriptions: descriptions of elements that are refused, and sizes at the bounds.
func TestDescriptions(t *testing.T) {
	for descr, ok := range map[string]bool{
		"[('a',)]": false, "[('a', '<f8', (2,), 3)]": false, "[]": false, "[1]": false, "[(1, '<f8')]": false, "[('a', 1)]": false, "[('a', '<f8', 'b')]": false, "[('a', '<f8', (-1,))]": false,
		"[('a', '<f8', 3)]": true, "[('a', '<f8', ())]": true, "[(('b', 'a'), '<f8')]": true, "[(('b',), '<f8')]": false, "''": false, "'<'": false, "'<f-8'": false, "'<f8[s]'": false, "'<M8[s]'": true,
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
