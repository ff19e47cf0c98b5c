package files

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"breadboard/experiments/samples"
)

// table holds the rows that are being read, as columns, and checks what is put into it.
type table struct {
	layout  *layout
	space   samples.Space
	strides []int // of the axes, by which coordinates become a number

	numbers [][]float64
	states  [][]int32

	sawZero   bool // whether any state or coordinate was 0 so far
	precision [quantities]samples.Precision
	doubles   [quantities]firstDoubles // of the float64 of binary files
}

// newTable returns a table without rows.
func newTable(l *layout, s samples.Space) *table {
	t := &table{layout: l, space: s, strides: make([]int, len(s.Sides)), numbers: make([][]float64, l.numbers), states: make([][]int32, l.states)}
	stride := 1
	for axis := len(s.Sides) - 1; axis >= 0; axis-- {
		t.strides[axis] = stride
		stride *= s.Sides[axis]
	}
	return t
}

const (
	maxRows  = 1 << 16 // the most rows of a batch
	maxCells = 1 << 22 // the most cells of a batch, however many rows are asked for
)

// room makes room for so many rows, or for as many as a batch may have, and returns their number.
func (t *table) room(rows int) int {
	rows = min(rows, maxRows, max(1, maxCells/max(1, len(t.numbers)+len(t.states))))
	for i := range t.numbers {
		t.numbers[i] = resized(t.numbers[i], rows)
	}
	for i := range t.states {
		t.states[i] = resized(t.states[i], rows)
		clear(t.states[i]) // coordinates are added up
	}
	return rows
}

// resized returns a slice of a length, in the memory of another one if that is enough.
func resized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}

// batch returns the first rows as a batch.
func (t *table) batch(b *samples.Batch, first, rows int) {
	l, T := t.layout, t.space.Distributions
	*b = samples.Batch{First: first, Rows: rows, Path: b.Path[:0], Increments: b.Increments[:0]}
	numbers := func(i int) []float64 {
		if i == absent {
			return nil
		}
		return t.numbers[i][:rows]
	}
	states := func(i int) []int32 {
		if i == absent {
			return nil
		}
		return t.states[i][:rows]
	}
	b.LogW, b.LogZ, b.SE, b.Beta = numbers(l.logW), numbers(l.logZ), numbers(l.se), numbers(l.beta)
	b.XFirst, b.XLast, b.From, b.To = states(l.xFirst), states(l.xLast), states(l.from), states(l.to)
	if l.increments == absent {
		b.Increments = nil
	}
	for i := 0; l.increments != absent && i < T-1; i++ {
		b.Increments = append(b.Increments, numbers(l.increments+i))
	}
	if l.path == absent {
		b.Path = nil
		return
	}
	for i := range T {
		b.Path = append(b.Path, states(l.path+i))
	}
	b.XFirst, b.XLast = b.Path[0], b.Path[T-1]
}

// checkEnds returns the fault of a row in which the ends of the path are not what the columns of the ends say.
func (t *table) checkEnds(row int) *fault {
	l, T := t.layout, t.space.Distributions
	if l.path == absent || l.xFirst == absent && l.xLast == absent {
		return nil
	}
	differs := func(column, stage int, name string) *fault {
		if column == absent {
			return nil
		}
		given, inPath := t.states[column][row], t.states[l.path+stage-1][row]
		if given == inPath {
			return nil
		}
		f := &fault{found: fmt.Sprintf("%d, where x_%d is %d", given, stage, inPath), want: "write the same state in both, or leave one of the columns out"}
		return f.in(name)
	}
	if bad := differs(l.xFirst, 1, "x_first"); bad != nil {
		return bad
	}
	return differs(l.xLast, T, "x_last")
}

// checkAllEnds returns the first of the rows for which checkEnds finds a fault, and the fault.
func (t *table) checkAllEnds(rows int) (int, *fault) {
	for row := range rows {
		if bad := t.checkEnds(row); bad != nil {
			return row, bad
		}
	}
	return 0, nil
}

// setNumber puts a number into a row.
func (t *table) setNumber(f *field, row int, v float64) *fault {
	if v != v {
		return f.badNumber("nan")
	}
	if f.target.quantity == beta && !(v >= 0 && v <= 1) {
		return f.badNumber(strconv.FormatFloat(v, 'g', -1, 64))
	}
	t.numbers[f.number][row] = v
	return nil
}

// setDouble puts a float64 of a binary file into a row, and notes its digits.
func (t *table) setDouble(f *field, row int, v float64) *fault {
	t.doubles[f.target.quantity].add(v)
	return t.setNumber(f, row, v)
}

// badNumber returns the fault of a value that is no number, or none that the column may have.
func (f *field) badNumber(found string) *fault {
	bad := &fault{column: f.name, found: found, want: "write a number, -inf or inf"}
	if f.target.quantity == beta {
		bad.want = "write an inverse temperature from 0 to 1"
	}
	return bad
}

// setState puts a state, or one of its coordinates, into a row. The offset is that of the state in a path, and else 0.
func (t *table) setState(f *field, row, offset int, v int64) *fault {
	if f.target.axis != whole {
		if v < 0 || v >= int64(t.space.Sides[f.target.axis]) {
			return t.badCoordinate(f, v)
		}
		v *= int64(t.strides[f.target.axis])
	} else if v < 0 || v >= int64(t.space.States) {
		return t.badState(f, v)
	}
	if v == 0 {
		t.sawZero = true
	}
	t.states[f.state+offset][row] += int32(v)
	return nil
}

// setCoordinates puts the state with such coordinates into a row.
func (t *table) setCoordinates(f *field, row, offset int, coordinates []int64) *fault {
	sides := t.space.Sides
	if len(coordinates) == 1 {
		return t.setState(f, row, offset, coordinates[0])
	}
	if f.target.axis != whole || len(sides) == 0 {
		return &fault{column: f.name, found: fmt.Sprintf("%d numbers", len(coordinates)), want: "write one number, " + t.range_(f)}
	}
	if len(coordinates) != len(sides) {
		return &fault{column: f.name, found: fmt.Sprintf("%d coordinates", len(coordinates)), want: fmt.Sprintf("write %d coordinates, or a state from 0 to %d", len(sides), t.space.States-1)}
	}
	state := 0
	for axis, v := range coordinates {
		if v < 0 || v >= int64(sides[axis]) {
			return &fault{column: f.name, found: fmt.Sprintf("the coordinate %d on axis %d", v, axis), want: fmt.Sprintf("write a coordinate from 0 to %d there", sides[axis]-1) + t.countsFromOne(v, int64(sides[axis]))}
		}
		if v == 0 {
			t.sawZero = true
		}
		state += int(v) * t.strides[axis]
	}
	t.states[f.state+offset][row] = int32(state)
	return nil
}

// range_ describes what a column of states or of coordinates may hold.
func (t *table) range_(f *field) string {
	if f.target.axis != whole {
		return fmt.Sprintf("a coordinate from 0 to %d", t.space.Sides[f.target.axis]-1)
	}
	return fmt.Sprintf("a state from 0 to %d", t.space.States-1)
}

// badState returns the fault of a number that is no state.
func (t *table) badState(f *field, v int64) *fault {
	return &fault{column: f.name, found: strconv.FormatInt(v, 10), want: "write " + t.range_(f) + t.countsFromOne(v, int64(t.space.States))}
}

// badCoordinate returns the fault of a number that is no coordinate on its axis.
func (t *table) badCoordinate(f *field, v int64) *fault {
	return &fault{column: f.name, found: strconv.FormatInt(v, 10), want: "write " + t.range_(f) + t.countsFromOne(v, int64(t.space.Sides[f.target.axis]))}
}

// countsFromOne returns what a message says besides where the number is the one after the last, as of a program that counts
// from 1, and where it is negative, as of one that counts from the end.
func (t *table) countsFromOne(v, n int64) string {
	switch {
	case v < 0:
		return "; states are numbered from 0, and no negative number stands for one"
	case v == n && !t.sawZero:
		return "; states are numbered from 0: do you count from 1?"
	}
	return ""
}

// badStateText returns the fault of what is no whole number.
func (t *table) badStateText(f *field, found string) *fault {
	want := "write " + t.range_(f)
	if f.target.axis == whole && len(t.space.Sides) > 0 {
		example := strings.TrimSuffix(strings.Repeat("0;", len(t.space.Sides)), ";")
		want += ", or its coordinates as in " + example
	}
	return &fault{column: f.name, found: found, want: want}
}

// wholeState turns a number that a file gives as floating point into a state.
func (t *table) wholeState(f *field, v float64) (int64, *fault) {
	if v != math.Trunc(v) || math.Abs(v) > 1<<53 { // so are NaN and the infinities refused
		return 0, t.badStateText(f, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return int64(v), nil
}

// precisionOf says how exactly a quantity is given, judged by the rows that were read so far.
func (t *table) precisionOf(q quantity) samples.Precision {
	if t.doubles[q].seen > 0 {
		return t.doubles[q].precision()
	}
	return t.precision[q]
}
