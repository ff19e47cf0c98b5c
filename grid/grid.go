// Package grid has the finite spaces of states and their neighbours. A lattice holds only its side
// lengths, and takes no memory for its states. Paths, cycles and tori are lattices. Other spaces
// are the hypercube, permutations, the complete graph and graphs from lists of edges.
package grid

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
)

const (
	// MaxBits is the largest number of axes of two points, such as those of spins.
	MaxBits = 26
	// MaxStates is the largest lattice that New accepts. States are numbered within 32 bits. The
	// commands that compute on a lattice check what fits into memory.
	MaxStates = 1 << MaxBits
	// bytesPerState is the estimate that the error about large lattices prints.
	bytesPerState = 200
)

// Lattice is a d-dimensional box of points, joined to their neighbours along the axes. States are
// numbered row-major: the last coordinate moves fastest. A Lattice is immutable.
type Lattice struct {
	axes    []axis
	states  int
	columns int // see Plane; zero if nothing is known of one
}

// axis is one axis: the number of its points, the difference in state number between one and the
// next, and whether it is a ring. They are one struct because Neighbour, the hot loop of Monte
// Carlo, needs all three.
type axis struct {
	side, stride int
	wrap         bool
}

// MaxAxes is the largest number of axes, so that the 3^axes points around a state are an int. No
// more than MaxBits of them can have two points or more.
const MaxAxes = 39

// New returns the lattice with the given side lengths (each at least 1) and walls on every side.
func New(sides ...int) (*Lattice, error) { return NewWrapped(sides, make([]bool, len(sides))) }

// NewWrapped returns the lattice in which axis k is a ring if wrap[k] is true, and has walls
// otherwise. A ring needs at least three points, so that its two directions lead to two neighbours.
func NewWrapped(sides []int, wrap []bool) (*Lattice, error) {
	if len(sides) == 0 {
		return nil, fmt.Errorf("grid: a lattice needs at least one side length")
	}
	if len(wrap) != len(sides) {
		return nil, errs.New("grid: %d sides but %d wrap-around settings; give one for each axis",
			len(sides), len(wrap))
	}
	l := &Lattice{axes: make([]axis, len(sides))}
	for k, side := range sides {
		l.axes[k] = axis{side: side, wrap: wrap[k]}
	}
	states := 1.0
	digits := 0.0
	for k, side := range sides {
		if side < 1 {
			return nil, errs.New("grid: axis %d of %s has side %d; sides are 1 or more", k, l, side)
		}
		if wrap[k] && side < 3 {
			return nil, errs.New("grid: axis %d of %s wraps around with side %d; a ring needs 3 or more", k, l, side)
		}
		states *= float64(side)
		digits += math.Log10(float64(side))
	}
	if states > MaxStates {
		count := size(states, digits)
		return nil, tooManyStates(states,
			errs.New("grid: %s has %s states and would take %s; the limit is %d states (%.2g GB)",
				l, count, errs.Memory(states*bytesPerState), MaxStates, MaxStates*bytesPerState/1e9))
	}
	if len(sides) > MaxAxes {
		return nil, errs.New("grid: %d axes are more than the limit of %d; leave out those of length one",
			len(sides), MaxAxes)
	}
	l.states = 1
	for k := len(sides) - 1; k >= 0; k-- {
		l.axes[k].stride = l.states
		l.states *= sides[k]
	}
	return l, nil
}

// MustNew is New for side lengths known to be good; it panics if New returns an error.
func MustNew(sides ...int) *Lattice {
	l, err := New(sides...)
	if err != nil {
		panic(err)
	}
	return l
}

// Parse returns the lattice of side lengths written as "7x7" or "2x2x2".
func Parse(s string) (*Lattice, error) {
	sides, err := ParseSides(s)
	if err != nil {
		return nil, err
	}
	return New(sides...)
}

// ParseSides reads whole numbers joined by x, as in "7x7". The caller checks which numbers are
// valid.
func ParseSides(s string) (sides []int, err error) {
	for part := range strings.SplitSeq(s, "x") {
		side, err := strconv.Atoi(part)
		if err != nil || part[0] == '+' {
			return nil, errs.New("grid: %q is not a size; write side lengths joined by x, as in 7x7", s)
		}
		sides = append(sides, side)
	}
	return sides, nil
}

// States returns the number of points.
func (l *Lattice) States() int { return l.states }

// Dims returns the number of axes.
func (l *Lattice) Dims() int { return len(l.axes) }

// Side returns the length of axis k.
func (l *Lattice) Side(k int) int { return l.axes[k].side }

// Sides returns a copy of the side lengths.
func (l *Lattice) Sides() []int {
	sides := make([]int, len(l.axes))
	for k, a := range l.axes {
		sides[k] = a.side
	}
	return sides
}

// Squeezed returns the lattice without its axes of length one, along which every move meets a wall.
// A lattice of a single state keeps one axis.
func (l *Lattice) Squeezed() *Lattice {
	kept := slices.DeleteFunc(slices.Clone(l.axes), func(a axis) bool { return a.side == 1 })
	if len(kept) == 0 {
		kept = l.axes[:1]
	}
	return &Lattice{axes: kept, states: l.states}
}

// OnPlane returns the lattice with its axes placed row by row on a plane with the given number of
// columns, as the sites of a model of spins are.
func (l *Lattice) OnPlane(columns int) *Lattice { return &Lattice{l.axes, l.states, columns} }

// Plane returns the sides of the plane on which the axes are placed, row by row: one row of all
// axes, or the plane given by OnPlane.
func (l *Lattice) Plane() (rows, columns int) {
	if l.columns == 0 {
		return 1, len(l.axes)
	}
	return len(l.axes) / l.columns, l.columns
}

// Wraps reports whether axis k is a ring.
func (l *Lattice) Wraps(k int) bool { return l.axes[k].wrap }

// Stride returns the difference in state number between a point and the next one along axis k.
func (l *Lattice) Stride(k int) int { return l.axes[k].stride }

// String returns the side lengths joined by x, with an o after each axis that wraps around: "7x7",
// "5ox3".
func (l *Lattice) String() string {
	parts := make([]string, len(l.axes))
	for k, a := range l.axes {
		parts[k] = strconv.Itoa(a.side)
		if a.wrap {
			parts[k] += "o"
		}
	}
	return strings.Join(parts, "x")
}

// Index returns the state at the given coordinates, one for each axis. It panics if a coordinate is
// out of range.
func (l *Lattice) Index(coords ...int) int {
	if len(coords) != len(l.axes) {
		panic(fmt.Sprintf("grid: %d coordinates on the %d-dimensional lattice %s", len(coords), len(l.axes), l))
	}
	x := 0
	for k, c := range coords {
		if c < 0 || c >= l.axes[k].side {
			panic(fmt.Sprintf("grid: coordinate %d on axis %d of %s is outside", c, k, l))
		}
		x += c * l.axes[k].stride
	}
	return x
}

// Coord returns the coordinate of state x on axis k.
func (l *Lattice) Coord(x, k int) int { return x / l.axes[k].stride % l.axes[k].side }

// Swapped returns state x with its coordinates on two axes of equal length exchanged.
func (l *Lattice) Swapped(x, j, k int) int {
	return x + (l.Coord(x, k)-l.Coord(x, j))*(l.Stride(j)-l.Stride(k))
}

// Coords returns all coordinates of state x.
func (l *Lattice) Coords(x int) []int {
	coords := make([]int, len(l.axes))
	for k := range coords {
		coords[k] = l.Coord(x, k)
	}
	return coords
}

// Directions returns the number of directions, two for each axis: direction 2k steps down axis k,
// direction 2k+1 steps up. On a plane with row 0 at the top that is up, down, left, right.
func (l *Lattice) Directions() int { return 2 * len(l.axes) }

// Neighbour returns the state one step from x in direction d, and false if a wall is in the way.
func (l *Lattice) Neighbour(x, d int) (int, bool) {
	a := &l.axes[d>>1]
	stride := a.stride
	side := a.side
	// x is below MaxStates, and 32 bits divide faster than 64
	c := int(uint32(x) / uint32(stride) % uint32(side))
	if d&1 == 0 {
		if c > 0 {
			return x - stride, true
		}
		return x + stride*(side-1), a.wrap
	}
	if c < side-1 {
		return x + stride, true
	}
	return x - stride*(side-1), a.wrap
}

// Edges yields every undirected edge once, as its two ends, in the order of the first end and then
// of the axis. The second end is one step up the axis from the first.
func (l *Lattice) Edges() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for x := range l.states {
			for k := range l.axes {
				if y, ok := l.Neighbour(x, 2*k+1); ok && !yield(x, y) {
					return
				}
			}
		}
	}
}

// TooLarge is the error for a question that cannot be answered only because of its size. Its text
// is the text of Err. The command line adds advice on a similar question that can be answered.
type TooLarge struct {
	What        string  // what would be too many or too much, as "states"
	Need, Limit float64 // how many there would be, and how many are allowed
	Err         error
}

// Error returns the text of Err.
func (e TooLarge) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e TooLarge) Unwrap() error { return e.Err }
