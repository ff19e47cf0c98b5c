package toys

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/work"
	"breadboard/grid"
)

// Sites are the sites of a model of spins: Rows times Cols of them on a plane. Site (i, j) is axis
// i*Cols + j of the toy's space. Each site is a neighbour of those above, below, at the left and at
// the right of it. On a torus the last row and the first are neighbours, and so are the last column
// and the first; both sides are at least 3 there, so that no two sites are neighbours twice.
type Sites struct {
	Rows, Cols int
	Torus      bool
}

// String returns the sides, as in "4x4".
func (s Sites) String() string { return fmt.Sprintf("%dx%d", s.Rows, s.Cols) }

// edges says in words what lies beyond the last row and column.
func (s Sites) edges() string {
	if s.Torus {
		return "on a torus"
	}
	return "with open edges"
}

// torus returns what a selector ends in.
func (s Sites) torus() string {
	if s.Torus {
		return ":torus"
	}
	return ""
}

// lattice returns the space of a model with q values at each site: a lattice of one axis for each
// site, each of side q. It fails if the sides are too short, and if the space is too large, before
// it takes any memory.
func (s Sites) lattice(q int) (*grid.Lattice, error) {
	if err := s.checkSides(); err != nil {
		return nil, err
	}
	if err := grid.FitsPower(float64(q), float64(s.Rows)*float64(s.Cols)); err != nil {
		return nil, err
	}
	sides := slices.Repeat([]int{q}, s.Rows*s.Cols)
	space, err := grid.New(sides...)
	if err != nil {
		return nil, err
	}
	return space.OnPlane(s.Cols), nil
}

// checkSides fails if the sides are too short.
func (s Sites) checkSides() error {
	least := 1
	where := ""
	if s.Torus {
		least = 3
		where = " on a torus"
	}
	if s.Rows < least || s.Cols < least {
		return errs.New("the sides are %d and %d; they are %d or more%s", s.Rows, s.Cols, least, where)
	}
	return nil
}

// earlier returns the neighbours of a site that have smaller numbers.
func (s Sites) earlier(site int) (list []int) {
	row, col := site/s.Cols, site%s.Cols
	if col > 0 {
		list = append(list, site-1)
	}
	if row > 0 {
		list = append(list, site-s.Cols)
	}
	if s.Torus && col == s.Cols-1 {
		list = append(list, site-col)
	}
	if s.Torus && row == s.Rows-1 {
		list = append(list, col)
	}
	return list
}

// pairCount returns the number of pairs of neighbours.
func (s Sites) pairCount() float64 {
	rows, cols := float64(s.Rows), float64(s.Cols)
	if s.Torus {
		return 2 * rows * cols
	}
	return 2*rows*cols - rows - cols
}

// equalPairs returns, for every state of a lattice of the given number of states with q >= 2 values
// at each site, the number of neighbouring pairs that have the same value. It adds one site after
// another to the states of the sites before it, and takes O(states) time for a given q.
func (s Sites) equalPairs(q, states int) []int32 {
	equal := work.Slice[int32](states)
	n := 1 // the number of states of the sites so far
	for site := range s.Rows * s.Cols {
		var strides []int
		for _, other := range s.earlier(site) {
			strides = append(strides, power(q, site-1-other))
		}
		for x := n - 1; x >= 0; x-- {
			// downwards, so that what is written stands behind all that is still to be read
			sum := equal[x]
			next := equal[x*q:][:q]
			for v := range next {
				next[v] = sum
			}
			for _, stride := range strides {
				next[x/stride%q]++
			}
		}
		n *= q
	}
	return equal
}

func power(q, exponent int) int {
	n := 1
	for range exponent {
		n *= q
	}
	return n
}

// checkCoupling returns an error if g overflows for some state, or J or the field is no finite
// number. At each of a number of pairs g is J at most, and at each site the field.
func checkCoupling(j, pairs, field, sites float64) error {
	if math.IsNaN(j) || math.IsInf(j, 0) || math.IsNaN(field) || math.IsInf(field, 0) {
		return errs.New("the coupling J is %v and the field %v; they must be finite", j, field)
	}
	if math.IsInf(math.Abs(j)*pairs+math.Abs(field)*sites, 1) {
		return errors.New("the coupling J or the field is so large that g overflows")
	}
	return nil
}

func parseSites(text string) (Sites, error) {
	sides, err := grid.ParseSides(text)
	if err != nil {
		return Sites{}, err
	}
	if len(sides) != 2 {
		return Sites{}, errs.New("%q has %d sides; the sites are on a plane with two, as in 4x4", text, len(sides))
	}
	return Sites{Rows: sides[0], Cols: sides[1]}, nil
}

// cutTorus takes the word torus from the end of a list of arguments.
func cutTorus(parts []string) (rest []string, torus bool) {
	if n := len(parts); n > 0 && parts[n-1] == "torus" {
		return parts[:n-1], true
	}
	return parts, false
}
