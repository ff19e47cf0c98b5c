package reports

import (
	"strconv"
	"strings"
	"unicode"
)

// OneLine joins the lines of a message into one, and replaces characters that a terminal cannot show.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(strings.Fields(s), " "))
}

// CountOf writes a number of things.
func CountOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
