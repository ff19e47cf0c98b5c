package averages

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/linear"
)

// forgetting is the position of a search: a number of moves from a start, with a value that
// measures the remaining dependence on the start.
//
// The values are, for the power n of the transition matrix T,
//
//	information: sum over x of p(x) KL(T^n(x,.)||p), of transitions;
//
//	distance: 1/2 sum over y of |q T^n(y) - p(y)|, of a start q.
//
// Both fall with n, so that the first n below a limit is found by squaring T until the value is
// below it, and back by halves: O(log n) products of matrices, or of a vector with one.
type forgetting interface {
	// start returns the value before any move.
	start() float64
	// after returns the value after the moves of a power of the transition matrix, and a lower
	// bound for all later values.
	after(square *linear.Stochastic) (v, limit float64)
	// outside returns the mass after these moves at states where the target is zero.
	outside() float64
	// setSquare sets the position to the start after the moves of a power.
	setSquare(square *linear.Stochastic)
	// further returns the value a number of moves after the position.
	further(ctx context.Context, square *linear.Stochastic) (float64, error)
	// accept makes that the position.
	accept()
}

// transitions is a power of the transition matrix, whose value is the mutual information of the
// states before and after.
type transitions struct {
	chain    *Chain
	limit    float64
	at, next *linear.Stochastic
}

func (t *transitions) start() float64 { return t.chain.information(t.at) } // at is the power zero

func (t *transitions) after(square *linear.Stochastic) (v, limit float64) {
	return t.chain.information(square), t.limit
}

func (t *transitions) outside() float64 { return 0 }

func (t *transitions) setSquare(square *linear.Stochastic) { copy(t.at.V, square.V) }

func (t *transitions) further(ctx context.Context, square *linear.Stochastic) (float64, error) {
	if err := t.next.Multiply(ctx, t.at, square); err != nil {
		return 0, err
	}
	return t.chain.information(t.next), nil
}

func (t *transitions) accept() { t.at, t.next = t.next, t.at }

// startLaw is the distribution of a start after some moves, whose value is its total variation
// distance from the target.
type startLaw struct {
	chain           *Chain
	limit           memory
	first, at, next []float64
}

func (l *startLaw) start() float64 { return l.chain.distance(l.first) }

func (l *startLaw) after(square *linear.Stochastic) (v, limit float64) {
	square.Push(l.next, l.first)
	return l.chain.distance(l.next), l.limit.distance(l.next)
}

func (l *startLaw) outside() float64 {
	sum := 0.0
	for x, q := range l.next {
		if l.limit.setOf[x] < 0 {
			sum += q
		}
	}
	return sum
}

func (l *startLaw) setSquare(square *linear.Stochastic) { square.Push(l.at, l.first) }

func (l *startLaw) further(_ context.Context, square *linear.Stochastic) (float64, error) {
	square.Push(l.next, l.at)
	return l.chain.distance(l.next), nil
}

func (l *startLaw) accept() { l.at, l.next = l.next, l.at }

// information returns the mutual information of a state of the target's distribution and its
// successor by m: sum_x p(x) KL(m(x,.) || p).
func (c *Chain) information(m *linear.Stochastic) float64 {
	sum := 0.0
	for x, p := range c.Target {
		if p == 0 {
			continue
		}
		row := 0.0
		for y, q := range m.Row(x) {
			if c.Target[y] > 0 { // the chain has no mass elsewhere, apart from what underflow leaves out
				row += divergence(q, c.Target[y])
			}
		}
		sum += p * row
	}
	return sum
}

// divergence returns q log(q/p) - q + p, the part of a state in KL(q || p), which is never below
// zero.
func divergence(q, p float64) float64 {
	u := (q - p) / p
	switch {
	case q == 0:
		return p
	case math.IsInf(u, 1): // p is so small that the ratio overflows
		return q*(number.Log(q)-number.Log(p)) - q + p
	case math.Abs(u) < 1e-2:
		// The series of (1 + u) log(1 + u) - u is the sum over k >= 2 of (-u)^k / (k (k - 1)).
		sum := 0.0
		for _, c := range [...]float64{1. / 56, 1. / 42, 1. / 30, 1. / 20, 1. / 12, 1. / 6, 1. / 2} {
			sum = c - u*sum
		}
		return p * u * u * sum
	case math.Abs(u) < 0.5:
		return p * ((1+u)*math.Log1p(u) - u)
	}
	return q*number.LogRatio(q, p) - q + p
}

// distance returns the total variation distance of a distribution from the target.
func (c *Chain) distance(law []float64) float64 {
	sum := 0.0
	for x, p := range c.Target {
		sum += math.Abs(law[x] - p)
	}
	return sum / 2
}

// memory is the part of the start that a chain never forgets: the set that it is in, among the sets
// of kernel.Diagnosis.Cycles.
type memory struct {
	setOf   []int     // the set of each state; -1 for states of probability zero
	masses  []float64 // the probability of each set under the target
	classes int
}

// remembered returns the memory of the chain. Time is O(entries).
func (c *Chain) remembered(ctx context.Context) (memory, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	d, err := c.diagnosed(ctx)
	if err != nil {
		return memory{}, err
	}
	setOf, sets, err := d.Cycles(ctx)
	if err != nil {
		return memory{}, err
	}
	return memory{setOf, massesOf(setOf, sets, c.Target), d.Classes}, nil
}

func massesOf(setOf []int, sets int, law []float64) []float64 {
	masses := make([]float64, sets)
	for x, q := range law {
		if setOf[x] >= 0 {
			masses[setOf[x]] += q
		}
	}
	return masses
}

// information returns the limit of the mutual information, the entropy of the set.
func (m memory) information() float64 {
	if len(m.masses) == 1 {
		return 0
	}
	sum := 0.0
	for _, p := range m.masses {
		if p > 0 {
			sum -= p * number.Log(p)
		}
	}
	return sum
}

// distance returns a lower bound on the total variation distance from a distribution at all later
// times: the excess mass of the sets. Sets of one class have the same probability, so that it does
// not matter which of them a chain is in. Mass outside of all sets may still move to any.
func (m memory) distance(law []float64) float64 {
	if len(m.masses) == 1 {
		return 0
	}
	sum := 0.0
	for i, q := range massesOf(m.setOf, len(m.masses), law) {
		sum += max(0, q-m.masses[i])
	}
	return sum
}

// String says what the chain remembers.
func (m memory) String() string {
	var why []string
	if m.classes > 1 {
		why = append(why, fmt.Sprintf("the states are in %d classes, and the chain never leaves the one where it began",
			m.classes))
	}
	if len(m.masses) > m.classes {
		why = append(why,
			fmt.Sprintf("the chain is periodic and goes through %d sets of states in turn", len(m.masses)))
	}
	return strings.Join(why, ", and ")
}

// squares are the powers T, T^2, T^4, ... of a transition matrix, each computed from the one before
// on demand.
type squares struct {
	kept []*linear.Stochastic
	most int // how many may be kept
}

// squares returns the squares of the chain's transition matrix. It fails if there are too many
// states; what names the computation for the error.
func (c *Chain) squares(what string) (*squares, error) {
	n := float64(c.States())
	if n > maxPowerStates {
		return nil,
			errs.New("%s needs powers of a matrix of %d states, of %s each; these are made for at most %d "+
				"states; take a smaller target, or ask for burn-in from a start that the chain "+
				"forgets in fewer moves",
				what, c.States(), errs.Memory(8*n*n), maxPowerStates)
	}
	return &squares{[]*linear.Stochastic{linear.NewStochastic(c.Rows.States(), c.Rows.Row)},
		int(min(maxDoublings, maxSquaresBytes/(8*n*n)))}, nil
}

// squaredMatrix returns T^(2^j), and nil if that is one square too many.
func (s *squares) squaredMatrix(ctx context.Context, j int) (*linear.Stochastic, error) {
	for len(s.kept) <= j {
		if len(s.kept) == s.most {
			return nil, nil
		}
		last := s.kept[len(s.kept)-1]
		next := last.Empty()
		if err := next.Multiply(ctx, last, last); err != nil {
			return nil, err
		}
		s.kept = append(s.kept, next)
	}
	return s.kept[j], nil
}

// identity returns the power zero of the matrix.
func (s *squares) identity() *linear.Stochastic {
	m := s.kept[0].Empty()
	for x := range m.N {
		m.Row(x)[x] = 1
	}
	return m
}

// eachSquare calls do with the squares whose product is T^k, the least one first.
func (s *squares) eachSquare(ctx context.Context, k int64, do func(*linear.Stochastic) error) error {
	if k < 0 {
		return errs.New("%d moves; give a number from 0 on", k)
	}
	for j := 0; k>>j > 0; j++ {
		if k>>j&1 == 0 {
			continue
		}
		square, err := s.squaredMatrix(ctx, j)
		if err != nil {
			return err
		}
		if square == nil {
			return errs.New("%d moves need %d powers of the transition matrix, and memory is taken for %d; ask for "+
				"fewer moves, or take a smaller target", k,
				j+1, s.most)
		}
		if err := do(square); err != nil {
			return err
		}
	}
	return nil
}

// power returns T^k, which the caller may not change.
func (s *squares) power(ctx context.Context, k int64) (*linear.Stochastic, error) {
	at := s.identity()
	first := true
	err := s.eachSquare(ctx, k, func(square *linear.Stochastic) error {
		if first {
			at = square
			first = false
			return nil
		}
		next := at.Empty()
		err := next.Multiply(ctx, at, square)
		at = next
		return err
	})
	return at, err
}

// unchanged reports whether squaring no longer changes any entry. A chain that has not yet left a
// set of states has small entries that double with every squaring.
func unchanged(m, next *linear.Stochastic) bool {
	for i, v := range m.V {
		if math.Abs(next.V[i]-v) > 1e-9*v {
			return false
		}
	}
	return true
}

// lawAfter returns the distribution k moves after the given one.
func (s *squares) lawAfter(ctx context.Context, law []float64, k int64) ([]float64, error) {
	at := slices.Clone(law)
	next := make([]float64, len(law))
	err := s.eachSquare(ctx, k, func(square *linear.Stochastic) error {
		square.Push(next, at)
		at, next = next, at
		return nil
	})
	return at, err
}
