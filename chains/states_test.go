package chains_test

import (
	"errors"
	"testing"

	"breadboard/chains"
)

// TestNameStates: labels stand behind an error once for each state, and the error stays what it was.
func TestNameStates(t *testing.T) {
	label := func(x int) string { return "abcdefghi"[x : x+1] }
	inner := chains.AtStates(errors.New("at state 2 and 5"), 2, 5, 2)
	err := chains.NameStates(chains.NewFault(chains.AtStates(inner, 7, 5)), label)
	if _, fault := errors.AsType[chains.Fault](err); !fault || err.Error() != "at state 2 and 5; state 7 is h, state 5 is f, state 2 is c" {
		t.Error(err)
	}
	for _, plain := range []error{nil, errors.New("of no state")} {
		if got := chains.NameStates(plain, label); got != plain {
			t.Errorf("%v became %v", plain, got)
		}
	}
	if got := chains.NameStates(inner, nil); got != inner {
		t.Errorf("without labels it became %v", got)
	}
}
