package files

import (
	"bytes"
	"fmt"
	"iter"
	"math"

	"breadboard/chains/selector"
	"breadboard/experiments/samples"
)

// setText puts the value that a cell of a text writes into a row.
func (t *table) setText(f *field, row, offset int, cell []byte) *fault {
	if f.number != absent {
		return t.setNumberText(f, row, cell)
	}
	if v, ok := parseDigits(cell); ok {
		return t.setState(f, row, offset, v)
	}
	if v, _, ok := samples.ParseNumber(cell); ok { // as in 3.000000000000000000e+00
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
	v, d, ok := samples.ParseNumber(cell)
	if !ok {
		if v, ok = parseInfinity(cell); !ok {
			return f.badText(cell)
		}
	} else {
		t.precision[f.target.quantity].Add(d)
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
		v, _, ok := samples.ParseNumber(part)
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
	return &fault{column: f.name, found: "a path of " + selector.Count(states, "state"), want: fmt.Sprintf("write %d, x_1 to x_%d, since T = %d", t.space.Distributions, t.space.Distributions, t.space.Distributions)}
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
