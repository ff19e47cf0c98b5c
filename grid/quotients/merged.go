package quotients

import "slices"

// Merged is a mode of the classes that stands for several modes of the larger space. A mode is a set of states of one value that are
// joined by proposals, and from which none leads to a larger value.
type Merged struct {
	Class int     // a class of the mode
	Modes float64 // the number of modes of the larger space that it stands for, 2 or more
}

// HighestMerged returns the mode of the largest value that stands for several, given the value of each class, and false where no mode does. How
// a chain finds the way from one such mode to the other is nothing that the classes can tell. Modes are those of other values of an axis where the
// classes are those of these, and else those of neighbours.
//
// It finds modes of several classes only where the states are kept, as Refined does.
func HighestMerged(q Quotient, values []float64) (highest Merged, found bool) {
	m := modes{q: q, values: values, done: make([]bool, q.States())}
	if q.Proposes(Value) == nil {
		m.proposal = Value
	}
	for c := range m.done {
		if m.done[c] || found && values[c] <= values[highest.Class] {
			continue
		}
		plateau, top := m.plateau(c)
		if !top {
			continue
		}
		if n := m.parts(plateau); n > 1 {
			highest, found = Merged{c, n}, true
		}
	}
	return highest, found
}

// modes looks for modes.
type modes struct {
	q        Quotient
	proposal Proposal
	values   []float64
	done     []bool // the classes that have been looked at
	moves    []Move // of one class
}

// plateau returns the classes of one value that moves join to class c, and whether no move leads from them to a larger value. It marks them as
// done.
func (m *modes) plateau(c int) (plateau []int, top bool) {
	plateau, top = []int{c}, true
	m.done[c] = true
	for i := 0; i < len(plateau); i++ {
		m.moves = m.q.AppendMoves(m.moves[:0], plateau[i], m.proposal)
		for _, move := range m.moves {
			top = top && m.values[move.To] <= m.values[c]
			if m.values[move.To] == m.values[c] && !m.done[move.To] {
				m.done[move.To] = true
				plateau = append(plateau, move.To)
			}
		}
	}
	return plateau, top
}

// parts returns the number of sets of joined states that the classes of a plateau have in the larger space; 1 where that is not known.
func (m *modes) parts(plateau []int) (n float64) {
	if q, is := m.q.(*Classes); is && q.class != nil {
		return q.parts(plateau)
	}
	m.moves = m.q.AppendMoves(m.moves[:0], plateau[0], m.proposal)
	if len(plateau) > 1 || slices.ContainsFunc(m.moves, func(move Move) bool { return move.To == plateau[0] }) {
		return 1
	}
	n, _ = m.q.Members(plateau[0]).Float64() // no two of which are joined
	return n
}

// parts returns the number of sets of joined states that some classes have.
func (q *Classes) parts(plateau []int) (n float64) {
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
