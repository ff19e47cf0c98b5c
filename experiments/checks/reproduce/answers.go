package reproduce

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Answers are the tables that the commands of a claim have returned, and the numbers that its test
// has read from them. The first error, such as a missing column, is kept: later numbers are NaN,
// and the claim gets no verdict.
type Answers struct {
	*Part    // the answer to the first command
	commands []string
	tables   []Table
	read     []Reading
	sides    []string             // of conditions, as far as they have been shown
	named    map[string][]float64 // what conditions have given a name
	err      error
}

// Table is the answer to a command in JSON: an object for each row.
type Table []map[string]any

// ParseTable reads the answer to a command.
func ParseTable(data []byte) (Table, error) {
	var t Table
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fmt.Errorf("the answer is not a JSON table: %w", err)
	}
	return t, nil
}

// Reading is a number that the test of a claim has read or derived.
type Reading struct {
	Name  string
	Value float64
}

// newAnswers returns the answers to the commands, in their order.
func newAnswers(commands []string, tables []Table) *Answers {
	a := &Answers{commands: commands, tables: tables, named: map[string][]float64{}}
	a.Part = a.In(0)
	return a
}

// Readings returns the numbers that have been read.
func (a *Answers) Readings() []Reading { return a.read }

// In returns the answer to one command, by its index. Its readings are also readings of a.
func (a *Answers) In(command int) *Part { return &Part{a, command} }

// showDerived shows a number that was derived from others, and returns it.
func (a *Answers) showDerived(name string, v float64) float64 {
	a.read = append(a.read, Reading{name, v})
	return v
}

// fail keeps the first error.
func (a *Answers) fail(format string, args ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, args...)
	}
}

// Part is the answer to one command of a claim.
type Part struct {
	all     *Answers
	command int
}

// Number returns the number in a column of the only row that fulfils the conditions.
func (p *Part) Number(column string, where ...string) float64 {
	return p.only(p.Numbers(column, where...), where)
}

// hiddenNumber is Number for a number that is not shown, where what is derived from it is.
func (p *Part) hiddenNumber(column string, where ...string) float64 {
	return p.only(p.hidden(column, where...), where)
}

// only returns the only number that was read of the rows that are where the conditions say.
func (p *Part) only(list []float64, where []string) float64 {
	if len(list) != 1 {
		p.all.fail("breadboard %s: %d rows have %s, but the claim reads a single row",
			p.all.commands[p.command], len(list), conditions(where))
		return math.NaN()
	}
	return list[0]
}

// Numbers returns the numbers in a column of all rows that fulfil the conditions.
func (p *Part) Numbers(column string, where ...string) []float64 {
	list := p.hidden(column, where...)
	for _, v := range list {
		p.all.showDerived(strings.TrimSpace(column+" "+strings.Join(split(where), " ")), v)
	}
	return list
}

// hidden is Numbers for numbers that are not shown, if they are many.
func (p *Part) hidden(column string, where ...string) []float64 {
	var list []float64
	for _, row := range p.selectRows(where) {
		v, err := numberIn(row, column)
		if err != nil {
			p.all.fail("breadboard %s: %w", p.all.commands[p.command], err)
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		p.all.fail("breadboard %s: no row has %s", p.all.commands[p.command], conditions(where))
	}
	return list
}

// Count returns the number of rows that fulfil the conditions, as a reading.
func (p *Part) Count(where ...string) int {
	n := len(p.selectRows(where))
	p.all.showDerived(strings.TrimSpace("rows "+strings.Join(split(where), " ")), float64(n))
	return n
}

// split returns single conditions: one text may have several of them, as in "toy=easy, T=100".
func split(where []string) []string {
	if len(where) == 0 {
		return nil
	}
	return strings.Split(strings.Join(where, ", "), ", ")
}

// selectRows returns the rows that are where the conditions say.
func (p *Part) selectRows(where []string) (rows []map[string]any) {
	for _, row := range p.all.tables[p.command] {
		matches := true
		for _, condition := range split(where) {
			column, want, _ := strings.Cut(condition, "=")
			cell, there := row[column]
			if !there {
				p.all.fail("breadboard %s: there is no column %s", p.all.commands[p.command], column)
				return nil
			}
			matches = matches && text(cell) == want
		}
		if matches {
			rows = append(rows, row)
		}
	}
	return rows
}

// conditions returns conditions in words.
func conditions(where []string) string {
	if len(where) == 0 {
		return "no condition"
	}
	return strings.Join(where, ", ")
}

// text returns a cell as conditions name it. An empty cell is an empty text.
func text(cell any) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(cell)
}

// numberIn returns the number in a column of a row; numbers that are not finite are texts in JSON,
// and an empty cell is NaN.
func numberIn(row map[string]any, column string) (float64, error) {
	cell, there := row[column]
	if !there {
		return math.NaN(), fmt.Errorf("there is no column %s", column)
	}
	switch v := cell.(type) {
	case nil:
		return math.NaN(), nil
	case float64:
		return v, nil
	case string:
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return f, nil
		}
	}
	return math.NaN(), fmt.Errorf("column %s has %v, which is not a number", column, cell)
}

// rounds reports whether a number is a printed one, to half a unit of its last digit. A printed
// number may be in percent.
func rounds(v float64, printed string) bool {
	digits, percent := strings.CutSuffix(printed, "%")
	p, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return false
	}
	if percent {
		v *= 100
	}
	_, decimals, _ := strings.Cut(digits, ".")
	half := 0.5 * math.Pow(10, -float64(len(decimals)))
	return math.Abs(v-p) <= half*(1+1e-9)
}

// near reports whether numbers agree within the larger of a relative and an absolute difference.
func near(v, w, tolerance float64) bool {
	return math.Abs(v-w) <= tolerance*max(1, math.Abs(v), math.Abs(w))
}

// increases reports whether each number is larger than the one before it.
func increases(list ...float64) bool {
	for i := 1; i < len(list); i++ {
		if !(list[i-1] < list[i]) {
			return false
		}
	}
	return true
}

// fall reports whether each number is smaller than the one before it.
func fall(list ...float64) bool {
	reversed := slices.Clone(list)
	slices.Reverse(reversed)
	return increases(reversed...)
}

// all reports whether all tests hold. It takes their results, not functions, so that each of them
// reads and shows its numbers.
func all(tests ...bool) bool { return !slices.Contains(tests, false) }

// forAll reports whether a test holds for each element of a list. It makes all tests, so that each
// of them reads and shows its numbers.
func forAll[T any](list []T, test func(v T) bool) bool {
	holds := true
	for _, v := range list {
		holds = test(v) && holds
	}
	return holds
}

// every reports whether a test holds of each number.
func every(list []float64, test func(v float64) bool) bool {
	return !slices.ContainsFunc(list, func(v float64) bool { return !test(v) })
}

// pairs reports whether a test holds of the numbers of two lists that have the same place, and
// whether the lists have the same length.
func pairs(list, other []float64, test func(v, w float64) bool) bool {
	if len(list) != len(other) {
		return false
	}
	for i := range list {
		if !test(list[i], other[i]) {
			return false
		}
	}
	return true
}

// zip returns what an operation makes of the numbers of two lists that have the same place, up to
// the end of the shorter list.
func zip(list, other []float64, of func(v, w float64) float64) (made []float64) {
	for i := range min(len(list), len(other)) {
		made = append(made, of(list[i], other[i]))
	}
	return made
}
