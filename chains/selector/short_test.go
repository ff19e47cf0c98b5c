package selector

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestShort: what is short enough stays, and what is longer is cut to as much and still differs from what begins alike.
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
