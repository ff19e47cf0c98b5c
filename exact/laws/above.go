package laws

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"breadboard/chains/number"
)

// The probability that the mean of K independent terms V is at least v is bounded in four ways:
//
//	exactly:     sum over the multisets n of values of K! prod_i p_i^n_i/n_i!, if sum n_i v_i >= K v
//	Markov:      E V/v
//	Chernoff:    exp(min_{s>0} K log E exp(s (V - v)))
//	on lattices: with every term rounded down, and with every term rounded up
//
// The first takes a term for each multiset. A lattice of n points takes log K convolutions, each in
// O(n log n) by Fourier transforms.

// tie is the relative difference below which a sum and a threshold may be equal up to rounding.
const tie = 1e-12

const (
	// explainWidth is the width above which a bracket gets a note with the reason.
	explainWidth = 1e-9
	// roundingAllowance is the relative rounding that is allowed for in bounds.
	roundingAllowance = 1e-9
)

// Above implements Law. Up to rounding below 1e-12, the probability is certain to be in the
// bracket. Sums of few independent draws are exact. Otherwise each term is rounded to a lattice,
// once up and once down. The bounds of Markov, from E Z-hat, and of Chernoff, from the transform or
// the distribution of a draw, hold in any case. Sums within a relative 1e-12 of the threshold may
// count or not.
func (s *Sum) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	logV := s.sign * (at - s.shift)
	if math.IsInf(logV, 0) {
		return s.extreme(at), nil
	}
	slack := tie * max(1, math.Abs(logV))
	lowest, highest := s.tail.support()
	switch never, always := logV-slack > highest, logV+slack <= lowest; { // V reaches the threshold
	case never && s.sign > 0, always && s.sign < 0:
		return Bracket{}, nil
	case always && s.sign > 0, never && s.sign < 0:
		return Bracket{Low: 1, High: 1}, nil
	}
	most := math.Exp(s.logMean-at) * (1 + roundingAllowance)
	if s.sign < 0 {
		most = min(most, math.Exp(s.table.logBelow(logV, s.runs))*(1+roundingAllowance))
	} else if s.draws != nil {
		most = min(most, math.Exp(s.draws.logAtLeast(logV))*(1+roundingAllowance))
	}
	if most <= explainWidth && !s.tail.exact() {
		return Bracket{High: most}, nil
	}
	low, high, err := s.tail.atLeast(ctx, logV, slack)
	if err != nil {
		return Bracket{}, err
	}
	if s.sign < 0 {
		low, high = 1-high, 1-low
	}
	b := Bracket{Low: min(low, most), High: min(high, most)}
	if b.High-b.Low > explainWidth {
		b.Note = s.tail.limits()
	}
	return b, nil
}

// extreme returns the probability that log Z-hat is above minus infinity, or above infinity.
func (s *Sum) extreme(at float64) Bracket {
	switch {
	case at > 0:
		return Bracket{}
	case s.sign > 0:
		return Bracket{Low: 1 - s.zero, High: 1 - s.zero}
	}
	return Bracket{Low: 1, High: 1}
}

const (
	mostMultisets = 100_000 // of which each gives a sum of its own
	latticeCells  = 1 << 14 // below the threshold
	fourierSlack  = 1e-13   // more than the rounding of some tens of Fourier transforms
	// more than the rounding of the distribution of a draw; the probabilities of K draws have K
	// times that
	drawSlack = 0x1p-48
)

// limits implements tail.
func (t *independentTerms) limits() string {
	return fmt.Sprintf("the terms are rounded to %d parts of the threshold; fewer draws give a narrower bracket",
		latticeCells)
}

// support implements tail.
func (t *independentTerms) support() (lowest, highest float64) {
	lowest = t.atoms[0].logV
	if t.zero > 0 {
		lowest = math.Inf(-1)
	}
	return lowest, t.atoms[len(t.atoms)-1].logV
}

// exact implements tail.
func (t *independentTerms) exact() bool { return t.multisets() <= mostMultisets }

// atLeast implements tail.
func (t *independentTerms) atLeast(ctx context.Context, logV, slack float64) (low, high float64, err error) {
	logSum := logV + number.Log(t.k)
	if t.exact() {
		return t.aboveByEnumeration(logSum + slack), t.aboveByEnumeration(logSum - slack), nil
	}
	below, err := t.probabilityBelow(ctx, latticeCells, logSum+slack, math.Floor)
	if err != nil {
		return 0, 0, err
	}
	above, err := t.probabilityBelow(ctx, latticeCells, logSum-slack, math.Ceil)
	rounding := fourierSlack + t.k*drawSlack
	return max(0, 1-below-rounding), min(1, 1-above+rounding), err
}

// logAtLeast returns the logarithm of Chernoff's bound on the probability that the mean V of the
// terms is at least v, given log v: the least of E exp(s (S - K v)) for the sum S, over some s. Its
// logarithm is convex in s, and so it has one minimum in log s.
func (t *independentTerms) logAtLeast(logV float64) float64 {
	const steps = 40 // each step shrinks the range of log s to 0.62 of it
	left, right := -12.0, 24.0
	terms := make([]float64, len(t.atoms)+1)
	least := 0.0
	bound := func(logS float64) float64 {
		v := t.logTilted(math.Exp(logS), logV, terms)
		least = min(least, v)
		return v
	}
	inner := 1 - 1/math.Phi
	a, b := left+inner*(right-left), right-inner*(right-left)
	atA, atB := bound(a), bound(b)
	for range steps {
		if atA < atB {
			right = b
			b = a
			atB = atA
			a = left + inner*(right-left)
			atA = bound(a)
		} else {
			left = a
			a = b
			atA = atB
			b = right - inner*(right-left)
			atB = bound(b)
		}
	}
	return max(least, leastNormal)
}

// logTilted returns log E exp(s (S - K v)) with s in units of 1/(largest V), given log v. It uses
// memory for a number for each atom and one more. Probabilities that float64 cannot hold are left
// out, which together are less than exp(leastNormal).
func (t *independentTerms) logTilted(s, logV float64, memory []float64) float64 {
	largest := t.atoms[len(t.atoms)-1].logV
	terms := memory[:0]
	for _, a := range t.atoms {
		distance := -math.Exp(max(a.logV, logV)-largest) * math.Expm1(-math.Abs(a.logV-logV))
		terms = append(terms, number.Log(a.p)+s*math.Copysign(distance, a.logV-logV))
	}
	if t.zero > 0 {
		terms = append(terms, number.Log(t.zero)-s*math.Exp(logV-largest))
	}
	return t.k * (number.LogSumExp(terms) + drawSlack)
}

// valueCount returns how many values a term may have.
func (t *independentTerms) valueCount() int {
	if t.zero > 0 {
		return len(t.atoms) + 1
	}
	return len(t.atoms)
}

// multisets returns how many multisets of K values there are.
func (t *independentTerms) multisets() float64 {
	total := 1.0
	for i := 1; i < t.valueCount() && total <= mostMultisets; i++ {
		total *= (t.k + float64(i)) / float64(i)
	}
	return total
}

// aboveByEnumeration returns the probability that the sum is at or above exp(logSum), by
// enumeration of all multisets.
func (t *independentTerms) aboveByEnumeration(logSum float64) float64 {
	var total number.Sum
	var add func(i int, left, sum, logP float64)
	add = func(i int, left, sum, logP float64) {
		if i < 0 { // what is left are zeros
			if t.zero > 0 {
				logP += left*number.Log(t.zero) - number.LogFactorial(left)
			}
			if (t.zero > 0 || left == 0) && sum >= 1 {
				total.Add(math.Exp(logP))
			}
			return
		}
		// a larger value reaches the threshold alone, too
		value := min(1, math.Exp(t.atoms[i].logV-logSum))
		logOne := number.Log(t.atoms[i].p)
		first := 0.0
		if i == 0 && t.zero == 0 {
			first = left
		}
		for n := first; n <= left; n++ {
			term := 0.0
			if n > 0 {
				term = n*logOne - number.LogFactorial(n)
			}
			add(i-1, left-n, sum+n*value, logP+term)
		}
	}
	add(len(t.atoms)-1, t.k, 0, number.LogFactorial(t.k))
	return min(1, total.Value())
}

// probabilityBelow returns the probability that the sum of the terms is below exp(logSum), each
// rounded to a lattice that has the given number of cells up to there. It takes the power of the
// distribution of one term by squaring; sums beyond the lattice never return.
func (t *independentTerms) probabilityBelow(ctx context.Context, cells int, logSum float64,
	round func(float64) float64) (float64, error) {
	one := make([]float64, cells)
	one[0] = t.zero
	for _, a := range t.atoms {
		if c := round(math.Exp(a.logV-logSum) * float64(cells)); c < float64(cells) {
			one[int(c)] += a.p
		}
	}
	c := newConvolution(cells)
	power := make([]float64, cells)
	started := false
	for bits := int(t.k); ; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if bits&1 == 1 {
			if started {
				c.multiply(power, power, one)
			} else {
				copy(power, one)
				started = true
			}
		}
		bits >>= 1
		if bits == 0 {
			break
		}
		c.multiply(one, one, one)
	}
	return number.Total(power), nil
}

// convolution multiplies distributions on a lattice, and drops what is beyond its end.
type convolution struct {
	fft        *fourier.FFT
	padded     []float64
	left, that []complex128
}

func newConvolution(n int) *convolution {
	return &convolution{fft: fourier.NewFFT(2 * n), padded: make([]float64, 2*n)}
}

// multiply writes the convolution of a and b to dst.
func (c *convolution) multiply(dst, a, b []float64) {
	n := len(a)
	transform := func(spectrum []complex128, v []float64) []complex128 {
		copy(c.padded, v)
		clear(c.padded[n:])
		return c.fft.Coefficients(spectrum, c.padded)
	}
	c.left, c.that = transform(c.left, a), transform(c.that, b)
	for i, v := range c.that {
		c.left[i] *= v
	}
	c.fft.Sequence(c.padded, c.left)
	for i := range dst {
		dst[i] = c.padded[i] / float64(2*n)
	}
}
