package meeting

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"breadboard/exact/averages"
)

// modes are vectors x of pairs with Q x = (1-gap) x + (I-Q) f, for a small f: |f| <= off V in each
// entry. They are the slowest modes of Q. A function is expanded in them after it has been moved so
// often that little else remains.
//
// # The error
//
// A vector v = sum of c x and of a rest r, |r| <= rest V, becomes Q^t v = sum of c (1-gap)^t x +
// Q^t r + sum over i < t of Q^(t-1-i) (I-Q) f c (1-gap)^i. Since (I-Q) V = 1, Q V <= s V with s = 1
// - 1/max V, so that |Q^t r| <= s^t rest V. And the sum over Q^(t-1-i) (I-Q) telescopes: it is no
// larger than c off V max(s, 1-gap)^(t-1) (2 + t gap). This holds however the modes were found, and
// whether or not there are others.
type modes struct {
	x        [][]float64
	gap, off []float64
	shrink   float64   // 1/max V
	moves    int64     // after which a function is written by them
	moved    []float64 // what V is then
}

const (
	// movesBeforeModes and movesBeforeSlowModes are numbers of moves after which a function is
	// written by modes; the second is for chains whose fast modes are slow.
	movesBeforeModes, movesBeforeSlowModes = 256, 2048
	// mostVectors is the number of vectors among which modes are found.
	mostVectors = 16
	// solvedRounding is about the relative error of a solution of numbers that are not negative.
	solvedRounding = 0x1p-48
)

// slowest returns the slowest modes of Q, for what has been moved so often, and nil if it has none
// that are known: they are found by the inverse of I - Q, from an elimination, and all pairs must
// meet after a mean time that float64 holds. Solutions are divided by the largest of these times.
//
// Source: Arnoldi 1951, with the inverse of I - Q as Ericsson and Ruhe 1980 have it.
func (s *Solved) slowest(ctx context.Context, moves int64) (*modes, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	e, is := s.systems.(*elimination)
	if s.modes != nil && s.modes.moves == moves || !is || len(s.V) == 0 ||
		!(slices.Max(s.V) < math.MaxFloat64) {
		return s.modes, nil
	}
	m := &modes{shrink: 1 / slices.Max(s.V), moves: moves, moved: s.V}
	for i := range moves {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.moved = s.pairs.pull(m.moved)
	}
	basis := []([]float64){s.scaled(m.moved)}
	h := mat.NewDense(mostVectors, mostVectors, nil)
	count := min(mostVectors, len(s.V))
	for k := range count {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next := e.solved(basis[k], m.shrink)
		size := 0.0
		for range 2 { // twice is enough to keep the vectors orthogonal
			for i, b := range basis {
				part := s.product(b, next)
				h.Set(i, k, h.At(i, k)+part)
				for at, v := range b {
					next[at] -= part * v
				}
			}
		}
		size = math.Sqrt(s.product(next, next))
		if !(size < math.Inf(1)) {
			return nil, nil // an eigenvalue solver would not end
		}
		if k+1 == count || size <= 1e-14*h.At(0, 0) {
			count = k + 1
			break
		}
		h.Set(k+1, k, size)
		basis = append(basis, s.scaled(next))
	}
	var eigen mat.Eigen
	if !eigen.Factorize(h.Slice(0, count, 0, count), mat.EigenRight) {
		return nil, nil
	}
	var vectors mat.CDense
	eigen.VectorsTo(&vectors)
	for k, value := range eigen.Values(nil) {
		if imag(value) == 0 && real(value) > m.shrink {
			x := make([]float64, len(s.V))
			for i, b := range basis {
				part := real(vectors.At(i, k))
				for at, v := range b {
					x[at] += part * v
				}
			}
			m.addVector(s, e, s.scaled(x))
		}
	}
	s.modes = m
	return m, nil
}

// addVector adds a vector, if it is so near to a mode that it is of use.
func (m *modes) addVector(s *Solved, e *elimination, x []float64) {
	up, down := make([]float64, len(x)), make([]float64, len(x))
	for at, v := range x {
		up[at], down[at] = max(0, v), max(0, -v)
	}
	// (I-Q)^-1 over max V, which float64 holds if max V is large
	up, down = e.solved(up, m.shrink), e.solved(down, m.shrink)
	solved := make([]float64, len(x))
	off := 0.0
	for at := range solved {
		solved[at] = up[at] - down[at]
	}
	value := s.product(solved, x) / s.product(x, x)
	for at, v := range solved {
		off = max(off, (math.Abs(v-value*x[at])+solvedRounding*(up[at]+down[at]))/s.V[at])
	}
	off /= value
	if value > m.shrink && off < 1e-6 {
		m.x, m.gap, m.off = append(m.x, x), append(m.gap, m.shrink/value), append(m.off, off)
	}
}

// product returns the inner product of two vectors, each in units of V.
func (s *Solved) product(x, y []float64) (sum float64) {
	for at, v := range s.V {
		sum += x[at] / v * (y[at] / v)
	}
	return sum
}

// scaled returns a vector of length one.
func (s *Solved) scaled(x []float64) []float64 {
	size := math.Sqrt(s.product(x, x))
	out := slices.Clone(x)
	for at := range out {
		out[at] /= size
	}
	return out
}

// decline is a bound d_L by modes, from some number of moves on.
type decline struct {
	from float64
	// d at from + t is the sum of part exp(t log(1-gap)), in which mu are the logarithms
	part, mu    []float64
	off, slower []float64 // the error is the sum of off exp((t-1) slower) (2 + t gap)
	gap         []float64
}

// declines returns the bound from twice the given number of moves on, and nil if there are no
// modes. a is the distribution of pairs after these moves of both chains.
func (m *Law) declines(ctx context.Context, a []float64, moves int64) (*decline, error) {
	modes, err := m.solved.slowest(ctx, moves)
	if modes == nil || err != nil || len(modes.x) == 0 {
		return nil, err
	}
	s := m.solved
	moved := modes.moved
	if m.Lag > 1 {
		moved = m.tail
		for range moves {
			moved = s.pairs.pull(moved)
		}
	}
	rows, columns := len(moved), len(modes.x)
	left, right := mat.NewDense(rows, columns, nil), mat.NewVecDense(rows, nil)
	for at, v := range s.V {
		right.SetVec(at, moved[at]/v)
		for k, x := range modes.x {
			left.Set(at, k, x[at]/v)
		}
	}
	var parts mat.VecDense
	if err := parts.SolveVec(left, right); err != nil {
		return nil, nil // vectors that are not independent are no modes
	}
	d := &decline{from: 2 * float64(moves)}
	size := dot(a, s.V)
	rest := 0.0
	for at, v := range s.V {
		sum := moved[at]
		sizes := moved[at]
		for k, x := range modes.x {
			sum -= parts.AtVec(k) * x[at]
			sizes += math.Abs(parts.AtVec(k) * x[at])
		}
		rest = max(rest, (math.Abs(sum)+float64(moves)*0x1p-53*sizes)/v)
	}
	for k, x := range modes.x {
		part := 0.0
		mu := math.Log1p(-modes.gap[k])
		for at, mass := range a {
			part += mass * x[at]
		}
		d.part, d.mu, d.gap = append(d.part, part*parts.AtVec(k)), append(d.mu, mu),
			append(d.gap, modes.gap[k])
		d.off = append(d.off, size*math.Abs(parts.AtVec(k))*modes.off[k])
		d.slower = append(d.slower, max(mu, math.Log1p(-modes.shrink)))
	}
	d.off, d.slower, d.gap = append(d.off, size*rest), append(d.slower, math.Log1p(-modes.shrink)),
		append(d.gap, 0)
	return d, nil
}

// boundAt returns the bound at a number of moves, its decline in a move there, and a bound on its
// error.
func (d *decline) boundAt(t float64) (bound, fall, off float64) {
	t -= d.from
	for k, part := range d.part {
		term := part * math.Exp(t*d.mu[k])
		bound += term
		fall += term * d.gap[k]
		off += math.Abs(term) * (8 - t*d.mu[k]) * 0x1p-53
	}
	for k, part := range d.off {
		off += part * math.Exp(max(0, t-1)*d.slower[k]) * (2 + t*d.gap[k])
	}
	return bound, fall, off
}

// time returns the least number of moves, from d.from on, with a bound of at most some value; false
// if it is not known to three digits.
func (d *decline) time(m *Law, value float64) (averages.Time, bool) {
	enough := d.from
	for bound, _, _ := d.boundAt(enough); bound > value; bound, _, _ = d.boundAt(enough) {
		enough *= 2
		if enough > 1e300 {
			return averages.Time{}, false
		}
	}
	for few := max(d.from, enough/2); enough-few > 1; {
		middle := math.Floor(few + (enough-few)/2)
		if middle == few || middle == enough {
			break
		}
		if bound, _, _ := d.boundAt(middle); bound > value {
			few = middle
		} else {
			enough = middle
		}
	}
	bound, fall, off := d.boundAt(enough)
	before, _, _ := d.boundAt(max(d.from, enough-1))
	t := m.rounded(enough, off/fall, value/fall)
	if near := off + value*m.rounding(); t.Note == "" &&
		(bound+near > value || enough > d.from && before-near <= value) {
		t.Error, t.Note = 1, tied(value)
	}
	return t, fall > 0 && off/fall <= 1e-3*enough
}
