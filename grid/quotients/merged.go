package quotients

// Merged is a mode of the classes that stands for several modes of the larger space. A mode is a set of states of one value that are
// joined by proposals, and from which none leads to a larger value.
type Merged struct {
	Class int // a class of the mode
	Modes int // the number of modes of the larger space that it stands for, 2 or more
}

// HighestMerged returns the mode of the largest value that stands for several, given the value of each class, and false where no mode does. How
// a chain finds the way from one such mode to the other is nothing that the classes can tell.
//
// Of Orbits it finds modes of one class alone, since the states are not kept.
func (q *Classes) HighestMerged(values []float64) (highest Merged, found bool) {
	done := make([]bool, q.States())
	for c := range done {
		if done[c] || found && values[c] <= values[highest.Class] {
			continue
		}
		plateau, top := q.plateau(c, values, done)
		if !top {
			continue
		}
		if modes := q.parts(plateau); modes > 1 {
			highest, found = Merged{c, modes}, true
		}
	}
	return highest, found
}

// plateau returns the classes of one value that moves join to class c, and whether no move leads from them to a larger value. It marks them as
// done.
func (q *Classes) plateau(c int, values []float64, done []bool) (plateau []int, top bool) {
	plateau, top = []int{c}, true
	done[c] = true
	for i := 0; i < len(plateau); i++ {
		for _, m := range q.row(plateau[i]) {
			to := int(m.to)
			top = top && values[to] <= values[c]
			if values[to] == values[c] && !done[to] {
				done[to] = true
				plateau = append(plateau, to)
			}
		}
	}
	return plateau, top
}

// parts returns the number of sets of joined states that the classes of a plateau have in the larger space; 1 where that is not known.
func (q *Classes) parts(plateau []int) (n int) {
	if q.class == nil {
		if q.alone(plateau) {
			return q.sizes[plateau[0]]
		}
		return 1
	}
	left := map[int32]bool{} // the states that no part has yet
	within := map[int32]bool{}
	for _, c := range plateau {
		within[int32(c)] = true
	}
	for x, c := range q.class {
		if within[c] {
			left[int32(x)] = true
		}
	}
	for x, c := range q.class {
		if within[c] && left[int32(x)] {
			n++
			q.fill(int32(x), left)
		}
	}
	return n
}

// alone reports whether a plateau is one class without a move to itself.
func (q *Classes) alone(plateau []int) bool {
	if len(plateau) > 1 {
		return false
	}
	for _, m := range q.row(plateau[0]) {
		if int(m.to) == plateau[0] {
			return false
		}
	}
	return true
}

// fill takes the states that are joined to x out of those that are left.
func (q *Classes) fill(x int32, left map[int32]bool) {
	delete(left, x)
	next := []int32{x}
	var near []int32
	for len(next) > 0 {
		x, next = next[len(next)-1], next[:len(next)-1]
		near = q.near.adjacent(near[:0], x)
		for i := 0; i < len(near); i++ {
			y := near[i]
			if int(y) >= len(q.class) { // a line, on which all states propose each other
				near = q.near.onLine(near, int(y))
			} else if left[y] {
				delete(left, y)
				next = append(next, y)
			}
		}
	}
}
