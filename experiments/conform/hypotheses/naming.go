package hypotheses

import (
	"strconv"
	"strings"
)

// ends names the ends that a key stands for.
func ends(columns Columns, key, n int, state func(x int) string) string {
	first, last := columns.ends(key, n)
	text := ""
	if first >= 0 {
		text += ", x_1 = " + state(first)
	}
	if last >= 0 {
		text += ", x_T = " + state(last)
	}
	return text
}

func trimmed(text string) string { return strings.TrimPrefix(text, ", ") }

func sixDigits(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
