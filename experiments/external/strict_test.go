package external

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestStrictLines: a line is read where its fields have the names that PROTOCOL.md gives them, each once.
func TestStrictLines(t *testing.T) {
	for line, want := range map[string]string{
		`{"state":3,"id":1}`:                 "",
		` { "state" : 3 , "id" : 1 } `:       "",
		`{"choose":[0.5,null,0.5]}`:          "",
		`{"STATE":3,"id":1}`:                 `it has the field "STATE"; the names of fields are written exactly as in PROTOCOL.md`,
		`{"\u0073tate":3}`:                   `it has the field "\\u0073tate"`,
		`{"state":3,"state":4}`:              `it has the field "state" twice`,
		`{"state" :3,"id":1, "id"` + "\t:1}": `it has the field "id" twice`,
		`{"state":3,"State":4}`:              `it has the field "State"`,
		`{"state":3}{"state":3}`:             "there is more than one value",
		`{"stat":3}`:                         `unknown field "stat"`,
		`{"state":3`:                         "unexpected EOF",
	} {
		checkStrict(t, line, &step{}, want)
	}
	type counts struct {
		Counts map[string]int `json:"counts"`
	}
	checkStrict(t, `{"counts":{"3":1,"counts":2}}`, &counts{}, "")
	checkStrict(t, `{"counts":{"3":1,"3":2}}`, &counts{}, `it has the field "3" twice`)
	checkStrict(t, `{"counts":{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6}}`, &counts{}, "")
	checkStrict(t, `{"counts":{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"5":5}}`, &counts{}, `it has the field "5" twice`)
	checkStrict(t, `{"kernel":"a \" \\","mode":"choose"}`, &hello{}, "")
	checkStrict(t, `{"kernel":"mode\\","mode":"{","mode":"choose"}`, &hello{}, `it has the field "mode" twice`)
}

func checkStrict(t *testing.T, line string, answer any, want string) {
	t.Helper()
	err := decodeStrictly([]byte(line), answer)
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: %v, want %q", line, err, want)
	}
}

func BenchmarkLine(b *testing.B) {
	for b.Loop() {
		longtest.NoError(b, decodeStrictly([]byte(`{"state":3,"id":1}`), &step{}))
	}
}
