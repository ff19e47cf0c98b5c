package reproduce

import (
	"slices"
	"strconv"
	"strings"
)

// fulfil reports whether the answers fulfil a condition of the table of claims. It compares two sides, each of which is a number or
//
//	[NUMBER *] [COMMAND:][~]COLUMN [at COLUMN=VALUE, COLUMN=VALUE]
//
// in the rows that are where it says, as in "B at toy=easy, T=100 < 10 * J at toy=easy, T=100"; COMMAND is 1 for the table of the claim's
// second command, and so on. It holds if it does in every such row, row by row where both sides have several. The comparisons are
// < <= > >=, near and same, which are equal to 1e-9 and to the rounding of exact numbers, and rounds, which is a printed number to half a unit of
// its last digit. A side alone always holds. What is read is shown once, unless ~ hides it.
func (a *Answers) fulfil(condition string) bool {
	for name, test := range map[string]func(v, w float64) bool{
		"<": less, "<=": atMost, ">": func(v, w float64) bool { return v > w }, ">=": func(v, w float64) bool { return v >= w },
		"near": equal, "same": func(v, w float64) bool { return Near(v, w, rounding) },
	} {
		if left, right, is := strings.Cut(condition, " "+name+" "); is {
			list, other := a.side(left), a.side(right)
			if len(other) == 1 {
				return every(list, func(v float64) bool { return test(v, other[0]) })
			}
			return pairs(list, other, test)
		}
	}
	left, printed, compared := strings.Cut(condition, " rounds ")
	list := a.side(left)
	return !compared || every(list, func(v float64) bool { return rounds(v, printed) })
}

// side returns the numbers of one side of a condition, and shows them where no condition has done so before.
func (a *Answers) side(text string) (list []float64) {
	if times, of, product := strings.Cut(text, " * "); product {
		factor := a.side(times)[0]
		for _, v := range a.side(of) {
			list = append(list, factor*v)
		}
		return list
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return []float64{v}
	}
	column, at, given := strings.Cut(text, " at ")
	var where []string
	if given {
		where = []string{at}
	}
	table := a.Part
	if command, of, is := strings.Cut(column, ":"); is {
		column, table = of, a.In(int(a.side(command)[0]))
	}
	column, hidden := strings.CutPrefix(column, "~")
	if hidden || slices.Contains(a.sides, text) {
		return table.hidden(column, where...)
	}
	a.sides = append(a.sides, text)
	return table.Numbers(column, where...)
}
