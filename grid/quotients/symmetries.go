package quotients

import (
	"slices"

	"breadboard/grid"
)

// Orbits reports whether the classes of a lattice whose axes all have two values are known to be
// its orbits under the permutations of the axes, and the flip of all axes, that map every state
// into its class. It looks for permutations that keep the classes of the states with one and with
// two ones; these decide the classes of models with couplings of pairs. Time is O(axes^2 states),
// and more if the axes have much symmetry.
func (q *Classes) Orbits() bool {
	space, is := q.space.(*grid.Lattice)
	if !is || slices.Min(space.Sides()) != 2 || slices.Max(space.Sides()) != 2 {
		return false
	}
	n := space.Dims()
	states := space.States()
	first := make([]int, states) // of each state, one of its orbit with a smaller number, or itself
	for x := range first {
		first[x] = x
	}
	find := func(x int) int {
		for first[x] != x {
			first[x] = first[first[x]]
			x = first[x]
		}
		return x
	}
	orbits := states
	join := func(image func(x int) int) {
		for x := range states {
			if q.class[x] != q.class[image(x)] {
				return
			}
		}
		for x := range states {
			if a, b := find(x), find(image(x)); a != b {
				first[max(a, b)] = min(a, b)
				orbits--
			}
		}
	}
	join(func(x int) int { return states - 1 - x })
	for fixed := range n {
		for to := fixed + 1; to < n && orbits > q.States(); to++ { // no more permutations than decide it
			if axes := q.permutation(space, fixed, to, nil); axes != nil {
				join(func(x int) (y int) {
					for axis, image := range axes {
						y += space.Coord(x, axis) * space.Stride(image)
					}
					return y
				})
			}
		}
	}
	return orbits == q.States()
}

// permutation returns the images of the axes under a permutation that extends the given images,
// fixes the axes below a number, maps that one to another, and keeps the classes of the states with
// one and with two ones; nil if there is none.
func (q *Classes) permutation(space *grid.Lattice, fixed, to int, axes []int) []int {
	axis := len(axes)
	if axis == space.Dims() {
		return axes
	}
	pair := func(i, j int) int32 { return q.class[space.Stride(i)+space.Stride(j)] }
	fits := func(image int) bool {
		if axis < fixed && image != axis || axis == fixed && image != to || slices.Contains(axes, image) ||
			q.class[space.Stride(axis)] != q.class[space.Stride(image)] {
			return false
		}
		for before, at := range axes {
			if pair(before, axis) != pair(at, image) {
				return false
			}
		}
		return true
	}
	for image := range space.Dims() {
		if fits(image) {
			if all := q.permutation(space, fixed, to, append(axes, image)); all != nil {
				return all
			}
		}
	}
	return nil
}
