package samplers

import (
	"math"
	"math/bits"
	"slices"

	"breadboard/grid"
	"breadboard/grid/quotients"
	"breadboard/toys"
)

// observable is a function that states have for what they are, beside those of all spaces.
type observable struct {
	name string
	at   func(x int) float64
}

// observables returns m and absm for strings of bits and for classes of these by their number of ones: the mean of spins of -1 or 1, and its
// absolute value, which alone is there where turning all spins over leads to the same class. For more than two axes of three values or more, and for
// classes of these, it returns largest: the share of the axes that have the commonest value.
func observables(toy *toys.Toy) []observable {
	switch q := toy.Space.(type) {
	case *quotients.Counts:
		if len(q.Of(0)) == 1 {
			return meanSpin(q.States()-1, func(x int) int { return x })
		}
	case *quotients.Compositions:
		return largest(q.Of)
	case *quotients.Partitions:
		return largest(q.Of)
	case *quotients.Classes:
		if toy.States() == nil { // orbits, of which every member has as many ones as the first, or as many zeros
			return meanSpin(q.Proposals(quotients.Value), func(c int) int { return bits.OnesCount(uint(q.First(c))) })[1:]
		}
	case *grid.Lattice:
		side := q.Side(0)
		counts := func(x int) []int {
			of := make([]int, side)
			for _, v := range q.Coords(x) {
				of[v]++
			}
			return of
		}
		switch sides := slices.Compact(q.Sides()); {
		case len(sides) == 1 && side == 2:
			return meanSpin(q.Dims(), func(x int) int { return counts(x)[1] })
		case len(sides) == 1 && side > 2 && q.Dims() > 2:
			return largest(counts)
		}
	}
	return nil
}

// meanSpin returns m and absm of n spins, given how many are up in a state.
func meanSpin(n int, up func(x int) int) []observable {
	m := func(x int) float64 { return float64(2*up(x)-n) / float64(n) }
	return []observable{{"m", m}, {"absm", func(x int) float64 { return math.Abs(m(x)) }}}
}

// largest returns the share of the commonest value, given how many axes have each value in a state.
func largest(counts func(x int) []int) []observable {
	return []observable{{"largest", func(x int) float64 {
		axes, most := 0, 0
		for _, n := range counts(x) {
			axes, most = axes+n, max(most, n)
		}
		return float64(most) / float64(axes)
	}}}
}

// observableNames returns the names of the observables of a toy.
func observableNames(toy *toys.Toy) (names []string) {
	for _, o := range observables(toy) {
		names = append(names, o.name)
	}
	return names
}
