package reproduce

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"breadboard/chains/diagnostics"
	"breadboard/chains/number"
)

// fulfil reports whether the answers fulfil a condition of the table of claims:
//
//	[NAME is] SIDE [COMPARISON SIDE]
//	[COMMAND:]TEST [at COLUMN=VALUE, COLUMN=VALUE]
//
// A side is numbers, made by + - * /, parentheses and the functions abs, exp, log, sqrt and chi8
// (see eightAbove) of each number, and sum, mean, sd, median, least, most, first, last, count and
// ratio (of the last two) of all of them, from numbers, from NAMEs of earlier conditions, and from
//
//	[COMMAND:][~]COLUMN [at COLUMN=VALUE, COLUMN=VALUE]
//
// in the rows that are where it says, as in "B at toy=easy, T=100 < 10 * J at toy=easy, T=100";
// COMMAND is 1 for the table of the claim's second command, and so on. It holds if it does in every
// such row, row by row if both sides have several. The comparisons are < <= > >= !=, near and same,
// which are equal to 1e-9 and to the rounding of exact numbers, "within TOLERANCE of", rounds,
// which is a printed number to half a unit of its last digit, and rises and falls, which have no
// other side. Inside a side a comparison is 1 if it holds, and 0 if not. A side alone always holds.
// What is read is shown once, unless ~ hides it, and what has a name is shown with it. TEST is the
// name of a test in Go: bounded, unbiased or identity. For what stands in braces see expand.
func (a *Answers) fulfil(condition string) bool {
	if test, p, where := a.test(condition); test != nil {
		return test(p, where...)
	}
	text := condition
	at := strings.LastIndex(condition, named)
	if at >= 0 {
		text = condition[at+len(named):]
	}
	left, sign, right := cut(text, comparisons())
	list := a.side(left)
	if at >= 0 {
		a.named[condition[:at]] = list
		for _, v := range list {
			a.showDerived(condition[:at], v)
		}
	}
	return sign == "" || every(a.applySign(list, sign, right), func(v float64) bool { return v == 1 })
}

// named stands between a name and what it means.
const named = " is "

// test returns the test in Go of a condition that names one, with what it is to read, and nil for
// other conditions.
func (a *Answers) test(condition string) (test func(p *Part, where ...string) bool, p *Part, where []string) {
	column, at, given := strings.Cut(condition, " at ")
	if given {
		where = []string{at}
	}
	p, column = a.partOf(column)
	return map[string]func(p *Part, where ...string) bool{
		"bounded": bounds, "unbiased": isUnbiased, "identity": isIdentity}[column], p, where
}

// partOf returns the answer to the command whose number a column begins with, and the column
// without it.
func (a *Answers) partOf(column string) (*Part, string) {
	if command, rest, is := strings.Cut(column, ":"); is {
		if i, err := strconv.Atoi(command); err == nil && i < len(a.tables) {
			return a.In(i), rest
		}
	}
	return a.Part, column
}

func comparisons() []string {
	return []string{"<", "<=", ">", ">=", "!=", "near", "same", "within", "rounds", "rises", "falls"}
}

// cut cuts a text around the last of some signs that stands in no parentheses. The sign is empty if
// there is none. Rises and falls stand at the end.
func cut(text string, signs []string) (left, sign, right string) {
	words := strings.Split(text, " ")
	depth := 0
	for i := len(words) - 1; i > 0; i-- {
		depth += strings.Count(words[i], ")") - strings.Count(words[i], "(")
		atEnd := words[i] == "rises" || words[i] == "falls"
		if depth == 0 && slices.Contains(signs, words[i]) && atEnd == (i == len(words)-1) {
			return strings.Join(words[:i], " "), words[i], strings.Join(words[i+1:], " ")
		}
	}
	return text, "", ""
}

// side returns the numbers of one side of a condition, and shows what it reads if no condition has
// done so before.
func (a *Answers) side(text string) []float64 {
	if list, is := a.named[text]; is {
		return list
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return []float64{v}
	}
	for _, signs := range [][]string{comparisons(), {"+", "-"}, {"*", "/"}} {
		if left, sign, right := cut(text, signs); sign != "" {
			return a.applySign(a.side(left), sign, right)
		}
	}
	if name, inner, is := strings.Cut(strings.TrimSuffix(text, ")"), "("); is {
		return a.function(name, a.side(inner))
	}
	return a.column(text)
}

// column returns the numbers of a column of a table.
func (a *Answers) column(text string) []float64 {
	column, at, given := strings.Cut(text, " at ")
	var where []string
	if given {
		where = []string{at}
	}
	table, column := a.partOf(column)
	column, hidden := strings.CutPrefix(column, "~")
	if hidden || slices.Contains(a.sides, text) {
		return table.hidden(column, where...)
	}
	a.sides = append(a.sides, text)
	return table.Numbers(column, where...)
}

// applySign returns what a sign makes of numbers and of the side behind it. A single number is that
// of each row, but not before a comparison, which is about the numbers before it.
func (a *Answers) applySign(list []float64, sign, right string) []float64 {
	switch sign {
	case "rises":
		return []float64{truth(increases(list...))}
	case "falls":
		return []float64{truth(fall(list...))}
	case "rounds":
		return each(list, func(v float64) float64 { return truth(rounds(v, right)) })
	}
	tolerance := 0.0
	if sign == "within" {
		before, of, _ := strings.Cut(right, " of ")
		tolerance = a.side(before)[0]
		right = of
	}
	other := a.side(right)
	if len(other) == 1 {
		other = slices.Repeat(other, len(list))
	} else if len(list) == 1 && !slices.Contains(comparisons(), sign) {
		list = slices.Repeat(list, len(other))
	}
	if len(list) != len(other) {
		return []float64{math.NaN()}
	}
	return zip(list, other, map[string]func(v, w float64) float64{
		"+": func(v, w float64) float64 { return v + w }, "-": func(v, w float64) float64 { return v - w },
		"*": func(v, w float64) float64 { return v * w }, "/": func(v, w float64) float64 { return v / w },
		"<":      func(v, w float64) float64 { return truth(v < w) },
		"<=":     func(v, w float64) float64 { return truth(v <= w) },
		">":      func(v, w float64) float64 { return truth(v > w) },
		">=":     func(v, w float64) float64 { return truth(v >= w) },
		"!=":     func(v, w float64) float64 { return truth(v != w) },
		"near":   func(v, w float64) float64 { return truth(equal(v, w)) },
		"same":   func(v, w float64) float64 { return truth(near(v, w, rounding)) },
		"within": func(v, w float64) float64 { return truth(near(v, w, tolerance)) },
	}[sign])
}

// function returns what a function makes of numbers: one for each, or one of them all. Parentheses
// without a name leave them as they are.
func (a *Answers) function(name string, list []float64) []float64 {
	if of, is := map[string]func(v float64) float64{
		"": func(v float64) float64 { return v }, "abs": math.Abs, "chi8": eightAbove, "exp": math.Exp,
		"log": number.Log, "sqrt": math.Sqrt,
	}[name]; is {
		return each(list, of)
	}
	of, is := map[string]func(list []float64) float64{
		"sum": sumOf, "least": leastOf, "most": mostOf, "median": diagnostics.Median, "last": end,
		"first": func(list []float64) float64 { return list[0] },
		"count": func(list []float64) float64 { return float64(len(list)) },
		"mean":  func(list []float64) float64 { return stat.Mean(list, nil) },
		"sd":    func(list []float64) float64 { return stat.StdDev(list, nil) },
		// of the last two
		"ratio": func(list []float64) float64 { return list[len(list)-2] / list[len(list)-1] },
	}[name]
	if !is {
		a.fail("there is no function %s", name)
		return nil
	}
	if name == "ratio" && len(list) < 2 {
		a.fail("ratio needs the last two numbers, but there are %d", len(list))
		return []float64{math.NaN()}
	}
	return []float64{of(list)}
}

// truth is 1 for true, and 0 for false.
func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// each returns what a function makes of each number.
func each(list []float64, of func(v float64) float64) (made []float64) {
	for _, v := range list {
		made = append(made, of(v))
	}
	return made
}

// expand writes conditions out: one with {a|b} stands for one with a and one with b, and {1} is the
// choice of the first braces again, {2} of the second. The first choice changes last.
func expand(conditions []string) (all []string) {
	for _, c := range conditions {
		all = append(all, choose(c, 1)...)
	}
	return all
}

// choose makes the choices of a condition from its braces of a number on.
func choose(condition string, number int) (all []string) {
	before, rest, is := strings.Cut(condition, "{")
	if !is {
		return []string{condition}
	}
	choices, after, _ := strings.Cut(rest, "}")
	for choice := range strings.SplitSeq(choices, "|") {
		again := strings.ReplaceAll(after, "{"+strconv.Itoa(number)+"}", choice)
		all = append(all, choose(before+choice+again, number+1)...)
	}
	return all
}
