package longtest

import (
	"context"
	"errors"
	"testing"
)

// failer keeps what a test would fail with.
type failer struct{ with []any }

func (f *failer) Helper()          {}
func (f *failer) Error(why ...any) { f.with = why }
func (f *failer) Fatal(why ...any) { f.with = why }

// TestMust: a result without an error is handed on, and an error fails the test.
func TestMust(t *testing.T) {
	var f failer
	if v := Must(7, nil)(&f); v != 7 || f.with != nil {
		t.Errorf("the result is %d, and the test fails with %v", v, f.with)
	}
	oops := errors.New("oops")
	if Must(7, oops)(&f); len(f.with) != 1 || f.with[0] != oops {
		t.Errorf("the test fails with %v, want %v", f.with, oops)
	}
}

// TestEndsAfter: the context ends at the look after that many, and counts the looks from there on.
func TestEndsAfter(t *testing.T) {
	c := EndsAfter(2)
	for look, want := range []int{0, 0, 1, 2} {
		if err := c.Err(); errors.Is(err, context.Canceled) != (look >= 2) || c.Looks() != want {
			t.Errorf("look %d: %v, %d looks since the end", look, err, c.Looks())
		}
	}
	<-c.Done()
}

// TestRefuses: an error with the text passes, and one without it, or none, fails the test.
func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		err   error
		fails bool
	}{{errors.New("line 3: oops"), false}, {errors.New("line 4"), true}, {nil, true}} {
		var f failer
		if Refuses(7, c.err)(&f, "oops"); (f.with != nil) != c.fails {
			t.Errorf("error %v fails the test with %v", c.err, f.with)
		}
	}
}
