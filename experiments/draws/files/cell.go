package files

import (
	"bytes"
	"math"
	"strconv"

	"breadboard/experiments/draws"
)

// Cell is a value of a row, which is valid until the next row is read: a text, or the numbers that
// a file of NumPy has there.
type Cell struct {
	text    []byte
	numbers []float64 // nil of a text
}

// Text returns the text of the cell. Several numbers have semicolons between them.
func (c Cell) Text() []byte {
	if c.numbers == nil {
		return c.text
	}
	var text []byte
	for i, v := range c.numbers {
		if i > 0 {
			text = append(text, ';')
		}
		if n := int(v); n > 0 && n < 1e6 && float64(n) == v { // as numbers of chains are
			text = strconv.AppendInt(text, int64(n), 10)
		} else {
			text = strconv.AppendFloat(text, v, 'g', -1, 64)
		}
	}
	return text
}

// isMissing reports whether the cell has no value.
func (c Cell) isMissing() bool {
	if len(c.numbers) == 1 {
		return c.numbers[0] != c.numbers[0]
	}
	text := c.Text()
	return len(text) == 0 || missing(text)
}

// Found returns the cell for an error message.
func (c Cell) Found() string { return quoteCell(c.Text()) }

// Number returns the number of the cell, which may be infinite or missing (NaN), and reports
// whether it has one.
func (c Cell) Number() (v float64, ok bool) {
	if len(c.numbers) == 1 {
		return c.numbers[0], true
	}
	v, _, ok = draws.ParseNumber(c.text)
	if ok {
		return v, true
	}
	v, ok = parseInfinity(c.text)
	if ok {
		return v, true
	}
	if missing(c.text) {
		return math.NaN(), true
	}
	return draws.ParseTruth(string(c.text))
}

// Integer returns the whole number of the cell, and reports whether it has one.
func (c Cell) Integer() (v int64, ok bool) {
	v, ok = parseDigits(c.text)
	if ok {
		return v, true
	}
	x := 0.0
	if len(c.numbers) == 1 {
		x = c.numbers[0]
		ok = true
	} else {
		x, _, ok = draws.ParseNumber(c.text)
	}
	if !ok || x != math.Trunc(x) || math.Abs(x) > 1<<53 { // so are NaN and the infinities refused
		return 0, false
	}
	return int64(x), true
}

// appendParts appends the values of a cell with several, which are separated by semicolons or
// commas or, if there are none of these, by blanks. Brackets may stand around them. A value between
// two separators may be empty.
func (c Cell) appendParts(list []Cell) []Cell {
	for i := range c.numbers {
		list = append(list, Cell{numbers: c.numbers[i : i+1]})
	}
	if c.numbers != nil {
		return list
	}
	inside := bytes.TrimSpace(c.text)
	if n := len(inside); n >= 2 &&
		(inside[0] == '(' && inside[n-1] == ')' || inside[0] == '[' && inside[n-1] == ']') {
		inside = bytes.TrimSpace(inside[1 : n-1])
		inside = bytes.TrimSuffix(inside, []byte(",")) // Python writes a single coordinate as (3,)
	}
	if !bytes.ContainsAny(inside, ";,") {
		for part := range bytes.FieldsSeq(inside) {
			list = append(list, Cell{text: part})
		}
		return list
	}
	for part := range bytes.SplitSeq(bytes.ReplaceAll(inside, []byte(","), []byte(";")), []byte(";")) {
		list = append(list, Cell{text: bytes.TrimSpace(part)})
	}
	return list
}

// parseDigits reads a number of at most 18 digits and nothing else.
func parseDigits(text []byte) (v int64, ok bool) {
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	for _, c := range text {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		v = 10*v + int64(d)
	}
	return v, true
}

// parseInfinity reads an infinity in any of its usual spellings.
func parseInfinity(text []byte) (float64, bool) {
	sign := 1
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			sign = -1
		}
		text = text[1:]
	}
	if bytes.EqualFold(text, []byte("inf")) || bytes.EqualFold(text, []byte("infinity")) {
		return math.Inf(sign), true
	}
	return 0, false
}

// IsNumber reports whether the cell is a number of a file of NumPy.
func (c Cell) IsNumber() bool { return len(c.numbers) == 1 }
