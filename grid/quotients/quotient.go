package quotients

import (
	"fmt"
	"math"
	"math/big"

	"breadboard/grid"
)

// MaxClasses is the largest number of classes of a quotient.
const MaxClasses = 1_000_000

// Quotient is a space whose states are classes of the states of a larger space, such that every state of a class proposes
// each class with the same probability.
//
// To whoever asks for a Graph it is a set of classes without edges: its one direction leads nowhere. A kernel that proposes a
// neighbour and compares the values of the target would not move as the larger space does, because a class proposes another
// one more often than it is proposed by it. Kernels take Moves, and acceptance compares single members, whose f is that of
// the class divided by its number of members.
//
// A Quotient is immutable, and its methods may be called from several goroutines at once.
type Quotient interface {
	grid.Graph
	// LogMembers returns the logarithm of the number of members of each class, which must not be changed.
	LogMembers() []float64
	// Members returns the number of members of class x. It may take long where that has millions of digits.
	Members(x int) *big.Int
	// Proposes returns an error that names the cure where such proposals are not made on the larger space, or where its classes
	// do not lump under them.
	Proposes(p Proposal) error
	// AppendMoves appends the moves that a member of class x proposes, whose shares sum to one. Those of one line stand next to each other. It
	// panics where Proposes fails.
	AppendMoves(dst []Move, x int, p Proposal) []Move
}

// Counted is a Quotient whose shares are known exactly.
type Counted interface {
	Quotient
	// Proposals returns how many proposals a member of a class makes, all with the same probability: every share is a multiple of one over it,
	// apart from rounding. It panics where Proposes fails.
	Proposals(p Proposal) int
}

// Proposal is a way in which a state of the larger space proposes another one.
type Proposal int

const (
	// Neighbour is one of the directions of the graph, each with the same probability: what metropolis and barker propose.
	Neighbour Proposal = iota
	// Value is another value of an axis that is chosen at random: what flip proposes. Each axis is a line of states, on which heatbath
	// draws.
	Value
)

// Move is what one member x of a class proposes.
type Move struct {
	To int // the class of the proposed states; it may be the class of x itself
	// Line numbers the lines of x, from 0. All moves of a line, and x itself, are the states of one line through x, or of several
	// such lines that have the same classes. It is 0 for neighbours.
	Line int
	// Count is the number of states of class To on one such line, x itself left out, so that heat bath draws class To with probability
	// Count f(To) / (f(x) + sum of Count f over the line). It is 0 for neighbours, and for proposals that lead nowhere.
	Count int
	// Share is the probability that the line and on it a state of the class To is proposed. Proposals that lead nowhere are a
	// move to the class of x.
	Share float64
}

// noEdges makes a Quotient a Graph without edges.
type noEdges struct{}

// Directions returns 1, the least that a Graph may have.
func (noEdges) Directions() int { return 1 }

// Neighbour returns false.
func (noEdges) Neighbour(_, _ int) (int, bool) { return 0, false }

// fits returns an error where a quotient would have too many classes. The number is a float because it may exceed an int.
func fits(what string, classes float64) error {
	if classes > MaxClasses {
		return fmt.Errorf("quotients: %s are %.6g classes or more; the limit is %d", what, math.Round(classes), MaxClasses)
	}
	return nil
}
