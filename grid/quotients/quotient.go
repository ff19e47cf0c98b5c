// Package quotients represents spaces that are too large to be listed by classes of states. If a
// target and a kernel treat all states of a class alike, the classes form a Markov chain too, and
// results that are exact on the classes are exact on the space. For example, 2^1000 states of spins
// are 1,001 classes if only the number of up spins matters. Some quotients have a formula: spins by
// their counts, values by how often each occurs, permutations by their cycles. Others are computed
// from the states, by refinement or as orbits of symmetries. The package has no targets, and does
// not accept or reject proposals.
//
// Source: Kemeny and Snell 1960, section 6.3 (lumpability).
package quotients

import (
	"math"
	"math/big"

	"breadboard/chains/errs"
	"breadboard/grid"
)

// maxClasses is the largest number of classes of a quotient.
const maxClasses = 1_000_000

// Quotient is a space whose states are classes of the states of a larger space, such that every
// state of a class proposes each class with the same probability.
//
// As a Graph it is a set of classes without edges: its one direction leads nowhere. A kernel that
// proposed a neighbouring class and compared the values of the target would not move as on the
// larger space, because proposals between classes are not symmetric. Kernels use Moves instead.
// Acceptance compares single members: f of a member is f of the class divided by its number of
// members.
//
// A Quotient is immutable, and its methods may be called from several goroutines at once.
type Quotient interface {
	grid.Graph
	// LogMembers returns the logarithm of the number of members of each class, which must not be
	// changed.
	LogMembers() []float64
	// Members returns the number of members of class x. It may take long if the number has millions
	// of digits.
	Members(x int) *big.Int
	// Proposes returns an error with advice if such proposals are not possible on the larger space,
	// or if its classes do not lump under them.
	Proposes(p Proposal) error
	// AppendMoves appends the moves that a member of class x proposes, whose shares sum to one.
	// The moves of one line are next to each other. It panics if Proposes fails.
	AppendMoves(dst []Move, x int, p Proposal) []Move
}

// Counted is a Quotient whose shares are known exactly.
type Counted interface {
	Quotient
	// Proposals returns how many proposals a member of a class makes, all with the same
	// probability: every share is a multiple of its reciprocal, apart from rounding. It panics if
	// Proposes fails.
	Proposals(p Proposal) int
}

// Proposal is a way in which a state of the larger space proposes another one.
type Proposal int

const (
	// Neighbour is one of the directions of the graph, each with the same probability, as
	// metropolis and barker propose it.
	Neighbour Proposal = iota
	// Value is another value of a random axis, as flip proposes it. Each axis is a line of states,
	// on which heatbath draws.
	Value
)

// Move is a proposal of a member x of a class.
type Move struct {
	To int // the class of the proposed states; it may be the class of x itself
	// Line numbers the lines of x, from 0. All moves of a line, and x itself, are the states of one
	// line through x, or of several such lines that have the same classes. It is 0 for neighbours.
	Line int
	// Count is the number of states of class To on one such line, x itself left out, so that heat
	// bath draws class To with probability Count f(To) / (f(x) + sum of Count f over the line). It
	// is 0 for neighbours, and for proposals that lead nowhere.
	Count int
	// Share is the probability that this line, and a state of class To on it, is proposed.
	// Proposals that lead nowhere are a move to the class of x.
	Share float64
}

// noEdges makes a Quotient a Graph without edges.
type noEdges struct{}

// Directions returns 1, the least that a Graph may have.
func (noEdges) Directions() int { return 1 }

// Neighbour returns false.
func (noEdges) Neighbour(_, _ int) (int, bool) { return 0, false }

// fits returns an error if a quotient would have too many classes. The number is a float because it
// may exceed an int.
func fits(what string, classes float64) error {
	if classes > maxClasses {
		return errs.New("quotients: %s are %.6g classes or more; the limit is %d",
			what, math.Round(classes), maxClasses)
	}
	return nil
}

// factorials are the logarithms of 0!, 1!, ..., n!, each as an unevaluated sum of two numbers. A
// ratio of factorials is of the order of n while their logarithms are of the order of n log n, so
// that one number would lose digits.
type factorials struct{ high, low []float64 }

func newFactorials(n int) factorials {
	f := factorials{make([]float64, n+1), make([]float64, n+1)}
	for i := 1; i <= n; i++ {
		sum, rest := twoSum(f.high[i-1], math.Log(float64(i)))
		f.high[i], f.low[i] = twoSum(sum, rest+f.low[i-1])
	}
	return f
}

// multinomial returns log n!/(k_1! k_2! ...), where n is the sum of the counts.
func (f factorials) multinomial(counts ...int) float64 {
	n := 0
	for _, k := range counts {
		n += k
	}
	high := f.high[n]
	low := f.low[n]
	for _, k := range counts {
		rest := 0.0
		high, rest = twoSum(high, -f.high[k])
		low += rest - f.low[k]
	}
	return high + low
}

// twoSum returns the rounded sum of two numbers, and its rounding error. Source: Knuth 1969,
// section 4.2.2.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	part := sum - a
	return sum, (a - (sum - part)) + (b - part)
}

// multinomial returns n!/(k_1! k_2! ...), where n is the sum of the counts.
func multinomial(counts ...int) *big.Int {
	product := big.NewInt(1)
	factor := new(big.Int)
	n := 0
	for _, k := range counts {
		n += k
		product.Mul(product, factor.Binomial(int64(n), int64(k)))
	}
	return product
}

// logOf returns the logarithm of a positive number of any size.
func logOf(n *big.Int) float64 {
	const exact = 53 // bits of a float64
	over := max(0, n.BitLen()-exact-11)
	mantissa, _ := new(big.Int).Rsh(n, uint(over)).Float64()
	return math.Log(mantissa) + float64(over)*math.Ln2
}
