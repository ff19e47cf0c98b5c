package averages

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// Chain is a Markov chain that leaves a target invariant: its transition matrix and the target. It may be used by several goroutines at
// once.
type Chain struct {
	Target []float64    // the probability p(x) of each state, which sum to one
	LogF   []float64    // log f of each state, as it was given
	Rows   *kernel.Rows // the transition matrix; do not change it

	lock       sync.Mutex
	diagnosis  *kernel.Diagnosis // what variances are solved with, once one was asked for
	reversible *bool             // whether the chain is reversible, once that was asked for
}

// New returns the chain of a kernel under logf. It fails where every state has probability zero, where the rows of the kernel cannot be
// found, and where they do not leave the target invariant, as kernel.Examine does. Time and memory are O(entries of the rows).
func New(ctx context.Context, k chains.Kernel, logf []float64) (*Chain, error) {
	rows, err := kernel.Examine(ctx, k, logf)
	if err != nil {
		return nil, err
	}
	if _, high := number.Bounds(logf); math.IsInf(high, -1) {
		return nil, errors.New("every state has probability zero; errors need a target")
	}
	c := &Chain{Target: append([]float64(nil), logf...), LogF: append([]float64(nil), logf...), Rows: rows}
	chains.Normalize(c.Target)
	return c, nil
}

// States returns the number of states.
func (c *Chain) States() int { return len(c.Target) }

// CheckLaw fails where a law has another number of states than the chain, a number that is no probability, a total that is not one, or no
// mass where the target has some.
func (c *Chain) CheckLaw(law []float64) error {
	if len(law) != c.States() {
		return fmt.Errorf("it has %d states and the target %d; give one probability for each state", len(law), c.States())
	}
	total, inside := 0.0, 0.0
	for x, q := range law {
		if !(q >= 0 && q <= 1+massTolerance) {
			return fmt.Errorf("state %d has probability %v; give numbers from 0 to 1", x, q)
		}
		total += q
		if !math.IsInf(c.LogF[x], -1) {
			inside += q
		}
	}
	if math.Abs(total-1) > massTolerance {
		return fmt.Errorf("the probabilities sum to %v, not to 1", total)
	}
	if inside == 0 {
		return fmt.Errorf("it has no mass where the target has some; start at a state of positive probability")
	}
	return nil
}

// massTolerance is how far the total of a law may be from one.
const massTolerance = 1e-12

// After returns the law after so many moves from the given one. Time is O(moves entries), or where that is less O(states^3 log moves) by
// powers of the transition matrix, which are made for at most MaxPowerStates states. It fails where the context ends.
func (c *Chain) After(ctx context.Context, law []float64, moves int) ([]float64, error) {
	n := float64(c.States())
	powers := float64(bits.Len64(uint64(moves))) * n * n * n
	if n <= MaxPowerStates && float64(moves)*float64(len(c.Rows.Entries)) > powers {
		return c.afterPowers(ctx, law, moves)
	}
	at, next := append([]float64(nil), law...), make([]float64, len(law))
	for t := range moves {
		if t%16 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.move(next, at)
		at, next = next, at
	}
	c.keepTotal(at, number.Total(law), moves)
	return at, nil
}

// afterPowers does what After does, by squares of the transition matrix.
func (c *Chain) afterPowers(ctx context.Context, law []float64, moves int) ([]float64, error) {
	s, err := c.squares("a law after many moves")
	if err != nil {
		return nil, err
	}
	at, err := s.push(ctx, law, int64(moves))
	if err != nil {
		return nil, err
	}
	c.keepTotal(at, number.Total(law), bits.Len64(uint64(moves)))
	return at, nil
}

// move writes the law after one move from a law into next.
func (c *Chain) move(next, law []float64) {
	clear(next)
	for x, q := range law {
		if q == 0 {
			continue
		}
		for _, e := range c.Rows.Row(x) {
			next[e.To] += q * e.P
		}
	}
}

// keepTotal scales a law after so many moves to the total that it began with. A move changes no total but by rounding, and rounding goes the
// same way at each move once the law has settled, so that it adds up: after 10,000 moves of a kernel with long rows the total can be off
// by 1e-12. The law is linear in its total, and scaled it has the digits that one move leaves it. Where the total is off by more than
// rounding explains, because the rows do not sum to one, the law stays as it is.
func (c *Chain) keepTotal(law []float64, before float64, moves int) {
	longest := 0
	for x := range law {
		longest = max(longest, len(c.Rows.Row(x)))
	}
	after := number.Total(law)
	if most := float64(moves) * float64(longest+2) * 2 * unit; math.Abs(after-before) > most*before {
		return
	}
	for x := range law {
		law[x] *= before / after
	}
}

// diagnosed returns the diagnosis, which it makes at the first call. The caller holds the lock.
func (c *Chain) diagnosed(ctx context.Context) (*kernel.Diagnosis, error) {
	if c.diagnosis == nil {
		d, err := kernel.ForVariances(ctx, c.Rows, c.LogF)
		if err != nil {
			return nil, err
		}
		c.diagnosis = d
	}
	return c.diagnosis, nil
}
