package chains_test

import (
	"errors"
	"fmt"
	"testing"

	"breadboard/chains"
)

func flags(option string) string {
	if option == "T" {
		return "-T"
	}
	return "--" + option
}

func ExampleAdvice() {
	err := fmt.Errorf("toy easy: %w", chains.NewAdvice("{workers} %d; give a number, or 0 for one on each core", -1))
	fmt.Println(err)
	fmt.Println(chains.InWords(err, func(option string) string { return "--" + option }))
	// Output:
	// toy easy: workers -1; give a number, or 0 for one on each core
	// toy easy: --workers -1; give a number, or 0 for one on each core
}

// TestAdviceInWords: options are renamed wherever the advice stands in a tree of errors, and nothing else is.
func TestAdviceInWords(t *testing.T) {
	reason := errors.New("{T} stands in a file name")
	one := chains.NewAdvice("no numbers in k{t}.csv %s; as in {T|T =} 10", "{T}, %d")
	two := chains.NewAdvice("give another {out}: %w", reason)
	for _, c := range []struct {
		err         error
		plain, said string
	}{
		{reason, "{T} stands in a file name", "{T} stands in a file name"},
		{two, "give another out: {T} stands in a file name", "give another --out: {T} stands in a file name"},
		{chains.NewFault(fmt.Errorf("a: %w", two)), "a: give another out: {T} stands in a file name", "a: give another --out: {T} stands in a file name"},
		{chains.NewAdvice("{path}: %w", two), "path: give another out: {T} stands in a file name", "--path: give another --out: {T} stands in a file name"},
		{errors.Join(two, chains.NewAdvice("{toy|the toy}")), "give another out: {T} stands in a file name\nthe toy", "give another --out: {T} stands in a file name\n--toy"},
	} {
		if got := c.err.Error(); got != c.plain {
			t.Errorf("%q, want %q", got, c.plain)
		}
		if got := chains.InWords(c.err, flags); got != c.said {
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
