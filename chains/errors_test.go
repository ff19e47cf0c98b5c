package chains_test

import (
	"context"
	"errors"
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
