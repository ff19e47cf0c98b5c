package selector

import (
	"strings"
	"testing"
)

// TestSentences: numbers of things, lists and long texts read as in a sentence.
func TestSentences(t *testing.T) {
	for got, want := range map[string]string{
		Count(1, "entry"): "1 entry", Count(0, "entry"): "0 entries", Count(2, "row"): "2 rows",
		Listed(nil): "", Listed([]string{"a"}): "a", Listed([]string{"a", "b", "c"}): "a, b and c",
		Cut(strings.Repeat("x", 80)): strings.Repeat("x", 80), Cut(strings.Repeat("x", 79) + "é"): strings.Repeat("x", 79) + "...",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
