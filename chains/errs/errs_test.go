package errs_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/work"
	_ "breadboard/grid/longtest"
)

func flags(option string) string {
	if option == "T" {
		return "-T"
	}
	return "--" + option
}

func ExampleAdvice() {
	err := fmt.Errorf("toy easy: %w", errs.New("{workers} %d; give a number, or 0 for one on each core", -1))
	fmt.Println(err)
	fmt.Println(errs.InWords(err, func(option string) string { return "--" + option }))
	// Output:
	// toy easy: workers -1; give a number, or 0 for one on each core
	// toy easy: --workers -1; give a number, or 0 for one on each core
}

// TestAdviceInWords: options are renamed wherever the advice stands in a tree of errors, and
// nothing else is.
func TestAdviceInWords(t *testing.T) {
	reason := errors.New("{T} stands in a file name")
	one := errs.New("no numbers in k{t}.csv %s; as in {T|T =} 10", "{T}, %d")
	two := errs.New("give another {out}: %w", reason)
	for _, c := range []struct {
		err         error
		plain, said string
	}{
		{reason, "{T} stands in a file name", "{T} stands in a file name"},
		{two, "give another out: {T} stands in a file name", "give another --out: {T} stands in a file name"},
		{chains.NewFault(fmt.Errorf("a: %w", two)), "a: give another out: {T} stands in a file name",
			"a: give another --out: {T} stands in a file name"},
		{errs.New("{path}: %w", two), "path: give another out: {T} stands in a file name",
			"--path: give another --out: {T} stands in a file name"},
		{errors.Join(two, errs.New("{toy|the toy}")),
			"give another out: {T} stands in a file name\nthe toy",
			"give another --out: {T} stands in a file name\n--toy"},
	} {
		if got := c.err.Error(); got != c.plain {
			t.Errorf("%q, want %q", got, c.plain)
		}
		if got := errs.InWords(c.err, flags); got != c.said {
			t.Errorf("%q, want %q", got, c.said)
		}
	}
	if got, want := one.In(flags), "no numbers in k--t.csv {T}, %d; as in -T 10"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !errors.Is(two, reason) {
		t.Error("the wrapped error is lost")
	}
}

// TestParts: what is put before an error belongs to what is wrong, and the hint stays that of the
// error inside, with its options named by words.
func TestParts(t *testing.T) {
	hinted := errs.New("{workers} %d: more; than one; give {T} 1%s", 2, "; or 3")
	for _, c := range []struct {
		err        error
		what, hint string
	}{
		{errors.New("no; advice"), "no; advice", ""},
		{errs.New("no number"), "no number", ""},
		{errs.New("no number; give one"), "no number", "give one"},
		{hinted, "--workers 2: more", "than one; give -T 1; or 3"},
		{fmt.Errorf("toy a; b: %w", chains.NewFault(hinted)), "toy a; b: --workers 2: more", "than one; give -T 1; or 3"},
		{errs.New("line 1: %w; mend {path}", hinted), "line 1: --workers 2: more", "than one; give -T 1; or 3; mend --path"},
		{fmt.Errorf("%w, which ends otherwise", hinted),
			"--workers 2: more; than one; give -T 1; or 3, which ends otherwise", ""},
		{work.NameStates(work.AtStates(errs.New("state 2; raise it"), 2), strconv.Itoa), "state 2",
			"raise it; state 2 is 2"},
	} {
		what, hint := errs.Parts(c.err, flags)
		if what != c.what || hint != c.hint {
			t.Errorf("%q and %q, want %q and %q", what, hint, c.what, c.hint)
		}
		if got, want := errs.Join(errs.Parts(c.err, nil)), c.err.Error(); got != want {
			t.Errorf("the parts of %q are %q together", want, got)
		}
	}
}

// TestMemory: a size has three digits and no power of ten, and none is too large for words.
func TestMemory(t *testing.T) {
	for bytes, want := range map[float64]string{
		4.25e5: "about 0.425 MB", 2.6e7: "about 26 MB", 999.6e9: "about 1 TB", 1.29e10: "about 12.9 GB", 2.17e14: "about 217 TB",
		1e15: "more memory than any machine has", math.Inf(1): "more memory than any machine has",
	} {
		if got := errs.Memory(bytes); got != want {
			t.Errorf("%v bytes: %q, want %q", bytes, got, want)
		}
	}
}
