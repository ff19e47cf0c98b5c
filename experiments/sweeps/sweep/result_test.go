package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// someValues returns values that could be of an annealing.
func someValues(t *rapid.T) *Values {
	size := rapid.Float64Range(0, 1e3)
	qp := size.Draw(t, "kl_q_p")
	pq := size.Draw(t, "kl_p_q")
	more := size.Draw(t, "B - J")
	below := size.Draw(t, "log Z below")
	v := numbers{
		KLQP:             float64(qp),
		KLPQ:             float64(pq),
		J:                float64(qp + pq),
		B:                float64(qp + pq + more),
		DominantModeMass: math.NaN(),
	}
	v.LogZRatio = float64(rapid.Float64Range(-1e6, 1e6).Draw(t, "log Z"))
	part := min(1, below/1e3)
	v.MeanLogWForward = v.LogZRatio - float64(part)*v.B
	v.MeanLogWReverse = v.LogZRatio + float64(1-part)*v.B
	if rapid.IntRange(0, 9).Draw(t, "infinite") == 0 {
		inf := math.Inf(1)
		v.J = inf
		v.B = inf
		v.KLQP = inf
		v.MeanLogWForward = -inf
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
		if back.Key != r.Key || back.Cell.String() != r.Cell.String() || back.Error != valid(r.Error) ||
			(back.Values == nil) != (r.Values == nil) {
			t.Fatalf("%+v comes back as %+v", r, back)
		}
		if r.Values != nil {
			want := *r.Values
			want.Note = valid(want.Note)
			if fmt.Sprintf("%x %q", back.Numbers, back.Note) !=
				fmt.Sprintf("%x %q", want.Numbers, want.Note) {
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
		if c, ok := errors.AsType[*corruptError](err); ok {
			got = fmt.Sprintf("%d whole, %d torn, line %d at %d: %s", whole, torn, c.Line, c.Offset, c.Reason)
		}
		if got != want {
			t.Errorf("%.10q...: %s, want %s", text, got, want)
		}
	}
}

// FuzzRead reads any bytes as a file of results: as many lines as have their checksum, or an error
// with its place.
func FuzzRead(f *testing.F) {
	s := mustSweep(f, small)
	head := []byte(headOf(f, s, "1/1", s.Len()))
	line := []byte(lineOf(f, "result", Result{Key: s.Key(s.Cell(0)), Cell: s.Cell(0),
		Values: numbers{
			KLQP:             1,
			J:                1,
			B:                2,
			MeanLogWReverse:  2,
			DominantModeMass: math.NaN(),
			Note:             "x",
		}.values()}))
	f.Add(append(head, line...))
	f.Add(append(head, line[:20]...))
	f.Add(append(head, "{\n"...))
	f.Add([]byte(`{"crc32c":"00000000","result":{}}` + "\n"))
	f.Add(append(append(head, line...),
		lineOf(f, "result", Result{Key: s.Key(s.Cell(1)), Cell: s.Cell(1), Error: "x"})...))
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
			if again, err := json.Marshal(r); err != nil || !bytes.Equal(again, object) ||
				r.validateResult(s.study) != nil || s.Key(s.Cell(i)) != r.Key {
				t.Errorf("%s is read as %s, %v", object, again, err)
			}
			return nil
		})
		if err == nil &&
			(r.whole+r.torn != int64(len(text)) || results != max(0, bytes.Count(text, []byte("\n"))-1)) {
			t.Errorf("%d whole bytes, %d torn, %d results of %q", r.whole, r.torn, results, text)
		}
		if err != nil && !strings.Contains(err.Error(), "f") {
			t.Errorf("an error without a place: %v", err)
		}
	})
}

// TestOldFolders: what an earlier version has written, in which studies and columns had other
// names, is refused with the cure.
func TestOldFolders(t *testing.T) {
	_, err := ReadStatus(sweptStudies(), "testdata/written")
	longtest.Refused(t, err,
		"an earlier version of breadboard wrote it (schema 1; this version reads and writes schema 2): make it again",
		"an old folder")
}

// oneResult returns a valid result of a cell of a sweep.
func oneResult(s *Sweep, i int) Result {
	nan := math.NaN()
	return Result{
		Key:  s.Key(s.Cell(i)),
		Cell: s.Cell(i),
		Values: numbers{J: 0.5, B: 1.25, KLQP: 0.25, KLPQ: 0.25, MeanLogWForward: -0.25,
			MeanLogWReverse: 1, LogZRatio: 0.5, DominantModeMass: nan}.values(),
	}
}

// lineOf returns a line with a right checksum.
func lineOf(t testing.TB, kind string, v any) string {
	t.Helper()
	return string(longtest.Must(encodeLine(kind, v))(t))
}

// headOf returns the header of the file of a shard.
func headOf(t testing.TB, s *Sweep, shard string, cells int) string {
	t.Helper()
	return lineOf(t, "header", header{schema, s.study.Name, s.id, shard, cells})
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	text := longtest.Must(json.Marshal(v))(t)
	return string(text)
}

// folder returns a folder of the sweep in memory with a file of results for each text, and the
// disk's for status.
func folder(t *testing.T, s *Sweep, files map[string]string) (*memory, string) {
	t.Helper()
	m := newMemory(1)
	dir := t.TempDir()
	manifest := mustEncode(t, s)
	files[manifestName] = string(manifest)
	m.dirs["dir"] = true
	for name, text := range files {
		m.names["dir/"+name] = &memoryFile{data: []byte(text), synced: []byte(text)}
		longtest.NoError(t, os.WriteFile(dir+"/"+name, []byte(text), 0o644))
	}
	return m, dir
}

// TestWrongContents: a line with a right checksum and wrong contents is refused by run, status and
// merge alike, with file, line, cell, what is wrong and the cure.
func TestWrongContents(t *testing.T) {
	longtest.Only(t)
	s := mustSweep(t, small)
	good := asJSON(t, oneResult(s, 0))
	change := func(f func(v *Values)) string {
		r := oneResult(s, 0)
		f(r.Values)
		return asJSON(t, r)
	}
	const form = "its fields are not in the order or form that breadboard writes"
	cell := asJSON(t, s.Cell(0))
	key := s.Key(s.Cell(0)).String()
	for _, c := range []struct{ old, new, want string }{
		{`"J":0.5,`, ``, "it has no J"},
		{`"J":0.5,"B":1.25,`, ``, "it has no J, B"},
		{`"J":0.5`, `"J":null`, form},
		{`"J":0.5`, `"J":"x"`, form},
		{`"J":0.5`, `"J":5e-1`, form},
		{`"J":0.5`, `"j":0.5`, `it has the unknown field "j"`},
		{`"J":0.5`, `"J":0.5,"J":0.5`, form},
		{`"J":0.5`, `"J":0.5,"K":1`, `it has the unknown field "K"`},
		{`"NaN"}`, `"NaN","x":1}`, `it has the unknown field "x"`},
		{cell, asJSON(t, s.Cell(1)), "the cell in the line is not that of its key"},
		{`"T":"2"`, `"T":"3"`, "the cell in the line is not that of its key"},
		{`"J":0.5`, `"error":"x","J":0.5`, "it has an error and values"},
		{`"NaN"}`, `"NaN","error":"x"}`, "it has an error and values"},
		{good, `{"key":"` + key + `","cell":` + cell + `}`, "it has neither values nor an error"},
		{good, `{"key":"` + key + `","cell":` + cell + `,"error":""}`, "its error is not a text"},
		{good, `[]`, "it is not a JSON object"},
		{good, `{"J":1}`, "it does not name its cell"},
		{key, strings.ToUpper(key), "its key is not in lower case"},
		{key, strings.Repeat("0", 32), "which is not in the sweep"},
		{good, change(func(v *Values) { v.Note = strings.Repeat("x", maxRead+1) }),
			"its note has 2004 bytes; the limit is 2003"},
		{good, change(func(v *Values) { v.Note = strings.Repeat("x", 1<<20) }), "longer than"},
		{good, change(func(v *Values) { v.Numbers[atKLQP], v.Numbers[atKLPQ] = -0.25, 0.75 }),
			"its kl_q_p is -0.25, which is not from 0 to +Inf"},
		{good, change(func(v *Values) {
			v.Numbers[atJ], v.Numbers[atKLQP], v.Numbers[atKLPQ] = -0.5, -0.25, -0.25
		}), "its J is -0.5"},
	} {
		object := strings.Replace(good, c.old, c.new, 1)
		if object == good {
			t.Fatalf("%s in %s", c.old, good)
		}
		before := headOf(t, s, "1/1", s.Len()) + lineOf(t, "result", oneResult(s, 2))
		refusedByAll(t, s, c.want,
			map[string]string{"shard-1-of-1.jsonl": before + lineOf(t, "result", json.RawMessage(object))},
			"shard-1-of-1.jsonl, line 3", c.want, "delete")
	}
	for what, h := range map[string]string{
		"unknown field of the header": `{"schema":2,"study":"tightness","sweep":"` + s.id.String() +
			`","shard":"1/1","cells":8,"x":1}`,
		"missing field of the header": `{"schema":2,"study":"tightness","sweep":"` + s.id.String() +
			`","shard":"1/1"}`,
		"another shard":  asJSON(t, header{schema, defaultStudy, s.id, "1/2", s.Len()}),
		"too many cells": asJSON(t, header{schema, defaultStudy, s.id, "1/1", s.Len() + 1}),
	} {
		refusedByAll(t, s, what, map[string]string{"shard-1-of-1.jsonl": lineOf(
			t,
			"header",
			json.RawMessage(h),
		)}, "shard-1-of-1.jsonl, line 1", "move the file away")
	}
}

// TestOddNames: names that look like those of files of results, and that breadboard never gives,
// are refused by all.
func TestOddNames(t *testing.T) {
	s := mustSweep(t, small)
	text := headOf(t, s, "1/1", s.Len())
	for _, name := range []string{"shard-0-of-0.jsonl", "shard-0-of-1.jsonl", "shard-01-of-1.jsonl",
		"shard-1-of-01.jsonl", "shard-2-of-1.jsonl",
		"shard-1-of-99999999999999999999.jsonl"} {
		refusedByAll(t, s, name, map[string]string{name: text}, name+" is not a file of a shard")
	}
}

// refusedByAll checks that run, status and merge refuse a folder with one and the same error.
func refusedByAll(t *testing.T, s *Sweep, what string, files map[string]string, want ...string) {
	t.Helper()
	m, dir := folder(t, s, files)
	_, byMerge := mergeOf(m)
	_, byRun := acknowledged(s, m, Options{Workers: 1})
	_, byStatus := ReadStatus(sweptStudies(), dir)
	for by, err := range map[string]error{"run": byRun, "merge": byMerge, "status": byStatus} {
		if err == nil {
			t.Errorf("%s: %s accepts it", what, by)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %s says %.500v, want %q", what, by, err, w)
			}
		}
	}
	if byRun == nil || byMerge == nil || byStatus == nil {
		return
	}
	if byRun.Error() != byMerge.Error() ||
		strings.ReplaceAll(byStatus.Error(), dir, "dir") != byMerge.Error() {
		t.Errorf("%s: run says %v, merge %v and status %v", what, byRun, byMerge, byStatus)
	}
	if text := m.names["dir/shard-1-of-1.jsonl"].data; string(text) != files["shard-1-of-1.jsonl"] {
		t.Errorf("%s: the file was not left alone", what)
	}
}

// TestConflicts: two results of one cell that differ are refused by all, in one file and in two;
// the same one twice is taken once.
func TestConflicts(t *testing.T) {
	s := mustSweep(t, small)
	head := func(shard string) string {
		return headOf(t, s, shard, 4)
	}
	one := lineOf(t, "result", oneResult(s, 0))
	r := oneResult(s, 0)
	r.Numbers[atLogZRatio] = 0.5 + 2e-12
	two := lineOf(t, "result", r)
	r.Numbers[atLogZRatio] = math.Nextafter(0.5, 1)
	rounded := lineOf(t, "result", r)
	fails := lineOf(t, "result", Result{Key: r.Key, Cell: r.Cell, Error: "x"})
	for what, second := range map[string]string{"other digits": two, "an error": fails} {
		refusedByAll(t, s, what, map[string]string{"shard-1-of-1.jsonl": head("1/1") + one + second},
			"shard-1-of-1.jsonl, line 3: two different results of the cell toy random:1:0:2x2", "delete")
		refusedByAll(t, s, what+" in another shard", map[string]string{
			"shard-1-of-1.jsonl": head("1/1") + one, "shard-1-of-2.jsonl": head("1/2") + second},
			"shard-1-of-2.jsonl, line 2: two different results")
	}
	m, _ := folder(t, s, map[string]string{"shard-1-of-1.jsonl": head("1/1") + one + one + rounded,
		"shard-1-of-2.jsonl": head("1/2") + rounded + one})
	if merged, err := mergeOf(m); err != nil || len(merged.Rows) != 1 ||
		merged.Rows[0].Numbers[atLogZRatio] != 0.5 {
		t.Errorf("the same result five times: %+v, %v", merged, err)
	}
	if keys, err := acknowledged(s, m, Options{Workers: 1}); err != nil || len(keys) != s.Len()-1 {
		t.Errorf("%d cells are solved, %v", len(keys), err)
	}
}

// TestTextsOfErrors: whatever an error says, its result can be written and read.
func TestTextsOfErrors(t *testing.T) {
	s := mustSweep(t, small)
	for _, text := range []string{"", "x", strings.Repeat("\xff", 5000), strings.Repeat("x", 5000),
		strings.Repeat("\u2028", 1000), "\xff"} {
		r := Result{Key: s.Key(s.Cell(0)), Cell: s.Cell(0), Error: errorText(errors.New(text))}
		object := asJSON(t, r)
		if _, back, err := newCollector(s, nil).decodeResult([]byte(object)); err != nil ||
			back.Error != r.Error || len(r.Error) > maxText+3 {
			t.Errorf("%.20q: %v, %s", text, err, fmt.Sprintf("%.100s", object))
		}
	}
}
