package kernel

// Sets hold states, each in one set. Joining two states merges their sets.
//
// Source: Tarjan 1975, with path halving.
type Sets struct {
	// another state of the same set, nearer to its representative, which is its own parent; below
	// zero if the state is in no set
	parent []int32
	count  int
}

// NewSets returns sets for the given number of states, none of which is in a set yet.
func NewSets(states int) *Sets {
	s := &Sets{parent: make([]int32, states)}
	for x := range s.parent {
		s.parent[x] = -1
	}
	return s
}

// Count returns the number of sets.
func (s *Sets) Count() int { return s.count }

// Holds reports whether a state is in a set.
func (s *Sets) Holds(x int) bool { return s.parent[x] >= 0 }

// Add puts a state that is in no set into one of its own.
func (s *Sets) Add(x int) {
	if !s.Holds(x) {
		s.parent[x] = int32(x)
		s.count++
	}
}

// Join merges the sets of two states, which must be in sets.
func (s *Sets) Join(x, y int) {
	a, b := s.root(x), s.root(y)
	if a == b {
		return
	}
	if a > b {
		// the first state of a set represents it, so that classes are numbered in the order of the
		// states
		a, b = b, a
	}
	s.parent[b] = a
	s.count--
}

// root returns the representative of the set of x.
func (s *Sets) root(x int) int32 {
	at := int32(x)
	for s.parent[at] != at {
		s.parent[at] = s.parent[s.parent[at]]
		at = s.parent[at]
	}
	return at
}

// Numbered returns the number of the set of each state, in the order of their first states, and -1
// for states in no set.
func (s *Sets) Numbered() []int32 {
	numbers := make([]int32, len(s.parent))
	next := int32(0)
	for x := range numbers {
		switch {
		case !s.Holds(x):
			numbers[x] = -1
		case s.root(x) == int32(x):
			numbers[x] = next
			next++
		default:
			numbers[x] = numbers[s.root(x)]
		}
	}
	return numbers
}

// JoinRows joins the states that the rows of states with on = true connect. It returns false if a
// row leads to a state in no set, which may happen if a kernel leaves its distribution invariant
// only up to rounding.
func (s *Sets) JoinRows(rows *Rows, on []bool) (inside bool) {
	inside = true
	for x := range on {
		if !on[x] {
			continue
		}
		for _, e := range rows.Row(x) {
			switch {
			case e.P == 0:
			case !s.Holds(e.To):
				inside = false
			default:
				s.Join(x, e.To)
			}
		}
	}
	return inside
}
