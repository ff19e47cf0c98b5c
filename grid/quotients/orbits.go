package quotients

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"breadboard/chains/errs"
)

// A group G on the 2^N states has the orbits C(x) = {g x: g in G}. A state of C proposes the orbit
// D with the share of its N flips that lead there. This is the same for all states of C, and
//
//	|C| share(C, D) = |D| share(D, C),    sum of |C| = 2^N,
//
// which balanced checks. Time is O(2^N + orbits |G|), and memory four bytes a state.

// maxBits is the largest number of axes of two values in Orbits: 2^28 states take a gigabyte.
const maxBits = 28

// Symmetry maps the states of axes of two values to each other: the value of axis k becomes that of
// axis To[k]; then all values are flipped if Turned is true.
type Symmetry struct {
	To     []int
	Turned bool
}

// Orbits returns the orbits of the states of the lattice 2x2x...x2 under the group that the
// symmetries generate. The symmetries map lines to lines, so that the classes lump under proposals
// of neighbours and of other values. The target must be the same for all members of a class: level
// returns the same number for states of the same value. It fails if members of a class have
// different levels, and names the first two.
//
// It is a sieve: the first state without a number begins a class, and all its images get its
// number. Time is O(states + classes times group), and memory four bytes for each state until it is
// done. If the flip of all values is among the symmetries, both take half: the table has only the
// states whose first value is 0, and represents any other state by its flip.
func Orbits(axes int, symmetries []Symmetry, level func(state uint32) int) (*Classes, error) {
	if err := checkBits(axes); err != nil {
		return nil, err
	}
	for _, g := range symmetries { // of which the group is made
		if err := g.validateAxes(axes); err != nil {
			return nil, err
		}
	}
	states := 1 << axes
	group := closure(axes, symmetries)
	orbits := fmt.Sprintf("the orbits of 2^%d states", axes)
	if err := fits(orbits, float64(states)/float64(len(group))); err != nil {
		// no orbit has more states than there are symmetries
		return nil, err
	}
	// the flip of a state x is x ^ over, if that is a symmetry
	listed := states
	over := uint32(0)
	turn := Symmetry{To: group[0].To, Turned: true} // of what changes nothing
	if slices.ContainsFunc(group, func(g Symmetry) bool { return g.Turned && slices.Equal(g.To, turn.To) }) {
		listed = states / 2
		over = uint32(states - 1)
		group = slices.DeleteFunc(group, func(g Symmetry) bool { return g.Turned })
	}
	place := func(x uint32) uint32 { return min(x, x^over) } // in the table
	images, err := NewImages(axes, group...)
	if err != nil {
		return nil, err
	}
	class := make([]int32, listed) // one more than the class of a state, or zero
	q := &Classes{axes: axes, proposal: Value, proposals: axes, binary: true}
	for x := range listed {
		if class[x] != 0 {
			continue
		}
		q.first = append(q.first, x)
		number := int32(len(q.first))
		size := 0
		first := level(uint32(x))
		if err := fits(orbits, float64(number)); err != nil {
			return nil, err
		}
		low, high := images.ImagesOf(uint32(x))
		for i, part := range low {
			y := place(part ^ high[i])
			if class[y] != 0 {
				continue
			}
			class[y] = number
			size += states / listed
			for _, z := range []uint32{y, y ^ over} {
				if level(z) != first {
					return nil, fmt.Errorf(
						"quotients: a symmetry maps %s to %s, which have different values of the target",
						q.state(x),
						q.state(int(z)),
					)
				}
			}
		}
		q.sizes = append(q.sizes, size)
	}
	q.nameQuotient(fmt.Sprintf("2^%d states", axes))
	q.rows = make([]int, 1, len(q.first)+1)
	for _, x := range q.first {
		q.moves = appendTurns(q.moves, axes, func(y int) int32 { return class[place(uint32(y))] - 1 }, x)
		q.rows = append(q.rows, len(q.moves))
	}
	return q, q.balanced(states)
}

// appendTurns appends the moves of a state that flips the value of one axis: a line for each class
// that it reaches.
func appendTurns(moves []stored, axes int, class func(y int) int32, x int) []stored {
	var some [maxBits]int32
	to := some[:axes]
	for k := range axes {
		to[k] = class(x ^ 1<<k)
	}
	return appendLines(moves, to, 0, axes)
}

// balanced fails if members have been counted twice or never: the sizes of the classes then do not
// sum to the number of states, or the flows between two classes differ.
func (q *Classes) balanced(states int) error {
	for c, size := range q.sizes {
		states -= size
		for _, m := range q.row(c) {
			back := q.row(int(m.to))
			at, found := slices.BinarySearchFunc(back, int32(c), func(m stored, c int32) int { return int(m.to - c) })
			there := float64(size) * m.share
			if !found || math.Abs(there-float64(q.sizes[m.to])*back[at].share) > 1e-12*there {
				return fmt.Errorf("quotients: classes %s and %s do not propose each other equally often",
					q.Label(c), q.Label(int(m.to)))
			}
		}
	}
	if states != 0 {
		return fmt.Errorf("quotients: %s leave %d states out", q, states)
	}
	return nil
}

// closure returns the group that the given symmetries generate, including the identity.
func closure(axes int, generators []Symmetry) []Symmetry {
	same := Symmetry{To: make([]int, axes)}
	for k := range axes {
		same.To[k] = k
	}
	group := []Symmetry{same}
	known := map[string]bool{fmt.Sprint(same): true}
	for i := 0; i < len(group); i++ {
		for _, g := range generators {
			next := Symmetry{To: make([]int, axes), Turned: group[i].Turned != g.Turned}
			for k, to := range group[i].To {
				next.To[k] = g.To[to]
			}
			if name := fmt.Sprint(next); !known[name] {
				known[name] = true
				group = append(group, next)
			}
		}
	}
	return group
}

// validateAxes fails if a symmetry is not valid for the given number of axes.
func (g Symmetry) validateAxes(axes int) error {
	for k, to := range slices.Sorted(slices.Values(g.To)) {
		if k != to || len(g.To) != axes {
			return fmt.Errorf("quotients: a symmetry maps axes to %v, which is not a permutation of %d axes",
				g.To, axes)
		}
	}
	return nil
}

// Images has the images of states under symmetries, from a table for each half of the bits. The
// images of one state are next to each other, so that looking them up takes two places in memory.
type Images struct {
	low, high []uint32
	half      int
	each      int // the number of symmetries
}

// checkBits fails if the states of the given number of axes are too many.
func checkBits(axes int) error {
	if axes < 1 || axes > maxBits {
		return errs.New("quotients: %d axes of two values; give from 1 to %d", axes, maxBits)
	}
	return nil
}

// NewImages returns the images of the states of the given number of axes, at most MaxBits.
func NewImages(axes int, symmetries ...Symmetry) (*Images, error) {
	if err := checkBits(axes); err != nil {
		return nil, err
	}
	for _, g := range symmetries {
		if err := g.validateAxes(axes); err != nil {
			return nil, err
		}
	}
	m := &Images{half: axes / 2, each: len(symmetries)}
	m.low, m.high = make([]uint32, m.each<<m.half), make([]uint32, m.each<<(axes-m.half))
	for i, g := range symmetries {
		if g.Turned {
			m.high[i] = 1<<axes - 1
		}
	}
	m.makeTable(m.low, 0, symmetries)
	m.makeTable(m.high, m.half, symmetries)
	return m, nil
}

// makeTable makes the table of the bits above some others, given the images of the state without
// any: the image of a state is that of the state without its lowest one, with the image of that one
// added.
func (m *Images) makeTable(table []uint32, below int, symmetries []Symmetry) {
	for x := 1; x*m.each < len(table); x++ {
		bit := below + bits.TrailingZeros(uint(x))
		rest := x & (x - 1)
		for i, g := range symmetries {
			last := len(g.To) - 1 // the last axis is the lowest bit
			table[x*m.each+i] = table[rest*m.each+i] ^ 1<<(last-g.To[last-bit])
		}
	}
}

// ImagesOf returns the images of a state in two parts, one of each for every symmetry: the image is
// low[i] ^ high[i].
func (m *Images) ImagesOf(x uint32) (low, high []uint32) {
	l := int(x&(1<<m.half-1)) * m.each
	h := int(x>>m.half) * m.each
	return m.low[l : l+m.each], m.high[h : h+m.each]
}

// bitLabel returns the values of the axes of a state, as the label of a lattice.
func bitLabel(axes, x int) string {
	values := make([]string, axes)
	for k := range values {
		values[k] = fmt.Sprint(x >> (axes - 1 - k) & 1)
	}
	return strings.Join(values, ",")
}
