package chains_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"breadboard/chains"
	"breadboard/chains/work"
)

func TestUnless(t *testing.T) {
	done := false
	if err := work.Unless(context.Background(), func() { done = true }); err != nil || !done {
		t.Errorf("work that ends: %v, done %v", err, done)
	}
	ctx, cancel := context.WithCancel(context.Background())
	never := make(chan struct{})
	defer close(never)
	if err := work.Unless(ctx, func() { cancel(); <-never }); !errors.Is(err, context.Canceled) {
		t.Errorf("work that does not end: %v", err)
	}
	begun := false
	if err := work.Unless(ctx, func() { begun = true }); !errors.Is(err, context.Canceled) || begun {
		t.Errorf("after the end: %v, begun %v", err, begun)
	}
	defer func() {
		if r := recover(); r != "broken" {
			t.Errorf("panicked with %v", r)
		}
	}()
	_ = work.Unless(context.Background(), func() { panic("broken") })
}

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

// TestAdviceInWords: options are renamed wherever the advice stands in a tree of errors, and
// nothing else is.
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
		{chains.NewFault(fmt.Errorf("a: %w", two)), "a: give another out: {T} stands in a file name",
			"a: give another --out: {T} stands in a file name"},
		{chains.NewAdvice("{path}: %w", two), "path: give another out: {T} stands in a file name",
			"--path: give another --out: {T} stands in a file name"},
		{errors.Join(two, chains.NewAdvice("{toy|the toy}")),
			"give another out: {T} stands in a file name\nthe toy",
			"give another --out: {T} stands in a file name\n--toy"},
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

// TestNameStates: labels stand behind an error once for each state, and the error stays what it
// was.
func TestNameStates(t *testing.T) {
	label := func(x int) string { return "abcdefghi"[x : x+1] }
	inner := work.AtStates(errors.New("at state 2 and 5"), 2, 5, 2)
	err := work.NameStates(chains.NewFault(work.AtStates(inner, 7, 5)), label)
	if _, fault := errors.AsType[chains.Fault](err); !fault ||
		err.Error() != "at state 2 and 5; state 7 is h, state 5 is f, state 2 is c" {
		t.Error(err)
	}
	for _, plain := range []error{nil, errors.New("of no state")} {
		if got := work.NameStates(plain, label); got != plain {
			t.Errorf("%v became %v", plain, got)
		}
	}
	if got := work.NameStates(inner, nil); got != inner {
		t.Errorf("without labels it became %v", got)
	}
}
