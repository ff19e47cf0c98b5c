package selector

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shapes has a form of each shape of arguments that selectors have.
func shapes() Set[Nothing, string] {
	var s Set[Nothing, string]
	for _, syntax := range []string{
		"plain", "power:P", "lazy:P[:KERNEL]", "mixture:W1*K1+W2*K2...", "compose:K1+K2...", "file:PATH", "via:[BETA:]PATH",
		"ising:RxC:J[:FIELD][:torus]", "ns[:K[:label|strict|together[:paper|unbiased]]]", "barrier[:DIMS]",
	} {
		s.Forms = append(s.Forms, func() Form[Nothing, string] { return Form[Nothing, string]{Syntax: syntax} })
	}
	return s
}

// beyondShapes completes selectors within selectors of the same set, and knows three files.
func beyondShapes() Beyond {
	return Beyond{
		Part: func(typed string) []Completion { return shapes().Complete(typed, Beyond{}) },
		Files: func(typed string) (list []string) {
			for _, path := range []string{"a.csv", "b/", "c:d.npy"} {
				if strings.HasPrefix(path, typed) {
					list = append(list, path)
				}
			}
			return list
		},
	}
}

// TestComplete: what may stand in the place that is being typed.
func TestComplete(t *testing.T) {
	for typed, want := range map[string]string{
		"p":                      "plain power:",
		"plain:":                 "",
		"power:":                 "",
		"nothing:":               "",
		"file:":                  "file:a.csv file:b/ file:c:d.npy",
		"file:c:":                "file:c:d.npy",
		"via:a":                  "via:a.csv",
		"via:0.3:":               "via:0.3:a.csv via:0.3:b/ via:0.3:c:d.npy",
		"via:c:":                 "via:c:d.npy",
		"lazy:0.5":               "",
		"lazy:0.5:p":             "lazy:0.5:plain lazy:0.5:power:",
		"lazy:0.5:ising:2x2:1:t": "lazy:0.5:ising:2x2:1:torus",
		"compose:":               "compose:plain compose:power: compose:lazy: compose:mixture: compose:compose: compose:file: compose:via: compose:ising: compose:ns compose:barrier",
		"compose:plain+po":       "compose:plain+power:",
		"mixture:0.5":            "",
		"mixture:0.5*pl":         "mixture:0.5*plain",
		"mixture:0.5*plain+0.5":  "",
		"mixture:0.5*plain+1*pl": "mixture:0.5*plain+1*plain",
		"ising:2x2:":             "",
		"ising:2x2:1:":           "ising:2x2:1:torus",
		"ising:2x2:1:0.5:":       "ising:2x2:1:0.5:torus",
		"ising:2x2:1:0.5:x":      "",
		"ns:2:":                  "ns:2:label ns:2:strict ns:2:together ns:2:paper ns:2:unbiased",
		"ns:2:label:u":           "ns:2:label:unbiased",
		"ns:2:label:paper:":      "",
		"barrier:":               "",
	} {
		var texts []string
		for _, c := range shapes().Complete(typed, beyondShapes()) {
			texts = append(texts, c.Text)
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
}

// TestCompletionsGoOn: whatever has been typed, what is offered begins with it.
func TestCompletionsGoOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.OneOf(rapid.String(), rapid.StringMatching(`(plain|power|lazy|mixture|compose|file|via|ising|ns)?[:+*0-9.a-z]{0,12}`)).Draw(t, "typed")
		for _, beyond := range []Beyond{beyondShapes(), {}} {
			for _, c := range shapes().Complete(typed, beyond) {
				if !strings.HasPrefix(c.Text, typed) {
					t.Fatalf("%q offers %q", typed, c.Text)
				}
			}
		}
	})
}
