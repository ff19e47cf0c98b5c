package bench

import (
	"errors"
	"strings"
	"testing"
)

// TestLongWordsAreCut: of a selector that is longer than a line a message has the beginning and the end, other words stay, and parts that are alike
// once they are cut stand there once.
func TestLongWordsAreCut(t *testing.T) {
	long := "cells:" + strings.Repeat("0.5:", 200) + "x"
	want := `toy "cells:` + strings.Repeat("0.5:", 19) + `0....0.5:0.5:0.5:x": row 1`
	if got := messageOf(errors.New(`toy "` + long + `": toy "` + long + `": row 1`)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if line := strings.Repeat("a", lineLength); messageOf(errors.New(line)) != line {
		t.Error("a word as long as a line is cut")
	}
}
