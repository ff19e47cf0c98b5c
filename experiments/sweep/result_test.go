package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments"
	"breadboard/grid/longtest"
)

// TestNumbers come back with the same bits.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		text := longtest.Must(json.Marshal(Number(v)))(t)
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

// someValues returns values that could be of an annealing.
func someValues(t *rapid.T) *Values {
	size := rapid.Float64Range(0, 1e3)
	qp, pq, more, below := size.Draw(t, "kl_q_p"), size.Draw(t, "kl_p_q"), size.Draw(t, "B - J"), size.Draw(t, "log Z below")
	v := numbers{KLQP: float64(qp), KLPQ: float64(pq), J: float64(qp + pq), B: float64(qp + pq + more), DominantModeMass: math.NaN()}
	v.LogZRatio = float64(rapid.Float64Range(-1e6, 1e6).Draw(t, "log Z"))
	part := min(1, below/1e3)
	v.MeanLogWForward, v.MeanLogWReverse = v.LogZRatio-float64(part)*v.B, v.LogZRatio+float64(1-part)*v.B
	if rapid.IntRange(0, 9).Draw(t, "infinite") == 0 {
		inf := math.Inf(1)
		v.J, v.B, v.KLQP, v.MeanLogWForward = inf, inf, inf, -inf
	}
	v.Note = rapid.String().Draw(t, "note")
	return v.values()
}

// TestLinesOfResults reads back what is written, and nothing of another kind.
func TestLinesOfResults(t *testing.T) {
	s := mustSweep(t, small)
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, s.Len()-1).Draw(t, "cell")
		r := Result{Key: s.Key(s.Cell(i)), Cell: s.Cell(i)}
		if rapid.Bool().Draw(t, "fails") {
			r.Error = "x" + rapid.String().Draw(t, "error")
		} else {
			r.Values = someValues(t)
		}
		line, err := encodeLine("result", r)
		if err != nil || bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
			t.Fatalf("%q, %v", line, err)
		}
		object := longtest.Must(objectOf(line[:len(line)-1], "result"))(t)
		at, back, err := newCollector(s, nil).decodeResult(object)
		if err != nil || at != i {
			t.Fatalf("cell %d: %v, %s", at, err, line)
		}
		valid := func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
		if back.Key != r.Key || back.Cell.String() != r.Cell.String() || back.Error != valid(r.Error) || (back.Values == nil) != (r.Values == nil) {
			t.Fatalf("%+v comes back as %+v", r, back)
		}
		if r.Values != nil {
			want := *r.Values
			want.Note = valid(want.Note)
			if fmt.Sprintf("%x %q", back.Numbers, back.Note) != fmt.Sprintf("%x %q", want.Numbers, want.Note) {
				t.Fatalf("%+v comes back as %+v", want, *back.Values)
			}
		}
		if _, err := objectOf(line[:len(line)-1], "header"); err == nil {
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
	s := mustSweep(f, small)
	lineOf := func(kind string, v any) []byte { return []byte(asLine(f, kind, []byte(asJSON(f, v)))) }
	head := lineOf("header", header{schema, "", s.id, "1/1", s.Len()})
	line := lineOf("result", Result{Key: s.Key(s.Cell(0)), Cell: s.Cell(0), Values: numbers{KLQP: 1, J: 1, B: 2, MeanLogWReverse: 2, DominantModeMass: math.NaN(), Note: "x"}.values()})
	f.Add(append(head, line...))
	f.Add(append(head, line[:20]...))
	f.Add(append(head, "{\n"...))
	f.Add([]byte(`{"crc32c":"00000000","result":{}}` + "\n"))
	f.Add(append(append(head, line...), lineOf("result", Result{Key: s.Key(s.Cell(1)), Cell: s.Cell(1), Error: "x"})...))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := newMemory(1)
		m.names["f"] = &memoryFile{data: text}
		results := 0
		c := newCollector(s, nil)
		r, err := readResults(m, "f", []*Sweep{s}, Shard{1, 1}, func(object []byte, _ int) error {
			results++
			i, r, err := c.decodeResult(object)
			if err != nil {
				return err
			}
			// What is read is one result of one cell, and writes itself as it was.
			if again, err := json.Marshal(r); err != nil || !bytes.Equal(again, object) || r.validate(s.study) != nil || s.Key(s.Cell(i)) != r.Key {
				t.Errorf("%s is read as %s, %v", object, again, err)
			}
			return nil
		})
		if err == nil && (r.whole+r.torn != int64(len(text)) || results != max(0, bytes.Count(text, []byte("\n"))-1)) {
			t.Errorf("%d whole bytes, %d torn, %d results of %q", r.whole, r.torn, results, text)
		}
		if err != nil && !strings.Contains(err.Error(), "f") {
			t.Errorf("an error without a place: %v", err)
		}
	})
}

// FuzzDecode reads any object as a result: what passes is a valid result of its cell, and writes itself as it was.
func FuzzDecode(f *testing.F) {
	s := mustSweep(f, small)
	for _, r := range []Result{
		{Key: s.Key(s.Cell(0)), Cell: s.Cell(0), Values: numbers{KLQP: 1, J: 1, B: 2, MeanLogWReverse: 2, DominantModeMass: math.NaN(), Note: "x"}.values()},
		{Key: s.Key(s.Cell(1)), Cell: s.Cell(1), Values: numbers{J: math.Inf(1), KLPQ: math.Inf(1), B: math.Inf(1), MeanLogWReverse: math.Inf(1), DominantModeMass: math.NaN()}.values()},
		{Key: s.Key(s.Cell(2)), Cell: s.Cell(2), Error: "it \u2028 fails"},
	} {
		object := []byte(asJSON(f, r))
		f.Add(object)
		f.Add(object[:len(object)-1])
		f.Add(bytes.ReplaceAll(object, []byte(`,"B"`), []byte(`,"b"`)))
	}
	other := mustSweep(f, "study = 'subjective'\n[grid]\ntoy=['random:1:0:2x2']\nT=[2]\nreference=['mode']\nmoves=[2]")
	o := longtest.Must(other.study.Row(context.Background(), experiments.Params(other.Cell(0))))(f)
	object := []byte(asJSON(f, Result{Key: other.Key(other.Cell(0)), Cell: other.Cell(0), Values: valuesOf(other.study, o)}))
	f.Add(object)
	f.Add(bytes.ReplaceAll(object, []byte(`"is_bound":`), []byte(`"is_bound":2`)))
	c, d := newCollector(s, nil), newCollector(other, nil)
	f.Fuzz(func(t *testing.T, object []byte) {
		for _, of := range []*collector{c, d} {
			i, r, err := of.decodeResult(object)
			if err != nil {
				continue
			}
			if again, err := json.Marshal(r); err != nil || !bytes.Equal(again, object) || r.validate(of.sweep.study) != nil || of.sweep.Key(of.sweep.Cell(i)) != r.Key {
				t.Errorf("%s is read as %s, %v", object, again, err)
			}
		}
	})
}
