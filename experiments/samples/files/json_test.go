package files

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// FuzzScanner holds the scanner to encoding/json: what it takes is JSON, but for the names that Python has for numbers, and
// all JSON is taken.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{`{"a": [1, -2.5e+3, 0.1], "b\n\u00e9": {}}`, `[]`, `"\""`, `01`, `1.`, `.5`, `+1`, `NaN`, `[-Infinity, Infinity]`, `{"a" 1}`, `{,}`, `[1,]`, "\"\t\"", `nul`, `1e`, `-`, `"\x"`, strings.Repeat("[", 200)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		s := &scanner{b: content}
		ok := s.skip(0) == nil && s.peek() == 0 && s.at == len(content)
		if want := json.Valid(content); ok != want {
			python := bytes.Contains(content, []byte("NaN")) || bytes.Contains(content, []byte("Infinity"))
			deep := bytes.Count(content, []byte("["))+bytes.Count(content, []byte("{")) > maxJSON
			if ok && !python || !ok && !deep {
				t.Errorf("%q: %v, and encoding/json says %v", content, ok, want)
			}
		}
	})
}

// TestDeepJSON: values nested deeper than any program writes them are refused, and not followed until memory ends.
func TestDeepJSON(t *testing.T) {
	for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		for depth, ok := range map[int]bool{maxJSON: true, maxJSON + 1: false, 1_000_000: false} {
			content := strings.Repeat(brackets[0], depth) + "1" + strings.Repeat(brackets[1], depth)
			if err := (&scanner{b: []byte(content)}).skip(0); ok != (err == nil) {
				t.Errorf("%s %d deep: %v", brackets[0], depth, err)
			}
		}
	}
}

// FuzzJSONLines: no text makes the reader of JSON Lines fail otherwise than by an *Error, nor yield a state that there is not.
func FuzzJSONLines(f *testing.F) {
	for _, s := range []string{`{"log_w": -1.5, "x_first": 3, "x_last": [1, 2]}` + "\n" + `{"x_last": "(3, 4)", "x_first": 3.0, "log_w": "-Inf", "a": {"b": []}}`, `{"path": [1, [2, 3], "4 5"]}`, `{"beta": 0.5, "from": 1, "to": 2}` + "\n\n", `{"log_w": -Infinity}`, "\ufeff" + `{"x_first_0": 1, "x_first_1": 2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		o := Options{Space: grid7()}
		rows, l, err := openJSON(context.Background(), "a", &lines{in: bytes.NewReader(content)}, o)
		checkFuzzed(t, rows, l, err, o)
	})
}

// TestLaterNames: names that only later objects have are listed when they have been read.
func TestLaterNames(t *testing.T) {
	s := longtest.Must(NewStream(context.Background(), "stdin", strings.NewReader(`{"log_w": 1, "a": 2}`+"\n"+`{"b": [3], "log_w": 1}`+"\n"+`{"b": 3, "log_w": 1}`), Options{Space: grid7()}))(t)
	if names := strings.Join(s.Ignored(), " "); names != "a" {
		t.Errorf("%q after the first object", names)
	}
	collect(t, s, 10)
	if names := strings.Join(s.Ignored(), " "); names != "a b" {
		t.Errorf("%q after all", names)
	}
}
