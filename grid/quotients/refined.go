package quotients

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"breadboard/chains/errs"
	"breadboard/grid"
)

// CheckRefined fails if a space is too large for Refined.
func CheckRefined(space grid.Graph) error {
	if n := space.States(); n > MaxRefined {
		return grid.TooLarge{
			What: "states", Need: float64(n), Limit: MaxRefined,
			Err: errs.New("quotients: %s has %d states; classes are found among %d at most", space, n, MaxRefined),
		}
	}
	return nil
}

// MaxRefined is the largest number of states of a space that Refined takes.
const MaxRefined = 1 << 20

// Classes are a quotient without a formula: its classes have been computed from the states of the
// larger space. The label of a class is that of its first member.
type Classes struct {
	noEdges
	name    string
	space   grid.Graph // the larger space; nil for Orbits
	axes    int        // of the states of Orbits
	first   []int      // the first member of each class
	sizes   []int      // the number of members of each class
	members []float64
	// whether the larger space is a lattice whose axes have two values at most, so that other
	// values are neighbours too
	binary    bool
	proposal  Proposal
	proposals int   // how many there are from a state, all with the same probability
	rows      []int // of each class, where its moves begin in moves; one more for the end
	moves     []stored
	// of each state of the larger space; nil for Orbits, whose states are too many to be kept
	class []int32
}

// stored is a Move in less memory.
type stored struct {
	to, line, count int32
	share           float64
}

// Refined returns the coarsest classes of the states of a space of which all members have the same
// colour and make the proposals with the same counts: the same number of directions into each class
// for Neighbour, and for Value the same number of lines with each multiset of classes, as flip and
// heatbath need. States of one colour must have the same value of the target. Colours are numbered
// from 0.
//
// In the end the proposals of every state are compared with those of its class. Time is
// O(directions states log states), and memory 30 bytes for each state and, if an axis has three
// values or more, for each line of such axes.
func Refined(space grid.Graph, p Proposal, colours []int32) (*Classes, error) {
	n := space.States()
	if err := CheckRefined(space); err != nil {
		return nil, err
	}
	s, err := newSurroundings(space, p)
	if err != nil {
		return nil, err
	}
	class := make([]int32, n+s.lines())
	copy(class, colours)
	lines := slices.Max(colours) + 1
	for i := n; i < len(class); i++ {
		class[i] = lines
	}
	class = refine(class, s.adjacent)[:n]
	q := &Classes{space: space, binary: s.binary(), proposal: p, proposals: s.proposals(), class: class}
	q.numberClasses(class, fmt.Sprint(space))
	q.findMoves(s, class)
	return q, q.verify(s, class)
}

// numberClasses numbers the classes in the order of their first members, and counts their members.
func (q *Classes) numberClasses(class []int32, space string) {
	classes := inOrder(class)
	q.first = make([]int, classes)
	q.sizes = make([]int, classes)
	for x, c := range class {
		q.sizes[c]++
		if q.sizes[c] == 1 {
			q.first[c] = x
		}
	}
	q.nameQuotient(space)
}

// nameQuotient names the quotient, and computes the logarithms of the sizes of the classes.
func (q *Classes) nameQuotient(space string) {
	q.members = make([]float64, len(q.sizes))
	for c, size := range q.sizes {
		q.members[c] = math.Log(float64(size))
	}
	q.name = fmt.Sprintf("%d classes of %s", len(q.sizes), space)
}

// findMoves makes the moves of the first member of every class.
func (q *Classes) findMoves(s *surroundings, class []int32) {
	q.rows = make([]int, 1, len(q.first)+1)
	for _, x := range q.first {
		q.moves = s.appendProposals(q.moves, class, x)
		q.rows = append(q.rows, len(q.moves))
	}
}

// verify fails if the proposals of a state differ from those of its class. If lines have more than
// two states it compares moves. Otherwise it counts the proposals into each class, which takes a
// fifth of the time.
func (q *Classes) verify(s *surroundings, class []int32) error {
	alike := func(x, c int) bool { return slices.Equal(s.appendProposals(nil, class, x), q.row(c)) }
	if s.lines() == 0 {
		proposals := s.proposals()
		// of the proposals of each move, and of those of x into each class
		number := make([]int32, len(q.moves))
		count := make([]int32, q.States())
		for i, m := range q.moves {
			number[i] = int32(math.Round(m.share * float64(proposals)))
		}
		var next []int32
		alike = func(x, c int) bool {
			next = s.adjacent(next[:0], int32(x))
			for _, y := range next {
				count[class[y]]++
			}
			count[c] += int32(proposals - len(next)) // which lead nowhere
			row := q.row(c)
			for i, m := range row {
				count[m.to] -= number[q.rows[c]+i]
			}
			// and so it is zero everywhere, as both sides have as many
			return !slices.ContainsFunc(row, func(m stored) bool { return count[m.to] != 0 })
		}
	}
	for x, c := range class {
		if !alike(x, int(c)) {
			return fmt.Errorf("quotients: state %s is in the class of %s but has other proposals", q.state(x),
				q.Label(int(c)))
		}
	}
	return nil
}

func (q *Classes) row(c int) []stored { return q.moves[q.rows[c]:q.rows[c+1]] }

// States returns the number of classes.
func (q *Classes) States() int { return len(q.first) }

// Label returns the label of the first member of class c.
func (q *Classes) Label(c int) string { return q.state(q.first[c]) }

// state returns the label of a state of the larger space.
func (q *Classes) state(x int) string {
	if q.space == nil {
		return bitLabel(q.axes, x)
	}
	return q.space.Label(x)
}

// String names the quotient, as in "28 classes of 7x7".
func (q *Classes) String() string { return q.name }

// LargerSpace returns the larger space; nil for Orbits, whose states are not kept.
func (q *Classes) LargerSpace() grid.Graph { return q.space }

// Class returns the class of a state of the larger space. It does not work for Orbits.
func (q *Classes) Class(x int) int { return int(q.class[x]) }

// First returns the first member of class c, a state of the larger space.
func (q *Classes) First(c int) int { return q.first[c] }

// Common returns the value on each class of a function that has the given value at each state. It
// fails if two members of a class have different values, and names them. It does not work for
// Orbits, whose states are not kept.
func (q *Classes) Common(values []float64) ([]float64, error) {
	common := make([]float64, q.States())
	for c, x := range q.first {
		common[c] = values[x]
	}
	for x, c := range q.class {
		if values[x] != common[c] {
			return nil, errs.New(
				"a function must be the same for all members of a class; it is %v at %s and %v at %s, "+
					"which are of one class",
				common[c],
				q.Label(int(c)),
				values[x],
				q.state(x),
			)
		}
	}
	return common, nil
}

// Shared returns the number of each class divided equally among its states. It does not work for
// Orbits.
func (q *Classes) Shared(values []float64) []float64 {
	shares := make([]float64, len(q.class))
	for x, c := range q.class {
		shares[x] = values[c] / float64(q.sizes[c])
	}
	return shares
}

// LogMembers implements Quotient.
func (q *Classes) LogMembers() []float64 { return q.members }

// Members implements Quotient.
func (q *Classes) Members(c int) *big.Int { return big.NewInt(int64(q.sizes[c])) }

// Proposes implements Quotient.
func (q *Classes) Proposes(p Proposal) error {
	switch {
	case p == q.proposal || q.binary:
		return nil
	case p == Neighbour:
		return fmt.Errorf(
			"the %s are for other values of an axis, as flip and heatbath propose them, and not for neighbours",
			q,
		)
	}
	return fmt.Errorf(
		"the %s are for neighbours, as metropolis and barker propose them, and not for other values of an axis",
		q,
	)
}

// Proposals implements Counted.
func (q *Classes) Proposals(p Proposal) int {
	if q.binary && p == Neighbour {
		return 2 * q.proposals
	}
	return q.proposals
}

// AppendMoves implements Quotient.
func (q *Classes) AppendMoves(dst []Move, c int, p Proposal) []Move {
	half := q.binary && p == Neighbour && q.proposal == Value
	if half {
		dst = append(dst, Move{To: c, Share: 0.5})
	}
	for _, m := range q.row(c) {
		move := Move{To: int(m.to), Line: int(m.line), Count: int(m.count), Share: m.share}
		if half {
			move = Move{To: move.To, Share: move.Share / 2}
		}
		dst = append(dst, move)
	}
	return dst
}

// surroundings is the graph of the proposals of the states of a space. Nodes are the states and
// after them, for proposals of values, all lines of three states or more. A line is joined to the
// states on it, so that its class determines how many states of each class are on it.
type surroundings struct {
	space    grid.Graph
	proposal Proposal
	lattice  *grid.Lattice // for Value
	before   []int         // for Value: the nodes before the lines of each axis; one more for the end
	// the strides of the axes of two values, which are powers of two if no axis has more
	pairs []int32
}

func newSurroundings(space grid.Graph, p Proposal) (*surroundings, error) {
	s := &surroundings{space: space, proposal: p}
	lattice, is := space.(*grid.Lattice)
	if p == Neighbour {
		return s, nil
	}
	if !is {
		return nil, errs.New(
			"quotients: %s is not a grid, and has no axes with other values; use metropolis or barker, "+
				"which propose a neighbour",
			space,
		)
	}
	s.lattice = lattice
	nodes := lattice.States()
	for k := range lattice.Dims() {
		s.before = append(s.before, nodes)
		switch side := lattice.Side(k); {
		case side == 2:
			s.pairs = append(s.pairs, int32(lattice.Stride(k)))
		case side > 2:
			nodes += lattice.States() / side
		}
	}
	s.before = append(s.before, nodes)
	return s, nil
}

// lines returns the number of nodes that are lines.
func (s *surroundings) lines() int {
	if s.lattice == nil {
		return 0
	}
	return s.before[len(s.before)-1] - s.lattice.States()
}

// binary reports whether the space is a lattice whose axes have two values at most, and the
// proposals are other values.
func (s *surroundings) binary() bool { return s.lattice != nil && s.lines() == 0 }

// proposals returns how many proposals a state makes, all with the same probability. Those of short
// axes are counted several times.
func (s *surroundings) proposals() int {
	if s.proposal == Neighbour {
		return s.space.Directions()
	}
	each := 1 // the least common multiple of the numbers of other values
	for k := range s.lattice.Dims() {
		if others := s.lattice.Side(k) - 1; others > 0 {
			a, b := each, others
			for b > 0 {
				a, b = b, a%b
			}
			each *= others / a
		}
	}
	return each * s.lattice.Dims()
}

// adjacent is the graph of the nodes, for refine.
func (s *surroundings) adjacent(dst []int32, node int32) []int32 {
	x := int(node)
	if s.proposal == Neighbour {
		for d := range s.space.Directions() {
			if y, inside := s.space.Neighbour(x, d); inside {
				dst = append(dst, int32(y))
			}
		}
		return dst
	}
	if s.binary() {
		for _, stride := range s.pairs {
			dst = append(dst, node^stride)
		}
		return dst
	}
	l := s.lattice
	if x >= l.States() {
		return s.onLine(dst, x)
	}
	for k := range l.Dims() {
		side := l.Side(k)
		stride := l.Stride(k)
		switch at := l.Coord(x, k); {
		case side == 2:
			dst = append(dst, int32(x+stride*(1-2*at)))
		case side > 2:
			dst = append(dst, int32(s.before[k]+x/(side*stride)*stride+x%stride))
		}
	}
	return dst
}

// onLine appends the states on a line.
func (s *surroundings) onLine(dst []int32, node int) []int32 {
	k := 0
	for s.before[k+1] <= node {
		k++
	}
	side := s.lattice.Side(k)
	stride := s.lattice.Stride(k)
	line := node - s.before[k]
	x := line/stride*(side*stride) + line%stride
	for range side {
		dst = append(dst, int32(x))
		x += stride
	}
	return dst
}

// appendProposals appends the proposals of a state, given the class of every state, in an order
// that depends only on these.
func (s *surroundings) appendProposals(dst []stored, class []int32, x int) []stored {
	switch {
	case s.proposal == Neighbour:
		return s.neighbours(dst, class, x)
	case s.binary():
		return s.turns(dst, class, x)
	}
	return append(dst, s.lineMoves(class, x)...)
}

// neighbours appends one move for each class that a state proposes.
func (s *surroundings) neighbours(dst []stored, class []int32, x int) []stored {
	var few [16]int32
	to := few[:0]
	directions := s.space.Directions()
	for d := range directions {
		if y, inside := s.space.Neighbour(x, d); inside {
			to = append(to, class[y])
		} else {
			to = append(to, class[x])
		}
	}
	slices.Sort(to)
	for n := 0; len(to) > 0; to = to[n:] {
		n = runLength(to)
		dst = append(dst, stored{to: to[0], share: float64(n) / float64(directions)})
	}
	return dst
}

// turns is values for axes of at most two values.
func (s *surroundings) turns(dst []stored, class []int32, x int) []stored {
	var some [2 * maxBits]int32
	to := some[:0]
	d := s.lattice.Dims()
	for _, stride := range s.pairs {
		to = append(to, class[x^int(stride)])
	}
	line := int32(0)
	if idle := d - len(to); idle > 0 { // axes of one value
		dst = append(dst, stored{to: class[x], share: float64(idle) / float64(d)})
		line++
	}
	return appendLines(dst, to, line, d)
}

// runLength returns how often the first number of a list stands at its beginning.
func runLength(list []int32) (n int) {
	for n < len(list) && list[n] == list[0] {
		n++
	}
	return n
}

// appendLines appends a move to each class of a list, which it sorts, from a first line on. The
// list has a class once for each of the axes that leads there.
func appendLines(moves []stored, to []int32, line int32, axes int) []stored {
	slices.Sort(to)
	for n := 0; len(to) > 0; to = to[n:] {
		n = runLength(to)
		moves = append(moves, stored{to: to[0], line: line, count: 1, share: float64(n) / float64(axes)})
		line++
	}
	return moves
}

// lineMoves returns the moves of the lines through a state. Lines with the same classes are merged.
func (s *surroundings) lineMoves(class []int32, x int) []stored {
	l := s.lattice
	lines := make([][]int32, l.Dims()) // of each axis the classes of the other states of the line, in order
	for k := range lines {
		side := l.Side(k)
		stride := l.Stride(k)
		at := l.Coord(x, k)
		lines[k] = make([]int32, 0, side-1)
		for v := range side {
			if v != at {
				lines[k] = append(lines[k], class[x+stride*(v-at)])
			}
		}
		slices.Sort(lines[k])
	}
	slices.SortFunc(lines, slices.Compare[[]int32])
	var moves []stored
	number := int32(0)
	for i := 0; i < len(lines); {
		same := i + 1
		for same < len(lines) && slices.Equal(lines[same], lines[i]) {
			same++
		}
		moves = appendLine(moves, lines[i], number, float64(same-i)/float64(len(lines)), class[x])
		i = same
		number += 1
	}
	return moves
}

// appendLine appends the moves of lines that have the same classes. They are drawn with the given
// probability.
func appendLine(moves []stored, others []int32, number int32, drawn float64, own int32) []stored {
	if len(others) == 0 {
		return append(moves, stored{to: own, line: number, share: drawn})
	}
	all := len(others)
	for n := 0; len(others) > 0; others = others[n:] {
		n = runLength(others)
		moves = append(moves,
			stored{to: others[0], line: number, count: int32(n), share: drawn * float64(n) / float64(all)})
	}
	return moves
}

// Colours numbers the states such that two states have the same colour if and only if all keys
// agree. Each key has a value for each state, never NaN.
func Colours(keys ...[]float64) []int32 {
	type pair struct {
		colour int32
		value  float64
	}
	colours := make([]int32, len(keys[0]))
	for _, key := range keys {
		numbers := map[pair]int32{}
		for x, v := range key {
			at := pair{colours[x], v}
			number, known := numbers[at]
			if !known {
				number = int32(len(numbers))
				numbers[at] = number
			}
			colours[x] = number
		}
	}
	return colours
}

// Rounded returns the values with close ones made equal: in ascending order, a value within a
// tolerance of the first of its group is replaced by that one. It also returns the largest change
// of a value.
func Rounded(values []float64, tolerance float64) (rounded []float64, most float64) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	rounded = slices.Clone(values)
	first := math.Inf(-1)
	for _, i := range order {
		if v := values[i]; v-first <= tolerance {
			rounded[i], most = first, max(most, v-first)
		} else {
			first = v
		}
	}
	return rounded, most
}
