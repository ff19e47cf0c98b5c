package selector

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"breadboard/grid/longtest"
)

// shapes has a form of each shape of arguments that selectors have.
func shapes() Set[Nothing, string] {
	s := NewSet[Nothing, string]("")
	for _, syntax := range []string{
		"plain", "power:P", "lazy:P[:KERNEL]", "mixture:W1*K1+W2*K2...", "compose:K1+K2...", "file:PATH", "via:[BETA:]PATH",
		"ising:RxC:J[:FIELD][:torus]", "ns[:K[:label|strict|together[:paper|unbiased]]]", "barrier[:DIMS]",
	} {
		s = With(s, func() Form[Nothing, string] { return Form[Nothing, string]{Syntax: syntax} })
	}
	return s
}

// beyondShapes completes selectors within selectors of the same set, and knows three files.
func beyondShapes() Beyond {
	return Beyond{
		Part: func(typed string) []Completion { return shapes().Listing.Complete(typed, Beyond{}) },
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
		for _, c := range shapes().Listing.Complete(typed, beyondShapes()) {
			texts = append(texts, c.Text)
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("%s: %s, want %s", typed, got, want)
		}
	}
}

func TestExpandRanges(t *testing.T) {
	for _, c := range []struct {
		list []string
		want string
	}{
		{[]string{"easy"}, "easy"},
		{[]string{"random:2:{0..3}", "hard"}, "random:2:0 random:2:1 random:2:2 random:2:3 hard"},
		{[]string{"{0..8..3}"}, "0 3 6"},
		{[]string{"{7..7..9}"}, "7"},
		{[]string{"random:{1..2}:{0..1}:5x5"}, "random:1:0:5x5 random:1:1:5x5 random:2:0:5x5 random:2:1:5x5"},
		{[]string{"file:data{08..10}.csv"}, "file:data08.csv file:data09.csv file:data10.csv"},
		{[]string{"curie-weiss:{50,100,0200}:{1..2}"}, "curie-weiss:50:1 curie-weiss:50:2 curie-weiss:100:1 curie-weiss:100:2 curie-weiss:0200:1 curie-weiss:0200:2"},
		{[]string{"ising:{3x3,10x10}:{0.3,1}"}, "ising:3x3:0.3 ising:3x3:1 ising:10x10:0.3 ising:10x10:1"},
		{[]string{"matrix:k{t}.npy", "{}", "}{", "{a,b}{1,}{1}"}, "matrix:k{t}.npy {} }{ {a,b}{1,}{1}"},
		{[]string{"{999999999999999..1000000000000000}"}, "999999999999999 1000000000000000"},
	} {
		got, err := ExpandRanges(c.list, 1000)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, %v, want %s", c.list, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"random:2:{0..}": "write two whole numbers", "{..}": "is not a range", "{a..b}": "is not a range", "{-1..3}": "is not a range",
		"{0..1.5}": "is not a range", "{0..1..2..3}": "is not a range",
		"{3..1}": "write the smaller number first", "{0..9..0}": "the step 0", "{0..9999999999999999}": "goes beyond 1e+15",
		"{0..99999999999999999999}": "is not a range",
		"{0..1000}":                 "more than 1000", "{0..999999999}": "more than 1000", "{0..999999999999999}{0..999999999999999}": "more than 1000",
	} {
		_, err := ExpandRanges([]string{text}, 1000)
		longtest.Refused(t, err, want)
		longtest.Refused(t, err, text)
	}
	longtest.Refuses(ExpandRanges([]string{"{1..600}", "{1..600}"}, 1000))(t, "more than 1000")
	if r, err := ParseRanges("{0..999999999999999}{0..999999999999999}"); err != nil || r.Count() != math.MaxInt64 {
		t.Errorf("too many to be counted: %d, %v", r.Count(), err)
	}
}

// Commas stand between selectors, but for those within quotes or in a list of numbers.
func TestReadLists(t *testing.T) {
	lines, err := ReadLists("a:{1,22},\"file:b,{3,4}.csv\",{c,d}")
	if err != nil || len(lines) != 1 || strings.Join(lines[0], " ") != "a:{1,22} file:b,{3,4}.csv {c d}" {
		t.Errorf("%q, %v", lines, err)
	}
	longtest.Refuses(ReadLists(`a"b`))(t, "quote")
}

func FuzzParseRanges(f *testing.F) {
	for _, text := range []string{"random:2:{0..999}", "{0..8..2}", "{08..10}", "x{3,07}", "{a..}", "{0..1000000000000000}{0..9}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRanges(text)
		if err != nil {
			return
		}
		n := r.Count()
		if n < 1 {
			t.Fatalf("%q stands for %d selectors", text, n)
		}
		if len(r.ranges) == 0 && r.At(0) != text {
			t.Errorf("%q is %q", text, r.At(0))
		}
		if n > 1 && n < math.MaxInt64 && r.At(0) == r.At(n-1) {
			t.Errorf("%q: the first and the last are %q", text, r.At(0))
		}
	})
}

// TestSentences: numbers of things, lists and long texts read as in a sentence.
func TestSentences(t *testing.T) {
	for got, want := range map[string]string{
		Count(1, "entry"): "1 entry", Count(0, "entry"): "0 entries", Count(2, "row"): "2 rows", Count(2, "array"): "2 arrays", Count(3, "toy"): "3 toys",
		Plural(1, "is", "are"): "is", Plural(0, "was", "were"): "were", Plural(2, "it", "them"): "them",
		Listed(nil): "", Listed([]string{"a"}): "a", Listed([]string{"a", "b", "c"}): "a, b and c",
		Cut(strings.Repeat("x", 80)): strings.Repeat("x", 80), Cut(strings.Repeat("x", 79) + "é"): strings.Repeat("x", 79) + "...",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestShort: what is short enough stays, and what is longer is cut to as much and still differs
// from what begins alike.
func TestShort(t *testing.T) {
	long := strings.Repeat("9", maxShown)
	if Short("easy") != "easy" || Short(long) != long {
		t.Error("a short selector changes")
	}
	a, b := Short(long+":1"), Short(long+":2")
	if a == b || len(a) != maxShown || !strings.HasPrefix(a, "999") || !strings.Contains(a, "...") {
		t.Errorf("%q and %q", a, b)
	}
	if c := Short(strings.Repeat("ä", maxShown)); !utf8.ValidString(c) || len(c) > maxShown {
		t.Errorf("%q", c)
	}
}
