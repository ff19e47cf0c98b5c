package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNumbers come back with the same bits.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		text, err := json.Marshal(Number(v))
		if err != nil {
			t.Fatal(err)
		}
		var back Number
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := float64(back); math.Float64bits(got) != math.Float64bits(v) && !(math.IsNaN(got) && math.IsNaN(v)) {
			t.Fatalf("%v is written as %s and read as %v", v, text, got)
		}
	})
	for v, want := range map[float64]string{math.Inf(1): `"+Inf"`, math.Inf(-1): `"-Inf"`, 0.1: "0.1", 1e-300: "1e-300"} {
		if text, err := Number(v).MarshalJSON(); err != nil || string(text) != want {
			t.Errorf("%v is %s, %v", v, text, err)
		}
	}
}

// TestLinesOfResults reads back what is written, and nothing of another kind.
func TestLinesOfResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Result{Key: keyOf(rapid.String().Draw(t, "key")), Cell: Cell{rapid.String().Draw(t, "toy"), "path", "initial", "schedule", "kernel", "2"}}
		if rapid.Bool().Draw(t, "fails") {
			r.Error = rapid.String().Draw(t, "error")
		} else {
			r.Values = &Values{J: Number(rapid.Float64().Draw(t, "J")), Note: rapid.String().Draw(t, "note")}
		}
		line, err := encodeLine("result", r)
		if err != nil || bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
			t.Fatalf("%q, %v", line, err)
		}
		var back Result
		if err := decodeLine(line[:len(line)-1], "result", &back); err != nil {
			t.Fatal(err)
		}
		valid := func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
		if back.Key != r.Key || back.Error != valid(r.Error) || (back.Values == nil) != (r.Values == nil) {
			t.Fatalf("%+v comes back as %+v", r, back)
		}
		if r.Values != nil && (back.J != r.J || back.Note != valid(r.Note)) {
			t.Fatalf("%+v comes back as %+v", r.Values, back.Values)
		}
		if decodeLine(line[:len(line)-1], "header", &back) == nil {
			t.Fatal("a result is read as a header")
		}
	})
}

// TestLongLines: without an end it is torn, with one it is damaged.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine)
	for text, want := range map[string]string{
		long:                "0 whole, 196608 torn, <nil>",
		"a\n" + long:        "2 whole, 196608 torn, <nil>",
		long + "\nb\n":      "0 whole, 0 torn, line 1 at 0: it is longer than 65536 bytes",
		"a\n" + long + "\n": "2 whole, 0 torn, line 2 at 2: it is longer than 65536 bytes",
		"a\nb\nc":           "4 whole, 1 torn, <nil>",
		"":                  "0 whole, 0 torn, <nil>",
		"\n\n":              "2 whole, 0 torn, <nil>",
	} {
		whole, torn, err := scanLines(strings.NewReader(text), func([]byte, int, int64) error { return nil })
		got := fmt.Sprintf("%d whole, %d torn, %v", whole, torn, err)
		if c, ok := errors.AsType[*CorruptError](err); ok {
			got = fmt.Sprintf("%d whole, %d torn, line %d at %d: %s", whole, torn, c.Line, c.Offset, c.Reason)
		}
		if got != want {
			t.Errorf("%.10q...: %s, want %s", text, got, want)
		}
	}
}

// FuzzRead reads any bytes as a file of results: as many lines as have their checksum, or an error with its place.
func FuzzRead(f *testing.F) {
	spec, err := Parse("x", []byte(small))
	if err != nil {
		f.Fatal(err)
	}
	s, err := spec.Sweep()
	if err != nil {
		f.Fatal(err)
	}
	head, err := encodeLine("header", header{schema, s.id, "1/1", s.Len()})
	if err != nil {
		f.Fatal(err)
	}
	line, err := encodeLine("result", Result{Key: s.Key(s.Cell(0)), Cell: s.Cell(0), Values: &Values{J: 1}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(head, line...))
	f.Add(append(head, line[:20]...))
	f.Add(append(head, "{\n"...))
	f.Add([]byte(`{"crc32c":"00000000","result":{}}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := newMemory(1)
		m.names["f"] = &memoryFile{data: text}
		results := 0
		r, err := readResults(m, "f", s.id, func(*Result, int) error { results++; return nil })
		if err == nil && (r.whole+r.torn != int64(len(text)) || results != max(0, bytes.Count(text, []byte("\n"))-1)) {
			t.Errorf("%d whole bytes, %d torn, %d results of %q", r.whole, r.torn, results, text)
		}
		if err != nil && !strings.Contains(err.Error(), "f") {
			t.Errorf("an error without a place: %v", err)
		}
	})
}
