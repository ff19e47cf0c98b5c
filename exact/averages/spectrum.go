package averages

import (
	"context"
	"math"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Spectrum is the distribution of the variance of a function over the eigenvalues lambda of a
// reversible chain, as far as it affects averages: a share Weights[i] of the variance is at lambda
// = 1 - Gaps[i]. With weights w and gaps g the integrated autocorrelation time is
//
//	tau = sum_i w_i (1 + lambda_i)/(1 - lambda_i) = sum_i w_i (2 - g_i)/g_i,
//
// where 1 + lambda = 2 - g (Geyer 1992). A number takes one pass over the gaps.
type Spectrum struct {
	Gaps, Weights []float64 // gaps are from 0 to 2; the weights sum to 1

	given     float64 // about the number of roundings of the target and the rows
	reducible bool    // whether a part of the function may never be forgotten
	// whether tau is unknown, because a part of the function is never, or nearly never, forgotten
	endless bool
	// the largest relative change of a number at the last checks that rounding does not explain
	excess    float64
	remainder float64 // about the relative error of tau; zero if there is no tau
}

// MSE returns the mean squared error of the mean of N samples that start from the target, in units
// of the variance of the function.
func (s *Spectrum) MSE(n int64) float64 {
	var sum number.Sum
	for i, g := range s.Gaps {
		sum.Add(s.Weights[i] * meanSquareAt(g, n))
	}
	return sum.Value()
}

// Tau returns the integrated autocorrelation time, by which N is divided in the long run. It is NaN
// if the chain is reducible, or if fewer than three digits of the smallest gap are right.
func (s *Spectrum) Tau() float64 {
	if s.endless {
		return math.NaN()
	}
	var sum number.Sum
	for i, g := range s.Gaps {
		sum.Add(s.Weights[i] * (2 - g) / g)
	}
	return sum.Value()
}

// relativeError returns about the relative error of MSE, from incomplete convergence and from
// rounding.
func (s *Spectrum) relativeError(n int64) float64 { return s.excess + s.remainder + s.noise(n) }

// noise returns about the relative error of MSE by rounding, which changes each gap by about one
// rounding of one.
func (s *Spectrum) noise(n int64) float64 {
	lost := 0.0
	all := 0.0
	for i, g := range s.Gaps {
		v := s.Weights[i] * meanSquareAt(g, n)
		if v == 0 {
			continue // the samples of each pair cancel
		}
		all += v
		low, high := 1/math.Abs(g), 1/math.Abs(2-g)
		if n%2 == 1 {
			high = min(high, float64(n))
		}
		lost += v * (1 + min(float64(n), low) + high)
	}
	if lost == 0 {
		return 0
	}
	return unit * (s.given + gapRoundings*lost/math.Abs(all))
}

// tauNoise returns the rounding error of tau, in units of 1 + tau, which is twice the mean of
// 1/gap.
func (s *Spectrum) tauNoise() float64 {
	lost := 0.0
	all := 0.0
	for i, g := range s.Gaps {
		all += s.Weights[i] / g
		lost += s.Weights[i] / g / g
	}
	return gapRoundings * unit * lost / math.Abs(all)
}

// gapRoundings is about the number of roundings of a gap.
const gapRoundings = 8

// decades are the numbers of samples at which a spectrum has to settle: all powers of ten up to
// MaxSquaring. Between them the mean squared error is a smooth function of N.
const decades = 13

// settling finds the largest relative change since earlier checks, less what rounding explains.
func (s *Spectrum) settling(looks ...*Spectrum) {
	s.excess = 0
	n := int64(1)
	for range decades {
		s.compareSpectra(func(look *Spectrum) float64 { return look.MSE(n) }, s.noise(n), looks)
		n *= 10
	}
	if !s.endless {
		s.compareSpectra(func(look *Spectrum) float64 { return 1 + look.Tau() }, s.tauNoise(), looks)
	}
}

func (s *Spectrum) compareSpectra(value func(*Spectrum) float64, noise float64, looks []*Spectrum) {
	now := value(s)
	for _, look := range looks {
		then := value(look)
		if off := math.Abs(then-now)/math.Abs(now) - noise; now != then && !(off <= s.excess) {
			s.excess = off
		}
	}
}

func (s *Spectrum) settled() bool { return s.excess <= settled && s.remainder <= settled }

// meanSquareAt returns the mean squared error of the mean of N samples of a function whose
// autocorrelation at lag k is lambda^k, for lambda = 1 - gap: the mean of lambda^|i-j| over all
// pairs i, j of samples. It has nearly all digits of float64 for every gap, from zero to two, and
// every N.
func meanSquareAt(gap float64, n int64) float64 {
	if gap > 1 {
		return alternating(2-gap, float64(n), n%2 == 0)
	}
	// Twice as many samples are two halves, and the pairs across them: with A_n the sum of lambda^i
	// over i < n, and G_n that of lambda^|i-j|, G_2n = 2 G_n + 2 lambda A_n^2. No term is negative,
	// so that nothing cancels.
	lambda := 1 - gap
	log := math.Log1p(-gap)
	sum := 1.0
	pairs := 1.0
	m := int64(1)
	for bit := highestBit(n) >> 1; bit > 0; bit >>= 1 {
		pairs = 2*pairs + 2*lambda*sum*sum
		sum *= 1 + math.Exp(float64(m)*log)
		m *= 2
		if n&bit != 0 {
			pairs += 1 + 2*lambda*sum
			sum = 1 + lambda*sum
			m++
		}
	}
	return pairs / float64(n) / float64(n)
}

// alternating is meanSquareAt for a negative lambda, of which it is given 1 + lambda: both terms of
// the sum in closed form are positive.
func alternating(above, n float64, even bool) float64 {
	lambda := above - 1
	power := math.Exp(n * math.Log1p(-above)) // |lambda|^n
	rest := 1 + power
	if even {
		rest = -math.Expm1(n * math.Log1p(-above))
	}
	below := 1 - lambda
	return (above/below - 2*lambda*rest/below/below/n) / n
}

// highestBit returns the largest power of two that is at most n.
func highestBit(n int64) int64 {
	bit := int64(1)
	for bit <= n/2 {
		bit *= 2
	}
	return bit
}

// gauss returns the eigenvalues of a symmetric tridiagonal matrix and the squares of the first
// components of its unit eigenvectors, in no order, by the QL algorithm with implicit shifts. Time
// is O(k^2).
//
// Source: Golub and Welsch 1969.
func gauss(ctx context.Context, diagonal, beside []float64) (values, weights []float64, err error) {
	k := len(diagonal)
	d := append([]float64(nil), diagonal...)
	e := append(append([]float64(nil), beside...), 0)
	first := make([]float64, k)
	first[0] = 1
	size := 0.0
	for i, v := range d {
		size = max(size, math.Abs(v), math.Abs(e[i]))
	}
	for l := range d {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		for tries := 0; ; tries++ {
			m := l
			for m < k-1 && math.Abs(e[m]) > 2*unit*size {
				m++
			}
			if m == l {
				break
			}
			if tries == mostShifts {
				return nil, nil, errs.New("the eigenvalues of Lanczos were not found; use recursion or squaring")
			}
			shiftedQL(d, e, first, l, m)
		}
	}
	for i, v := range first {
		first[i] = v * v
	}
	return d, first, nil
}

// mostShifts is the largest number of shifts for one eigenvalue; three are usual.
const mostShifts = 60

// shiftedQL makes one step of the QL algorithm in rows l to m.
func shiftedQL(d, e, first []float64, l, m int) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
	s := 1.0
	c := 1.0
	p := 0.0
	for i := m - 1; i >= l; i-- {
		f := s * e[i]
		b := c * e[i]
		r := math.Hypot(f, g)
		e[i+1] = r
		if r == 0 {
			d[i+1] -= p
			e[m] = 0
			return
		}
		s = f / r
		c = g / r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		first[i], first[i+1] = c*first[i]-s*first[i+1], s*first[i]+c*first[i+1]
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}
