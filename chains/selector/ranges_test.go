package selector

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestExpandRanges(t *testing.T) {
	for _, c := range []struct {
		list []string
		want string
	}{
		{nil, ""},
		{[]string{"easy"}, "easy"},
		{[]string{"random:2:{0..3}", "hard"}, "random:2:0 random:2:1 random:2:2 random:2:3 hard"},
		{[]string{"{0..8..3}"}, "0 3 6"},
		{[]string{"{7..7..9}"}, "7"},
		{[]string{"random:{1..2}:{0..1}:5x5"}, "random:1:0:5x5 random:1:1:5x5 random:2:0:5x5 random:2:1:5x5"},
		{[]string{"file:data{08..10}.csv"}, "file:data08.csv file:data09.csv file:data10.csv"},
		{[]string{"curie-weiss:{50,100,0200}:{1..2}"}, "curie-weiss:50:1 curie-weiss:50:2 curie-weiss:100:1 curie-weiss:100:2 curie-weiss:0200:1 curie-weiss:0200:2"},
		{[]string{"matrix:k{t}.npy", "{}", "}{", "{a,b}{1,}{1}"}, "matrix:k{t}.npy {} }{ {a,b}{1,}{1}"},
		{[]string{"{999999999999999..1000000000000000}"}, "999999999999999 1000000000000000"},
	} {
		got, err := ExpandRanges(c.list, 1000)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, %v, want %s", c.list, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"random:2:{0..}": "write two whole numbers", "{..}": "is no range", "{a..b}": "is no range", "{-1..3}": "is no range", "{0..1.5}": "is no range", "{0..1..2..3}": "is no range",
		"{3..1}": "write the smaller number first", "{0..9..0}": "the step 0", "{0..9999999999999999}": "goes beyond 1e+15", "{0..99999999999999999999}": "is no range",
		"{0..1000}": "more than 1000", "{0..999999999}": "more than 1000", "{0..999999999999999}{0..999999999999999}": "more than 1000",
	} {
		if _, err := ExpandRanges([]string{text}, 1000); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := ExpandRanges([]string{"{1..600}", "{1..600}"}, 1000); err == nil {
		t.Error("two ranges with too many between them pass")
	}
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
	if _, err := ReadLists(`a"b`); err == nil {
		t.Error("a quote within a selector passes")
	}
}

// TestRangesAreLoops: the selectors are those of loops over the numbers of each range, written out.
func TestRangesAreLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high, step := rapid.IntRange(0, 40).Draw(t, "low"), rapid.IntRange(40, 90).Draw(t, "high"), rapid.IntRange(1, 20).Draw(t, "step")
		second := rapid.IntRange(0, 5).Draw(t, "second")
		text := "a{" + digits(low) + ".." + digits(high) + ".." + digits(step) + "}b{0.." + digits(second) + "}c"
		var want []string
		for i := low; i <= high; i += step {
			for j := 0; j <= second; j++ {
				want = append(want, "a"+digits(i)+"b"+digits(j)+"c")
			}
		}
		got, err := ExpandRanges([]string{text}, 10_000)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s: %v, %v, want %v", text, got, err, want)
		}
	})
}

// digits writes a number below a hundred.
func digits(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return string(rune('0'+n/10)) + string(rune('0'+n%10))
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
		if !r.Ranged() && r.At(0) != text {
			t.Errorf("%q is %q", text, r.At(0))
		}
		if n > 1 && n < math.MaxInt64 && r.At(0) == r.At(n-1) {
			t.Errorf("%q: the first and the last are %q", text, r.At(0))
		}
	})
}
