package selector

import (
	"strconv"
	"strings"
)

// Count returns a number of things for a sentence, as "1 row" and "2 rows", or "3 entries" where the noun ends in y.
func Count(n int, noun string) string {
	switch stem, y := strings.CutSuffix(noun, "y"); {
	case n == 1:
		return "1 " + noun
	case y:
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Listed joins phrases for a sentence, as "a, b and c".
func Listed(phrases []string) string {
	last := len(phrases) - 1
	if last < 1 {
		return strings.Join(phrases, "")
	}
	return strings.Join(phrases[:last], ", ") + " and " + phrases[last]
}

// maxShown is the largest number of bytes of a text from a user that an error shows, and of a selector that people see. Those that hold their
// numbers themselves may have many thousands.
const maxShown = 80

// Cut cuts a text that is too long for an error.
func Cut(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "..."
}
