package experiments

import (
	"fmt"

	"breadboard/exact"
	"breadboard/toys"
)

// NoteOfClasses says by which axis of a toy's grid the classes of a solution are told apart (see exact.Reach), so that somebody knows what the
// kernel never changes. It is empty where there is no such axis, and where the solution has no classes.
func NoteOfClasses(toy *toys.Toy, r *exact.Reach) string {
	if r == nil || toy.Lattice() == nil {
		return ""
	}
	for axis := range toy.Lattice().Dims() {
		if !tellsApart(toy, r, axis) {
			continue
		}
		name := fmt.Sprintf("axis %d", axis)
		if toy.Axes != nil {
			name = toy.Axes[axis].Name
		}
		text := name + " says in which class a state is"
		if toys.OfNetwork(toy.Target()) {
			text += ", and hide=" + name + " sums it out"
		}
		return text
	}
	return ""
}

// tellsApart reports whether all states with the same coordinate on an axis are in one class.
func tellsApart(toy *toys.Toy, r *exact.Reach, axis int) bool {
	l := toy.Lattice()
	classOf := make([]int32, l.Side(axis))
	for i := range classOf {
		classOf[i] = -1
	}
	for x, class := range r.Of {
		at := &classOf[l.Coord(x, axis)]
		if class >= 0 && *at >= 0 && *at != class {
			return false
		}
		*at = max(*at, class)
	}
	return true
}
