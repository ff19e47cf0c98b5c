package averages

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/powers"
)

// meanSquare is the system of E[S | x_1] and half of E[S^2 | x_1] for S the sum of h.
type meanSquare struct {
	chain    *Chain
	values   []float64    // h
	at, next [][2]float64 // by state; at is phi plus means
	means    [2]float64
	square   number.SizedSum // half of E[S^2] from the target
	known    float64         // half of the mean of h^2 under the target
}

func newMeanSquare(c *Chain, f *Function) *meanSquare {
	n := c.States()
	return &meanSquare{chain: c, values: f.Values, at: make([][2]float64, n), next: make([][2]float64, n), known: 0.5}
}

func (s *meanSquare) lanes() int { return 2 }

func (s *meanSquare) step() {
	p, rows, at, next := s.chain.Target, s.chain.Rows, s.at, s.next
	m0, m1 := s.means[0], s.means[1]
	var rise number.Sum
	for low := 0; low < len(p); low += chunk {
		plain := 0.0
		for x := low; x < min(low+chunk, len(p)); x++ {
			t0, t1 := gather2(rows.Row(x), at)
			t0, t1 = t0-m0, t1-m1
			h := s.values[x]
			v := float64(h * t0)
			next[x] = [2]float64{t0 + h, t1 + v + float64(h*h)*0.5}
			if p[x] > 0 {
				plain += float64(p[x] * v)
			}
		}
		rise.Add(plain)
	}
	s.square.Add(s.known, 1)
	s.square.Add(rise.Value(), 1)
	s.means = [2]float64{0, s.known + rise.Value()} // the mean of h is zero
	s.at, s.next = next, at
}

func (s *meanSquare) centre() {
	var sums [2]number.BlockSum
	for x, p := range s.chain.Target {
		if p > 0 {
			sums[0].Add(p * s.at[x][0])
			sums[1].Add(p * s.at[x][1])
		}
	}
	s.means = [2]float64{sums[0].Value(), sums[1].Value()}
}

func (s *meanSquare) tau(n int64) float64 { return 2 * s.square.Value() / float64(n) }

func (s *meanSquare) read(from deviation, r *reading) {
	r.mean = from.part(part{}, s.means[0], func(x int) float64 { return s.at[x][0] })
	r.meanSquare = from.part(sized(&s.square), s.means[1], func(x int) float64 { return s.at[x][1] }).times(2)
}

// gather2 returns the means of two functions under a row.
func gather2(row []chains.Entry, at [][2]float64) (a, b float64) {
	for _, e := range row {
		v := &at[e.To]
		a += float64(e.P * v[0])
		b += float64(e.P * v[1])
	}
	return a, b
}

// gather8 returns the means of eight functions under a row.
func gather8(row []chains.Entry, at [][8]float64) (a, b, c, d, e, f, g, h float64) {
	for i := range row {
		p, v := row[i].P, &at[row[i].To]
		a += float64(p * v[0])
		b += float64(p * v[1])
		c += float64(p * v[2])
		d += float64(p * v[3])
		e += float64(p * v[4])
		f += float64(p * v[5])
		g += float64(p * v[6])
		h += float64(p * v[7])
	}
	return a, b, c, d, e, f, g, h
}

// lanes8 are eight functions of the state, each of which is at less its mean.
type lanes8 struct {
	at, next [][8]float64
	means    [8]float64
}

func newLanes8(states int) lanes8 {
	return lanes8{at: make([][8]float64, states), next: make([][8]float64, states)}
}

// centreUnder finds the means under the target anew.
func (l *lanes8) centreUnder(target []float64) {
	var sums [8]number.BlockSum
	for x, p := range target {
		if p > 0 {
			for k := range sums {
				sums[k].Add(p * l.at[x][k])
			}
		}
	}
	for k := range sums {
		l.means[k] = sums[k].Value()
	}
}

// part returns the mean of function k from a start, where its mean under the target is c.
func (l *lanes8) part(from deviation, k int, c part) part {
	return from.part(c, l.means[k], func(x int) float64 { return l.at[x][k] })
}

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
