package files

import (
	"math"
	"strings"
	"testing"
)

// TestInfinities in their spellings, and what is none.
func TestInfinities(t *testing.T) {
	for text, sign := range map[string]int{"inf": 1, "+Inf": 1, "INFINITY": 1, "-inf": -1, "-Infinity": -1, "infinit": 0, "+-inf": 0, "": 0, "-": 0, "in": 0} {
		if v, ok := parseInfinity([]byte(text)); ok != (sign != 0) || ok && !math.IsInf(v, sign) {
			t.Errorf("%q: %v, %v", text, v, ok)
		}
	}
}

// TestParts splits the numbers of a cell.
func TestParts(t *testing.T) {
	for cell, want := range map[string]string{
		"3 4": "3|4", "3\t  4": "3|4", "3;4": "3|4", "(3, 4)": "3|4", "[3,4]": "3|4", " ( 3 ) ": "3", "(3,)": "3", "3;;4": "3||4", ",3": "|3", "()": "", "(3": "(3", "": "", "3;": "3|",
	} {
		var got []string
		for p := range parts([]byte(cell)) {
			got = append(got, string(p))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q", cell, got)
		}
	}
}
