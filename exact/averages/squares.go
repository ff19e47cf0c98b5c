package averages

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/exact/internal/powers"
)

// squares are the powers T, T^2, T^4, ... of a transition matrix, each made from the one before when it is first asked for.
type squares struct {
	kept []*powers.Matrix
	most int // how many may be kept
}

// squares returns the squares of the chain's transition matrix, for what is to be computed. It fails where there are too many states.
func (c *Chain) squares(what string) (*squares, error) {
	n := float64(c.States())
	if n > MaxPowerStates {
		return nil, fmt.Errorf("%s needs powers of a matrix of %d states, of %.2g GB each; these are made for at most %d states; take a smaller target, or ask for burn-in from a start that the chain forgets in fewer moves",
			what, c.States(), 8*n*n/1e9, MaxPowerStates)
	}
	return &squares{[]*powers.Matrix{powers.New(c.Rows)}, int(min(maxDoublings, maxSquaresBytes/(8*n*n)))}, nil
}

// at returns T^(2^j), and nil where that is one too many.
func (s *squares) at(ctx context.Context, j int) (*powers.Matrix, error) {
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
func (s *squares) identity() *powers.Matrix {
	m := s.kept[0].Empty()
	for x := range m.N {
		m.Row(x)[x] = 1
	}
	return m
}

// each calls do with the squares whose product is T^k, the least one first.
func (s *squares) each(ctx context.Context, k int64, do func(*powers.Matrix) error) error {
	if k < 0 {
		return fmt.Errorf("%d moves; give a number from 0 on", k)
	}
	for j := 0; k>>j > 0; j++ {
		if k>>j&1 == 0 {
			continue
		}
		square, err := s.at(ctx, j)
		if err != nil {
			return err
		}
		if square == nil {
			return fmt.Errorf("%d moves need %d powers of the transition matrix, and memory is taken for %d; ask for fewer moves, or take a smaller target", k, j+1, s.most)
		}
		if err := do(square); err != nil {
			return err
		}
	}
	return nil
}

// power returns T^k, which the caller may not change.
func (s *squares) power(ctx context.Context, k int64) (*powers.Matrix, error) {
	at := s.identity()
	first := true
	err := s.each(ctx, k, func(square *powers.Matrix) error {
		if first {
			at, first = square, false
			return nil
		}
		next := at.Empty()
		err := next.Multiply(ctx, at, square)
		at = next
		return err
	})
	return at, err
}

// unchanged reports whether squaring changes no entry any more. A chain that is still to leave a set of states has small entries that
// double with every squaring.
func unchanged(m, next *powers.Matrix) bool {
	for i, v := range m.V {
		if math.Abs(next.V[i]-v) > 1e-9*v {
			return false
		}
	}
	return true
}

// push returns the law k moves after the given one.
func (s *squares) push(ctx context.Context, law []float64, k int64) ([]float64, error) {
	at, next := slices.Clone(law), make([]float64, len(law))
	err := s.each(ctx, k, func(square *powers.Matrix) error {
		square.Push(next, at)
		at, next = next, at
		return nil
	})
	return at, err
}
