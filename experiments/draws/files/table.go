package files

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/experiments/draws"
)

// table holds the rows that are being read, as columns, and checks what is put into it.
type table struct {
	layout  *layout
	space   draws.Space
	strides []int // of the axes, by which coordinates become a number

	numbers [][]float64
	states  [][]int32

	sawZero   bool // whether any state or coordinate was 0 so far
	precision [quantities]draws.Precision
	doubles   [quantities]firstDoubles // of the float64 of binary files
}

func newTable(l *layout, s draws.Space) *table {
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

// room makes room for that many rows, or for as many as a batch may have, and returns their number.
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
func resized[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }

// column returns the first rows of a column, and nil if there is none.
func column[E any](columns [][]E, i, rows int) []E {
	if i == absent {
		return nil
	}
	return columns[i][:rows]
}

func (t *table) batch(b *draws.Batch, first, rows int) {
	at, T := t.layout.first, t.space.Distributions
	numbers := func(q quantity) []float64 { return column(t.numbers, at[q], rows) }
	states := func(q quantity) []int32 { return column(t.states, at[q], rows) }
	*b = draws.Batch{
		First: first, Rows: rows, LogW: numbers(logW), LogZ: numbers(logZ), SE: numbers(standardError), Beta: numbers(beta),
		XFirst: states(xFirst), XLast: states(xLast), From: states(from), To: states(to), Path: b.Path[:0], Increments: b.Increments[:0],
	}
	if at[increment] != absent {
		for i := range T - 1 {
			b.Increments = append(b.Increments, column(t.numbers, at[increment]+i, rows))
		}
	}
	if at[pathState] != absent {
		for i := range T {
			b.Path = append(b.Path, column(t.states, at[pathState]+i, rows))
		}
		b.XFirst, b.XLast = b.Path[0], b.Path[T-1]
	}
}

// checkEnds returns the fault of a row in which the ends of the path are not what the columns of
// the ends say.
func (t *table) checkEnds(row int) *fault {
	path := t.layout.first[pathState]
	if path == absent {
		return nil
	}
	for _, end := range [...]struct {
		quantity quantity
		stage    int
		name     string
	}{{xFirst, 1, "x_first"}, {xLast, t.space.Distributions, "x_last"}} {
		column := t.layout.first[end.quantity]
		if column == absent {
			continue
		}
		if given, inPath := t.states[column][row], t.states[path+end.stage-1][row]; given != inPath {
			return &fault{column: end.name, found: fmt.Sprintf("%d, but x_%d is %d", given, end.stage, inPath),
				want: "write the same state in both, or delete one of the columns"}
		}
	}
	return nil
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

// size returns how many states a column may hold, or coordinates on its axis, and what one of them
// adds to the number of a state.
func (t *table) size(f *field) (n, stride int64) {
	if axis := f.target.axis; axis != whole {
		return int64(t.space.Sides[axis]), int64(t.strides[axis])
	}
	return int64(t.space.States), 1
}

// setState puts a state, or one of its coordinates, into a row. The offset is that of the state in
// a path, and else 0.
func (t *table) setState(f *field, row, offset int, v int64) *fault {
	n, stride := t.size(f)
	if v < 0 || v >= n {
		return &fault{column: f.name, found: strconv.FormatInt(v, 10), want: "write " + t.choices(f) + t.countsFromOne(v, n)}
	}
	t.sawZero = t.sawZero || v == 0
	t.states[f.state+offset][row] += int32(v * stride)
	return nil
}

// setCoordinates puts the state with such coordinates into a row.
func (t *table) setCoordinates(f *field, row, offset int, coordinates []int64) *fault {
	sides := t.space.Sides
	if len(coordinates) == 1 {
		return t.setState(f, row, offset, coordinates[0])
	}
	if f.target.axis != whole || len(sides) == 0 {
		return &fault{column: f.name, found: fmt.Sprintf("%d numbers", len(coordinates)), want: "write one number, " + t.choices(f)}
	}
	if len(coordinates) != len(sides) {
		return &fault{column: f.name, found: fmt.Sprintf("%d coordinates", len(coordinates)),
			want: fmt.Sprintf("write %d coordinates, or a state from 0 to %d", len(sides), t.space.States-1)}
	}
	state := 0
	for axis, v := range coordinates {
		if v < 0 || v >= int64(sides[axis]) {
			return &fault{column: f.name, found: fmt.Sprintf("the coordinate %d on axis %d", v, axis),
				want: fmt.Sprintf("write a coordinate from 0 to %d there", sides[axis]-1) + t.countsFromOne(v, int64(sides[axis]))}
		}
		if v == 0 {
			t.sawZero = true
		}
		state += int(v) * t.strides[axis]
	}
	t.states[f.state+offset][row] = int32(state)
	return nil
}

// choices describes what a column of states or of coordinates may hold.
func (t *table) choices(f *field) string {
	n, _ := t.size(f)
	if f.target.axis != whole {
		return fmt.Sprintf("a coordinate from 0 to %d", n-1)
	}
	return fmt.Sprintf("a state from 0 to %d", n-1)
}

// countsFromOne returns what a message says besides if the number is the one after the last, as of
// a program that counts from 1, and if it is negative, as of one that counts from the end.
func (t *table) countsFromOne(v, n int64) string {
	switch {
	case v < 0:
		return "; states are numbered from 0, so no state is negative"
	case v == n && !t.sawZero:
		return "; states are numbered from 0: do you count from 1?"
	}
	return ""
}

// badStateText returns the fault of what is no whole number.
func (t *table) badStateText(f *field, found string) *fault {
	want := "write " + t.choices(f)
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
func (t *table) precisionOf(q quantity) draws.Precision {
	if t.doubles[q].seen > 0 {
		return t.doubles[q].precision()
	}
	return t.precision[q]
}

// quantity is what a column holds.
type quantity int

// The quantities that a reader knows. The states of a path and the increments have a stage besides.
const (
	logW quantity = iota
	xFirst
	xLast
	pathState
	wholePath // all states of a path in one cell, as an array
	increment
	beta
	from
	to
	logZ
	standardError
	quantities // how many there are
)

// known lists the names of quantities without a stage.
func known() map[string]quantity {
	return map[string]quantity{
		"log_w": logW, "x_first": xFirst, "x_last": xLast, "path": wholePath, "beta": beta, "from": from, "to": to, "log_z": logZ, "se": standardError,
	}
}

// isState reports whether the quantity is a state, or several.
func (q quantity) isState() bool {
	return q == xFirst || q == xLast || q == pathState || q == wholePath || q == from || q == to
}

// whole is the axis of a target that is a state in one cell, and not one of its coordinates.
const whole = -1

// target is what a column of a source fills.
type target struct {
	quantity quantity
	stage    int // t of the state or of the increment; 0 of other quantities
	axis     int // of a coordinate, slowest axis first, from 0; whole otherwise
}

// parseName returns what a column of this name holds. It does not look whether there is such a
// stage or axis.
func parseName(name string) (target, bool) {
	if q, ok := known()[name]; ok {
		return target{quantity: q, axis: whole}, true
	}
	for prefix, q := range map[string]quantity{"increment_": increment, "x_": pathState} {
		if digits, ok := strings.CutPrefix(name, prefix); ok {
			if stage, ok := number(digits); ok {
				return target{quantity: q, stage: stage, axis: whole}, true
			}
		}
	}
	cut := max(0, strings.LastIndexByte(name, '_'))
	axis, isAxis := number(strings.TrimPrefix(name[cut:], "_"))
	if cut == 0 || !isAxis {
		return target{}, false
	}
	at, ok := parseName(name[:cut])
	if !ok || !at.quantity.isState() || at.quantity == wholePath || at.axis != whole {
		return target{}, false
	}
	at.axis = axis
	return at, true
}

// number returns a whole number that is written without a sign and without leading zeros.
func number(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && strconv.Itoa(n) == digits && n >= 0
}

// checkName returns the fault of a target that the space does not have.
func (at target) checkName(name string, s draws.Space) *fault {
	distributions := s.Distributions
	switch {
	case at.axis != whole && len(s.Sides) == 0:
		return &fault{found: "the column " + name, want: fmt.Sprintf("write states as numbers from 0 to %d: the states of this space have no coordinates",
			s.States-1)}
	case at.axis != whole && at.axis >= len(s.Sides):
		return &fault{found: "the column " + name, want: fmt.Sprintf("write the coordinates of the axes 0 to %d of this space, slowest axis first", len(s.Sides)-1)}
	case distributions < 2 && (at.quantity == pathState || at.quantity == wholePath || at.quantity == increment):
		return &fault{found: "the column " + name, want: "delete it: this task has no paths"}
	case at.quantity == pathState && (at.stage < 1 || at.stage > distributions):
		return &fault{found: "the column " + name, want: fmt.Sprintf("name the states of a path x_1 to x_%d, since T = %d", distributions, distributions)}
	case at.quantity == increment && (at.stage < 2 || at.stage > distributions):
		return &fault{found: "the column " + name, want: fmt.Sprintf("name the increments by their stages, increment_2 to increment_%d, since T = %d",
			distributions, distributions)}
	}
	return nil
}

// bare returns a name in small letters and without what is neither a letter nor a digit, by which
// near misses are found.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// misses lists names that are often given to the quantities without a stage, in the form of bare.
func misses() map[string]string {
	return map[string]string{
		"logw": "log_w", "logws": "log_w", "logweight": "log_w", "logweights": "log_w", "lnw": "log_w", "lw": "log_w", "w": "log_w", "weight": "log_w",
		"weights": "log_w",
		"xfirst":  "x_first", "xstart": "x_first", "xinitial": "x_first", "xinit": "x_first", "first": "x_first",
		"xlast": "x_last", "xend": "x_last", "xfinal": "x_last", "last": "x_last", "xt": "x_last",
		"beta": "beta", "betas": "beta", "from": "from", "xfrom": "from", "to": "to", "xto": "to", "path": "path", "paths": "path",
		"logz": "log_z", "lnz": "log_z", "zhat": "log_z", "logzhat": "log_z", "logzestimate": "log_z",
	}
}

// nearMiss returns the name that was probably meant by one that is not known.
func nearMiss(name string) (meant string, ok bool) {
	b := bare(name)
	if meant, ok := misses()[b]; ok {
		return meant, true
	}
	for _, prefix := range []string{"increments", "increment", "incr", "inc", "dlogw", "x"} {
		digits, ok := strings.CutPrefix(b, prefix)
		stage, err := strconv.Atoi(digits)
		if !ok || err != nil {
			continue
		}
		if prefix == "x" {
			return fmt.Sprintf("x_%d", stage), true
		}
		return fmt.Sprintf("increment_%d", stage), true
	}
	return "", false
}

// usable describes the columns that a reader can use, for messages.
func usable(s draws.Space) string {
	names := []string{"log_w", "x_first", "x_last"}
	if s.Distributions >= 2 {
		names = append(names, fmt.Sprintf("x_1 to x_%d", s.Distributions), fmt.Sprintf("increment_2 to increment_%d", s.Distributions))
	}
	return strings.Join(names, ", ") + ", log_z, se, or beta, from and to together"
}
