package columns

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"breadboard/chains/number"
)

// Sentence is what a table says in one sentence, about one of its rows.
type Sentence struct {
	// Least is the column with whose smallest number a row is taken; if it is empty it is the last.
	Least string
	Text  string // with the names of columns in braces
}

var inBraces = regexp.MustCompile(`\{(\w+)\}`)

// Of returns the sentence about rows; it is empty without a row, if a cell is empty or has few
// digits, and if no number is finite.
func (s *Sentence) Of(list List, rows any) string {
	n, row := Rows(rows)
	if s.Text == "" || n == 0 {
		return ""
	}
	cell := func(i int, name string) any {
		at := slices.IndexFunc(list, func(f Field) bool { return f.Name == name })
		switch c := list[at].Of(row(i)).(type) {
		case Both:
			return c.Machine
		case number.Bounded:
			if c.Error > math.Abs(c.Value)*1e-4 {
				return nil
			}
			return c.Value
		default:
			return c
		}
	}
	pick, least := n-1, math.Inf(1)
	for i := range n {
		if s.Least == "" {
			break
		}
		if v, is := cell(i, s.Least).(float64); is && v < least {
			pick, least = i, v
		}
	}
	whole := s.Least == "" || !math.IsInf(least, 1)
	text := inBraces.ReplaceAllStringFunc(s.Text, func(name string) string {
		switch c := cell(pick, strings.Trim(name, "{}")).(type) {
		case nil:
			whole = false
		case float64:
			whole = whole && !math.IsNaN(c)
			return fmt.Sprintf("%.4g", c)
		default:
			return fmt.Sprint(c)
		}
		return ""
	})
	if !whole {
		return ""
	}
	return text
}
