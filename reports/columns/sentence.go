package columns

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"breadboard/chains/number"
)

// Sentence is a summary of a table in one sentence, about one of its rows.
type Sentence struct {
	// Least is a column: the sentence is about the row with its smallest number. If it is empty the
	// sentence is about the last row.
	Least string
	Text  string // with the names of columns, or of parameters of the case, in braces
}

var inBraces = regexp.MustCompile(`\{(\w+)\}`)

// Names reports whether the sentence names a column.
func (s *Sentence) Names(column string) bool { return strings.Contains(s.Text, "{"+column+"}") }

// TextOf returns the sentence about rows; it is empty if there is no row, if a cell is empty, and
// if no number is finite.
func (s *Sentence) TextOf(list List, rows any) string {
	n, row := Rows(rows)
	if s.Text == "" || n == 0 {
		return ""
	}
	cell := func(i int, name string) any {
		if at := slices.IndexFunc(list, func(f Field) bool { return f.Name == name }); at >= 0 {
			return list[at].Of(row(i))
		}
		return row(i).(interface{ Param(name string) string }).Param(name)
	}
	pick := n - 1
	least := math.Inf(1)
	if s.Least != "" {
		for i := range n {
			if v, _ := NumberIn(cell(i, s.Least)); v < least {
				pick = i
				least = v
			}
		}
	}
	whole := s.Least == "" || !math.IsInf(least, 1)
	text := inBraces.ReplaceAllStringFunc(s.Text, func(name string) string {
		c := cell(pick, strings.Trim(name, "{}"))
		if both, is := c.(Both); is {
			c = both.People
		}
		switch c := c.(type) {
		case nil:
			whole = false
		case string:
			whole = whole && c != ""
			return c
		case float64:
			whole = whole && !math.IsNaN(c)
			return number.Plain(c, 4)
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
