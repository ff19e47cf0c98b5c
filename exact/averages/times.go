package averages

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Time is how many moves a chain needs to forget where it began.
type Time struct {
	// Moves is the least number of moves, a whole number. It is +Inf where no number is enough, and NaN where it could not be told; Note
	// says why.
	Moves float64
	// Error is about how far rounding may have put it off, in moves. Well below a half, all digits are right; it is zero for no move.
	Error float64
	Note  string // what a reader must know about Moves; empty where there is nothing
}

const (
	// MaxPowerStates is the largest number of states for which powers of the full transition matrix are made.
	MaxPowerStates = 1024
	// maxSquaresBytes is the most memory that the squares of a transition matrix take, two gigabytes.
	maxSquaresBytes = 2 << 30
	// maxDoublings is how often a number of moves is doubled at most.
	maxDoublings = 1000
)

// MixingTime returns the least k with I(x_k; x_0) <= bound nats, where x_0 has the law of the target and x_k is k moves later. The mutual
// information is sum_x p(x) KL(T^k(x,.) || p) and never grows with k. It fails for a bound that is not positive and for more states than
// MaxPowerStates. Time is O(states^3 log k), and memory O(states^2 log k).
//
// Source: Turner and Neal 2017, section 4.4.
func (c *Chain) MixingTime(ctx context.Context, bound float64) (Time, error) {
	squares, err := c.squares("the mixing time")
	if err != nil {
		return Time{}, err
	}
	if !(bound > 0) {
		return Time{}, fmt.Errorf("the bound of the mutual information is %v nats; give one above zero", bound)
	}
	limit, err := c.remembered(ctx)
	if err != nil {
		return Time{}, err
	}
	noise := func(v float64) float64 { return v + math.Sqrt(2*v) } // sum p q |log q/p| is at most this, with Pinsker's inequality
	s := search{chain: c, what: "the mutual information", bound: bound, noise: noise, never: limit.String()}
	return s.double(ctx, squares, &transitions{c, limit.information(), squares.identity(), squares.identity()})
}

// BurnIn returns the least k for which the total variation distance between the target and the law after k moves from a start is at most
// the bound, which is from 0 to 1, both excluded. The distance never grows with k. BurnIn pushes the law from move to move while that is
// cheap, and beyond that takes powers of the transition matrix, in O(states^3 log k) and with O(states^2 log k) of memory. For more states
// than MaxPowerStates it fails where the moves would take longer than some minutes.
//
// Source: Turner and Neal 2017, section 4.4.
func (c *Chain) BurnIn(ctx context.Context, start []float64, bound float64) (Time, error) {
	if err := c.CheckLaw(start); err != nil {
		return Time{}, fmt.Errorf("start: %w", err)
	}
	if !(bound > 0 && bound < 1) {
		return Time{}, fmt.Errorf("the bound of the total variation distance is %v; give one between 0 and 1", bound)
	}
	limit, err := c.remembered(ctx)
	if err != nil {
		return Time{}, err
	}
	noise := func(v float64) float64 { return v + 0.5 } // half of sum q
	s := search{chain: c, what: "the distance", bound: bound, noise: noise, never: limit.String()}
	if low := limit.distance(start); low > bound {
		return s.nothing(low), nil
	}
	t, found, err := s.push(ctx, start)
	if found || err != nil {
		return t, err
	}
	squares, err := c.squares("the burn-in")
	if err != nil {
		return Time{}, err
	}
	return s.double(ctx, squares, &startLaw{c, limit, start, slices.Clone(start), make([]float64, len(start))})
}

// MI returns the mutual information of x_0 and x_k, in nats, for each of some numbers of moves k, as MixingTime has it. It fails for more
// states than MaxPowerStates. Powers of two need no more than the squares of the transition matrix; another k takes a product for each of
// its binary digits.
func (c *Chain) MI(ctx context.Context, ks []int64) ([]float64, error) {
	squares, err := c.squares("the mutual information")
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(ks))
	for i, k := range ks {
		at, err := squares.power(ctx, k)
		if err != nil {
			return nil, err
		}
		out[i] = c.information(at)
	}
	return out, nil
}

// TV returns the total variation distance between the target and the law after k moves from a start, for each of some numbers of moves k,
// as BurnIn has it. For more states than MaxPowerStates it fails where the moves would take longer than some minutes.
func (c *Chain) TV(ctx context.Context, start []float64, ks []int64) ([]float64, error) {
	if err := c.CheckLaw(start); err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	out := make([]float64, len(ks))
	order := make([]int, len(ks))
	for i, k := range ks {
		if order[i] = i; k < 0 {
			return nil, fmt.Errorf("%d moves; give a number from 0 on", k)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ks[a], ks[b]) })
	if len(ks) == 0 || float64(ks[order[len(order)-1]]) <= c.mostPushed() {
		return out, c.pushAlong(ctx, start, ks, order, out)
	}
	squares, err := c.squares("the distance after so many moves")
	if err != nil {
		return nil, err
	}
	for i, k := range ks {
		at, err := squares.push(ctx, start, k)
		if err != nil {
			return nil, err
		}
		out[i] = c.distance(at)
	}
	return out, nil
}

// pushAlong writes the distances after ks moves into out, given the order of the ks.
func (c *Chain) pushAlong(ctx context.Context, law []float64, ks []int64, order []int, out []float64) error {
	made := int64(0)
	for _, i := range order {
		var err error
		if law, err = c.After(ctx, law, int(ks[i]-made)); err != nil {
			return err
		}
		made, out[i] = ks[i], c.distance(law)
	}
	return nil
}
