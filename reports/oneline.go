package reports

import (
	"strings"
	"unicode"
)

// OneLine joins the lines of a message, and replaces what no terminal shows.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}
