package reports

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"breadboard/chains/number"
	"breadboard/exact/weights"
	"breadboard/reports/table"
)

// Probability returns a probability as text for people: the digits that its bounds determine, or if
// they determine none, its upper bound, as in "< 0.01".
func Probability(b weights.Bracket, digits int) string {
	if known := knownDigits(b); known >= 1 {
		return table.People(b.Value, min(digits, known))
	}
	if b.High == 0 {
		return "0"
	}
	unit := math.Pow(10, math.Floor(number.Log10(b.High))-1)
	return "< " + table.People(math.Ceil(b.High/unit)*unit, 2)
}

// knownDigits returns how many significant digits of a number its bounds determine: those whose
// unit is not below the width of the bounds.
func knownDigits(b weights.Bracket) int {
	if b.Value == 0 {
		return 0
	}
	width := max(b.High-b.Low, math.Abs(b.Value)*1e-15)
	return int(math.Floor(number.Log10(math.Abs(b.Value))) - math.Ceil(number.Log10(width)) + 1)
}

// Between returns a quantile as text for people: one number if its bounds agree in six digits, and
// otherwise both bounds.
func Between(b weights.Bracket) string {
	low, high := table.People(NoNoise(b.Low), 6), table.People(NoNoise(b.High), 6)
	if low == high {
		return low
	}
	return low + " to " + high
}

// NoNoise returns zero for a number that differs from zero only by rounding.
func NoNoise(v float64) float64 {
	if math.Abs(v) < Rounding {
		return 0
	}
	return v
}

// OneLine joins the lines of a message into one, shortens long words in their middle, cuts the
// whole if it is too long, and replaces characters that a terminal cannot show.
func OneLine(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if len(w) > maxQuoted {
			words[i] = strings.ToValidUTF8(w[:maxQuoted-wordEnd], "") + "..." +
				strings.ToValidUTF8(w[len(w)-wordEnd:], "")
		}
	}
	text := strings.Join(words, " ")
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") +
			fmt.Sprintf("... (%d bytes more)", len(text)-maxMessage)
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
