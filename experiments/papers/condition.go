package papers

import (
	"slices"
	"strconv"
	"strings"
)

// fulfil reports whether the answers fulfil a condition of the table of claims. It compares two sides, each of which is a number or
//
//	COLUMN [at COLUMN=VALUE, COLUMN=VALUE]
//
// in the rows that are where it says, as in "B at toy=easy, T=100 < 0.1"; COLUMN is 1:COLUMN in the table of the claim's second command. It holds
// if it does in every such row, row by row where both sides are columns. Numbers of both sides are shown. The comparisons are
// < <= > >=, near, which is equal but for the rounding of exact numbers, and rounds, which is a printed number to half a unit of its last digit.
func (a *Answers) fulfil(condition string) bool {
	for name, test := range map[string]func(v, w float64) bool{
		"<": less, "<=": atMost, ">": func(v, w float64) bool { return v > w }, ">=": func(v, w float64) bool { return v >= w },
		"near": func(v, w float64) bool { return Near(v, w, rounding) },
	} {
		if left, right, is := strings.Cut(condition, " "+name+" "); is {
			list, other := a.side(left), a.side(right)
			if len(other) == 1 {
				return Every(list, func(v float64) bool { return test(v, other[0]) })
			}
			return Pairs(list, other, test)
		}
	}
	left, printed, is := strings.Cut(condition, " rounds ")
	if !is {
		a.fail("%q is no condition", condition)
	}
	return Every(a.side(left), func(v float64) bool { return Rounds(v, printed) })
}

// side returns the numbers of one side of a condition, and shows those of a column where another condition has not done so before.
func (a *Answers) side(text string) []float64 {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return []float64{v}
	}
	column, at, given := strings.Cut(text, " at ")
	var where []string
	if given {
		where = strings.Split(at, ", ")
	}
	table := a.In(0)
	if column, second := strings.CutPrefix(column, "1:"); second {
		return a.In(1).Numbers(column, where...)
	}
	if slices.Contains(a.sides, text) {
		return table.Hidden(column, where...)
	}
	a.sides = append(a.sides, text)
	return table.Numbers(column, where...)
}
