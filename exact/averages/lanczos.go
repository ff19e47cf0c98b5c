package averages

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// With the spectrum of a function, of variance one, in a reversible chain that starts from the
// target (weights W_i at the eigenvalues lambda_i = 1 - gap_i of T), the mean of N samples has
//
//	MSE = sum_i W_i/N (1 + 2 sum over k from 1 to N-1 of (1 - k/N) lambda_i^k),
//
// from one spectrum for every N. Lanczos finds it in O(steps entries + steps^2) time.
//
// Source: Golub and Meurant 2010, chapters 6 and 7.

// targetTolerance is how far the total of the differences of a start from the target may be for it
// to count as the target.
const targetTolerance = 1e-15

func (c *Chain) lanczos(ctx context.Context, q Question) ([][]Errors, error) {
	if err := c.suitsLanczos(q); err != nil {
		return nil, err
	}
	s, err := c.spectrum(ctx, q.Function, q.Progress)
	if err != nil {
		return nil, err
	}
	out := make([][]Errors, len(q.Starts))
	for k := range out {
		for _, n := range q.N {
			e := unknownErrors(n)
			e.Bias, e.MSE, e.Rounding = number.Exactly(0), number.Within(s.MSE(n), s.relativeError(n)),
				s.relativeError(n)
			out[k] = append(out[k], e)
		}
	}
	return out, nil
}

// suitsLanczos fails if Lanczos cannot answer a question on any chain.
func (c *Chain) suitsLanczos(q Question) error {
	if q.Variance || q.Distribution {
		return errors.New(
			"the method of Lanczos gives the errors of the mean only: for those of the variance and the " +
				"distribution use recursion or squaring",
		)
	}
	if last := q.N[len(q.N)-1]; last > MaxSquaring {
		return errs.New("%d samples, and errors by Lanczos are for up to %d; ask for fewer samples",
			last, int64(MaxSquaring))
	}
	for _, law := range q.Starts {
		d := c.deviationOf(law)
		off := 0.0
		for _, by := range d.by {
			off += math.Abs(by)
		}
		if off > targetTolerance {
			return fmt.Errorf("the method of Lanczos needs every start to be the target, and one is off by %.3g in "+
				"total: use recursion or squaring for it",
				off)
		}
	}
	return nil
}

// Reversible reports whether the chain is reversible. The answer is kept.
func (c *Chain) Reversible(ctx context.Context) (bool, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.reversible == nil {
		reversible, err := kernel.Reversible(ctx, c.Rows, c.LogF)
		if err != nil {
			return false, err
		}
		c.reversible = &reversible
	}
	return *c.reversible, nil
}

// checkReversible fails if the chain is not reversible.
func (c *Chain) checkReversible(ctx context.Context) error {
	reversible, err := c.Reversible(ctx)
	if err == nil && !reversible {
		return errors.New(
			"the method of Lanczos needs a reversible chain, and this one is not: use recursion or squaring",
		)
	}
	return err
}

// Stationary returns the spectrum of a function in a reversible chain that starts from the target,
// by the method of Lanczos in the space of functions with the inner product sum p a b, in which T
// is symmetric. It fails if the chain is not reversible, if the spectrum has not settled after
// stepsLimit steps, and if the context ends. Time is O(steps entries + steps^2), and about
// sqrt(1/gap) steps are needed.
//
// Source: Golub and Meurant 2010, chapters 6 and 7.
func (c *Chain) Stationary(ctx context.Context, f *Function) (*Spectrum, error) {
	return c.spectrum(ctx, f, nil)
}

func (c *Chain) spectrum(ctx context.Context, f *Function, progress func(int)) (*Spectrum, error) {
	if err := c.checkReversible(ctx); err != nil {
		return nil, err
	}
	_, classes, err := c.Classes(ctx)
	if err != nil {
		return nil, err
	}
	l := newLanczos(c, f)
	var last, before *Spectrum
	for check := firstCheck; ; check += max(firstCheck, check/4) {
		for len(l.diagonal) < check && !l.done {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			l.step()
			if progress != nil {
				progress(1)
			}
		}
		s, err := l.spectrum(ctx, classes > 1)
		if err != nil {
			return nil, err
		}
		if last != nil && before != nil {
			s.settling(last, before)
		}
		if l.done || s.settled() {
			if l.done {
				s.excess = 0
				s.remainder = 0
			}
			return s, nil
		}
		if check > stepsLimit(c.States()) {
			return nil,
				errs.New("the method of Lanczos has not converged after %d steps: the remainder of the sums is "+
					"%.2g of them; use squaring, or recursion for few samples",
					check, max(s.excess, s.remainder))
		}
		last, before = s, last
	}
}

const (
	firstCheck = 8       // steps before the first check of the spectrum
	mostSteps  = 20_000  // after which Lanczos gives up on any space
	settled    = 1e-13   // the relative change at which a number has settled
	noDigits   = 1e-3    // the relative error of tau at which it counts as unknown
	exhausted  = 0x1p-50 // the remainder of a step, relative to the matrix, that is rounding
)

// stepsLimit returns after how many steps Lanczos gives up on a space. Without rounding as many
// steps as there are states would be enough; with it some multiple of them is. A chain of a few
// states that has not converged by then has parts that are only rounding, which more steps do not
// improve, and the time of all checks of the spectrum grows with the square of the steps.
func stepsLimit(states int) int { return min(mostSteps, 1000+20*states) }

// lanczosRun is a run of the method of Lanczos for I - T, whose eigenvalues are the gaps 1 -
// lambda. Its vectors are functions v on the states of positive probability with sum p v^2 = 1 and
// sum p v = 0.
type lanczosRun struct {
	chain            *Chain
	at, before, next []float64
	spare            []float64 // for applyIMinusT
	// The tridiagonal matrix: beside[k] stands between diagonal[k] and diagonal[k+1].
	diagonal, beside []float64
	done             bool // whether the vectors so far span all T^k h
}

func newLanczos(c *Chain, f *Function) *lanczosRun {
	l := &lanczosRun{
		chain:  c,
		at:     make([]float64, c.States()),
		before: make([]float64, c.States()),
		next:   make([]float64, c.States()),
	}
	var mean, square number.BlockSum
	for x, p := range c.Target {
		if p > 0 {
			l.at[x] = f.Values[x]
			mean.Add(p * l.at[x])
			square.Add(p * l.at[x] * l.at[x])
		}
	}
	l.normalise(l.at, mean.Value(), math.Sqrt(square.Value()))
	return l
}

// normalise subtracts the mean of a function and divides it by its length.
func (l *lanczosRun) normalise(v []float64, mean, length float64) {
	for x, p := range l.chain.Target {
		if p > 0 {
			v[x] = (v[x] - mean) / length
		}
	}
}

// step makes one more step.
func (l *lanczosRun) step() {
	k := len(l.diagonal)
	back := 0.0
	if k > 0 {
		back = l.beside[k-1]
	}
	p := l.chain.Target
	at := l.at
	before := l.before
	next := l.next
	l.chain.applyIMinusT(next, at, &l.spare)
	var along number.BlockSum
	for x, q := range p {
		if q == 0 {
			continue
		}
		off := next[x] - back*before[x]
		next[x] = off
		along.Add(q * off * at[x])
	}
	alpha := along.Value()
	var mean, square number.BlockSum
	for x, q := range p {
		if q == 0 {
			continue
		}
		v := next[x] - alpha*at[x]
		next[x] = v
		mean.Add(q * v)
		square.Add(q * v * v)
	}
	l.diagonal = append(l.diagonal, alpha)
	beta := math.Sqrt(square.Value())
	l.beside = append(l.beside, beta)
	l.done = beta <= exhausted*l.largestEntry()
	if !l.done {
		l.normalise(next, mean.Value(), beta)
	}
	l.at, l.before, l.next = next, at, before
}

// largestEntry returns the largest number of the tridiagonal matrix.
func (l *lanczosRun) largestEntry() float64 {
	largest := 0.0
	for k, a := range l.diagonal {
		largest = max(largest, math.Abs(a), l.beside[k])
	}
	return largest
}

// spectrum returns the Gauss quadrature of the steps so far.
func (l *lanczosRun) spectrum(ctx context.Context, reducible bool) (*Spectrum, error) {
	k := len(l.diagonal)
	gaps, weights, err := gauss(ctx, l.diagonal, l.beside[:k-1])
	if err != nil {
		return nil, err
	}
	s := &Spectrum{
		Gaps:      gaps,
		Weights:   weights,
		excess:    math.Inf(1),
		given:     l.chain.roundingsOf(),
		reducible: reducible,
	}
	s.endless = reducible || !(s.tauNoise() < noDigits)
	if !s.endless {
		s.remainder = l.remainder(s)
	}
	return s, nil
}

// remainder estimates the relative error of tau. Tau is 2 <h, (I-T)^(-1) h> - 1. The quadrature
// gives this product like the method of conjugate gradients after the same number of steps. Its
// error is <r, (I-T)^(-1) r> for the residual r, which is at most |r|^2 over the least gap; the
// least gap of the quadrature is used for that.
func (l *lanczosRun) remainder(s *Spectrum) float64 {
	k := len(l.diagonal)
	// |r| = beside[k-1] |y_k| where the tridiagonal matrix times y is the first unit vector: y_k is
	// the product of -beside/pivot.
	pivot := l.diagonal[0]
	last := 1 / pivot
	for j := 1; j < k; j++ {
		pivot = l.diagonal[j] - l.beside[j-1]*(l.beside[j-1]/pivot)
		last *= -l.beside[j-1] / pivot
	}
	residual := l.beside[k-1] * last
	least := slices.Min(s.Gaps)
	tau := s.Tau()
	if !(least > 0 && tau > 0) {
		return math.Inf(1)
	}
	return 2 * residual * residual / least / max(tau, 1)
}
