package number

import (
	"strconv"
	"strings"
)

// Plain returns v with the given number of significant digits. From 1e4 to below 1e6 it has no
// exponent: 18560 instead of 1.856e+04.
func Plain(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'g', digits, 64)
	if _, exponent, large := strings.Cut(text, "e+0"); large && exponent < "6" {
		rounded, _ := strconv.ParseFloat(text, 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	return text
}
