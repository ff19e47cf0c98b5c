package samples

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"strconv"
)

// setText puts the value that a cell of a text writes into a row.
func (t *table) setText(f *field, row, offset int, cell []byte) *fault {
	if f.number != absent {
		return t.setNumberText(f, row, cell)
	}
	if v, ok := parseDigits(cell); ok {
		return t.setState(f, row, offset, v)
	}
	if v, _, ok := parseNumber(cell); ok { // as in 3.000000000000000000e+00
		state, bad := t.wholeState(f, v)
		if bad != nil {
			return bad
		}
		return t.setState(f, row, offset, state)
	}
	return t.setStateText(f, row, offset, cell)
}

// setNumberText reads a number, and notes with how many digits it is written.
func (t *table) setNumberText(f *field, row int, cell []byte) *fault {
	v, d, ok := parseNumber(cell)
	if !ok {
		if v, ok = parseInfinity(cell); !ok {
			return f.badText(cell)
		}
	} else {
		t.precision[f.target.quantity].add(d)
	}
	return t.setNumber(f, row, v)
}

// badText returns the fault of a text that is no number.
func (f *field) badText(cell []byte) *fault {
	switch {
	case len(cell) == 0:
		return f.badNumber("an empty cell")
	case bytes.EqualFold(bytes.TrimLeft(cell, "+-"), []byte("nan")):
		return f.badNumber("nan")
	}
	bad := f.badNumber(quoted(cell))
	if bytes.IndexByte(cell, ',') >= 0 {
		bad.want = "write decimals with a point"
	}
	return bad
}

// setStateText reads a state that is not written as one number, but as coordinates.
func (t *table) setStateText(f *field, row, offset int, cell []byte) *fault {
	if len(cell) == 0 {
		return t.badStateText(f, "an empty cell")
	}
	var room [8]int64
	coordinates := room[:0]
	for part := range parts(cell) {
		v, _, ok := parseNumber(part)
		if !ok {
			return t.badStateText(f, quoted(cell))
		}
		state, bad := t.wholeState(f, v)
		if bad != nil {
			return bad
		}
		coordinates = append(coordinates, state)
	}
	return t.setCoordinates(f, row, offset, coordinates)
}

// parts yields the numbers that one cell holds, as in "3 4", "3;4", "(3, 4)" and "[3,4]", as texts; an empty one where a number
// is missing between two separators.
func parts(cell []byte) iter.Seq[[]byte] {
	inside := bytes.TrimSpace(cell)
	if n := len(inside); n >= 2 && (inside[0] == '(' && inside[n-1] == ')' || inside[0] == '[' && inside[n-1] == ']') {
		inside = bytes.TrimSpace(inside[1 : n-1])
		inside = bytes.TrimSuffix(inside, []byte(",")) // Python writes a single coordinate as (3,)
	}
	return func(yield func([]byte) bool) {
		separators := ";,"
		if !bytes.ContainsAny(inside, separators) {
			separators = " \t"
		}
		for rest, more := inside, true; more; {
			part := rest
			at := bytes.IndexAny(rest, separators)
			if more = at >= 0; more {
				part, rest = rest[:at], rest[at+1:]
				if separators[0] == ' ' {
					rest = trimLeft(rest, blanks)
				}
			}
			if !yield(bytes.TrimSpace(part)) {
				return
			}
		}
	}
}

// setPathText puts a whole path in one cell into a row: its states, separated as coordinates are.
func (t *table) setPathText(f *field, row int, cell []byte) *fault {
	states := 0
	for part := range parts(cell) {
		if states++; states > t.space.Distributions {
			continue
		}
		if bad := t.setText(f, row, states-1, part); bad != nil {
			return bad
		}
	}
	if states != t.space.Distributions {
		return t.badPathLength(f, states)
	}
	return nil
}

// badPathLength returns the fault of a path that has not T states.
func (t *table) badPathLength(f *field, states int) *fault {
	return &fault{column: f.name, found: "a path of " + count(states, "state"), want: fmt.Sprintf("write %d, x_1 to x_%d, since T = %d", t.space.Distributions, t.space.Distributions, t.space.Distributions)}
}

// parseDigits reads a number of at most 18 digits and nothing else.
func parseDigits(cell []byte) (v int64, ok bool) {
	if len(cell) == 0 || len(cell) > 18 {
		return 0, false
	}
	for _, c := range cell {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		v = 10*v + int64(d)
	}
	return v, true
}

// parseInfinity reads an infinity in any of its usual spellings.
func parseInfinity(cell []byte) (float64, bool) {
	sign := 1
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		if cell[0] == '-' {
			sign = -1
		}
		cell = cell[1:]
	}
	if bytes.EqualFold(cell, []byte("inf")) || bytes.EqualFold(cell, []byte("infinity")) {
		return math.Inf(sign), true
	}
	return 0, false
}

// digits says with how many digits a number is written.
type digits struct {
	significant int  // from the first that is not zero to the last that is written
	decimals    int  // after the decimal point, shifted by the exponent
	whole       bool // whether there is neither a decimal point nor an exponent
}

// parseNumber reads a finite decimal number, as selector.ParseNumber does, and counts its digits. Unlike that one it works
// on bytes and takes a few nanoseconds, and it keeps the sign of zero.
func parseNumber(cell []byte) (v float64, d digits, ok bool) {
	i := 0
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		i = 1
	}
	start := i
	var mantissa uint64     // without the zeros at its end, and meaningless above 19 digits
	zeros := 0              // how many of them there are
	written, point := 0, -1 // how many digits there are, and how many of them stand before the point
	for ; i < len(cell); i++ {
		if c := cell[i] - '0'; c <= 9 {
			written++
			switch {
			case c > 0:
				for ; zeros > 0; zeros-- {
					mantissa *= 10
				}
				mantissa = 10*mantissa + uint64(c)
				d.significant++
			case d.significant > 0:
				zeros++
				d.significant++
			}
		} else if cell[i] == '.' && point < 0 {
			point = written
		} else {
			break
		}
	}
	if written == 0 {
		return 0, digits{}, false
	}
	if point >= 0 {
		d.decimals = written - point
	}
	d.whole = i-start == written
	if i < len(cell) {
		exponent, ok := parseExponent(cell[i:])
		if !ok {
			return 0, digits{}, false
		}
		d.whole = false
		d.decimals -= exponent
	}
	if shift := d.decimals - zeros; d.significant-zeros <= 19 && mantissa < 1<<53 && shift >= -22 && shift <= 22 {
		return signed(scaled(mantissa, shift), cell[0] == '-'), d, true
	}
	v, err := strconv.ParseFloat(string(cell), 64)
	return v, d, err == nil
}

// parseExponent reads an e, a sign and digits. An exponent beyond all that float64 knows is cut, since it is only counted
// with.
func parseExponent(text []byte) (exponent int, ok bool) {
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	text = text[1:]
	negative := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		text = text[1:]
	}
	if len(text) == 0 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		exponent = min(10*exponent+int(c-'0'), 1<<20)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, true
}

// scaled returns a mantissa below 2^53 times a power of ten of at most 22 either way, correctly rounded: both are exact
// float64, and there is one operation.
func scaled(mantissa uint64, decimals int) float64 {
	powers := [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
	if decimals >= 0 {
		return float64(mantissa) / powers[decimals]
	}
	return float64(mantissa) * powers[-decimals]
}

// signed returns v, or -v.
func signed(v float64, negative bool) float64 {
	if negative {
		return -v
	}
	return v
}
