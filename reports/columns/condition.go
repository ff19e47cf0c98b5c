package columns

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Condition is a comparison of the cells of a column with a number, such as J<0.1.
type Condition struct {
	// the name of the column in the formats for machines, or a cell of a column that says what the
	// numbers of another one are
	Column string
	Sign   string // one of < <= > >= ==
	Number float64
}

// signs are those of conditions.
var signs = [...]string{"<", "<=", ">", ">=", "=="}

// ParseConditions reads conditions that are separated by commas, as in "J<0.1,B<=2". Numbers are
// finite decimals.
func ParseConditions(text string) ([]Condition, error) {
	var out []Condition
	for part := range strings.SplitSeq(text, ",") {
		c, err := parseCondition(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func parseCondition(text string) (Condition, error) {
	at := strings.IndexAny(text, "<>=")
	if at < 0 {
		return Condition{}, errs.New(
			"%q has no comparison; write COLUMN<NUMBER, as in J<0.1, with one of < <= > >= ==",
			text,
		)
	}
	if at > 0 && text[at-1] == '!' {
		at--
	}
	number := strings.TrimLeft(text[at:], "<>=!")
	name := strings.TrimSpace(text[:at])
	sign := text[at : len(text)-len(number)]
	switch {
	case !slices.Contains(signs[:], sign):
		return Condition{}, errs.New("%q: %s is not a comparison; write one of < <= > >= ==", text, sign)
	case name == "":
		return Condition{}, errs.New("%q names no column; write COLUMN<NUMBER, as in J<0.1", text)
	}
	v, err := selector.ParseNumber(strings.TrimSpace(number))
	if err != nil {
		return Condition{}, fmt.Errorf("%q: %w", text, err)
	}
	return Condition{name, sign, v}, nil
}

// String returns the condition as it is written.
func (c Condition) String() string {
	return c.Column + c.Sign + strconv.FormatFloat(c.Number, 'g', -1, 64)
}

// Holds reports whether the condition holds for a cell for all values within the number's error. It
// never does for a cell that is empty, not a number, or NaN.
func (c Condition) Holds(cell any) bool {
	low, high := ends(cell)
	return c.holdsFor(low) && c.holdsFor(high)
}

// Open reports whether the condition is undecided, because of the error of the number in a cell.
func (c Condition) Open(cell any) bool {
	low, high := ends(cell)
	return c.holdsFor(low) != c.holdsFor(high) || c.Sign == "==" && low < c.Number && c.Number < high
}

// ends returns the least and the largest value that the number in a cell may have.
func ends(cell any) (low, high float64) {
	if both, is := cell.(Both); is && both.Range.Error > 0 {
		return both.Range.Value - both.Range.Error, both.Range.Value + both.Range.Error
	}
	v, _ := NumberIn(cell)
	return v, v
}

// holdsFor reports whether the condition holds for a number.
func (c Condition) holdsFor(v float64) bool {
	switch c.Sign {
	case "<":
		return v < c.Number
	case "<=":
		return v <= c.Number
	case ">":
		return v > c.Number
	case ">=":
		return v >= c.Number
	}
	return v == c.Number
}

// NumberIn returns the number in a cell for machines, and NaN and false if there is none.
func NumberIn(cell any) (float64, bool) {
	switch v := cell.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case uint64:
		return float64(v), true
	case Both:
		return NumberIn(v.Machine)
	}
	return math.NaN(), false
}
