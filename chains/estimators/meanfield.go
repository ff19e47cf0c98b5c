package estimators

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/grid"
)

// MeanField approximates the posterior on a lattice by a product of one distribution for each axis,
// by coordinate ascent: each factor in turn, axes in order, is set to its best value given the
// others, proportional to exp(E[log f | coordinate]), until no factor changes by more than
// rounding. Its estimate of log Z is the ELBO E_q[log f - log q], which is at most log Z.
//
// Source: Bishop 2006, section 10.1.1.
//
//	q(x) = q_1(x_1) ... q_d(x_d), q_k(v) proportional to exp(E_q[log f(x) | x_k = v])
//
// A sweep takes O(d n) time for n states.
type MeanField struct {
	space    *grid.Lattice
	symmetry Symmetry
	logf     []float64
	relative []float64 // log f less its largest value, so that a constant costs no digits
	rounding float64   // changes of a probability up to this size are rounding
}

// Product is a product of distributions that a mean field has come to.
type Product struct {
	Factors [][]float64 // the distribution of each coordinate, by axis
	LogQ    []float64   // log q of each state, in nats
	ELBO    float64     // E_q[log f - log q], in nats; -Inf if q cannot avoid the zeros of f
	Sweeps  int         // how often coordinate ascent went over all axes
	Stuck   int         // the first axis on which every value meets a zero of f, and -1 if there is none
}

// none is no axis.
const none = -1

// NewMeanField returns the mean field of log f, in nats, on a lattice. Here f is prior times
// likelihood, and Z is its sum. It fails if a log f is NaN or +Inf, if none is finite, and if the
// lattice does not have the symmetry.
func NewMeanField(space *grid.Lattice, logf []float64, symmetry Symmetry) (*MeanField, error) {
	if len(logf) != space.States() {
		return nil, fmt.Errorf("%d values of log f for %d states", len(logf), space.States())
	}
	if err := checkSymmetry(symmetry, space.Sides()); err != nil {
		return nil, err
	}
	for x, l := range logf {
		if math.IsNaN(l) || math.IsInf(l, 1) {
			return nil, errs.New("log f = %v at state %d; give finite numbers, or -Inf", l, x)
		}
	}
	low, high := number.Bounds(logf)
	if math.IsInf(high, -1) {
		return nil, fmt.Errorf("f is zero at all %d states", len(logf))
	}
	m := &MeanField{space: space, symmetry: symmetry, logf: logf, relative: make([]float64, len(logf))}
	for x, l := range logf {
		m.relative[x] = l - high
	}
	m.rounding = 4 * 0x1p-52 * (1 + high - low)
	return m, nil
}

// Sides implements Climber. A start is a state, and the product that is one there.
func (m *MeanField) Sides() []int { return m.space.Sides() }

// Climb implements Climber.
func (m *MeanField) Climb(ctx context.Context, start []int) (Ascent, error) {
	factors := make([][]float64, len(start))
	for k, at := range start {
		factors[k] = make([]float64, m.space.Side(k))
		factors[k][at] = 1
	}
	p, err := m.Fit(ctx, factors)
	if err != nil {
		return Ascent{}, err
	}
	a := Ascent{p.ELBO, p.Sweeps}
	switch m.symmetry {
	case LogFactorial:
		a.Value += LogNamings(m.space.Side(0))
	case AllNamings:
		a.Value = mixtureBound(p.Factors, m.logf)
	}
	return a, nil
}

// Work implements Climber: the update of each factor evaluates log f at every state. Values are not
// kept between updates, just as chains do not keep those of visited states. (A method that has seen
// all of log f could have summed it.)
func (m *MeanField) Work(sweeps float64) Work {
	return Work{Evaluations: sweeps * float64(m.space.Dims()) * float64(m.space.States())}
}

// Operations implements Climber.
func (m *MeanField) Operations() float64 {
	states := float64(m.space.States())
	operations := 3 * states * float64(m.space.Dims())
	if m.symmetry == AllNamings {
		operations += 3 * namings(m.space.Sides())
	}
	return operations
}

// Fit climbs from a product, whose factors it overwrites. If every value of an axis meets a zero of
// f, that factor is left as it is. It fails if the context ends, or the ascent has not come to an
// end after 100,000 sweeps. A sweep over d axes takes about 3 d multiplications a state.
func (m *MeanField) Fit(ctx context.Context, factors [][]float64) (*Product, error) {
	p := &Product{Factors: factors}
	others := make([]float64, len(m.logf))
	for p.Sweeps < maxSweeps {
		p.Sweeps++
		p.Stuck = none
		moved := 0.0
		for k := range factors {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			change, possible := m.improve(factors, k, others)
			if !possible && p.Stuck == none {
				p.Stuck = k
			}
			moved = max(moved, change)
		}
		if moved <= m.rounding {
			m.computeELBO(p)
			return p, nil
		}
	}
	return nil, fmt.Errorf("coordinate ascent has not come to an end after %d sweeps", maxSweeps)
}

// improve sets the factor of axis k to its best value, and returns by how much a probability has
// changed at most. It returns false if every value meets a zero of f.
func (m *MeanField) improve(factors [][]float64, k int, others []float64) (float64, bool) {
	best := m.expected(factors, k, others)
	if math.IsInf(slices.Max(best), -1) {
		return 0, false
	}
	chains.Normalize(best)
	moved := 0.0
	for i, p := range best {
		moved = max(moved, math.Abs(p-factors[k][i]))
	}
	factors[k] = best
	return moved, true
}

// expected returns E[log f | coordinate] for each value of axis k, up to a constant. The product of
// the factors is written to others for all axes but the last, whose factor is multiplied in if it
// is needed.
func (m *MeanField) expected(factors [][]float64, k int, others []float64) []float64 {
	last := len(factors) - 1
	side := len(factors[last])
	others = others[:len(m.relative)/side]
	outer(others, factors[:last], k)
	best := make([]float64, len(factors[k]))
	if k == last {
		for x, p := range others {
			if p > 0 {
				for at, l := range m.relative[x*side : (x+1)*side] {
					best[at] += p * l
				}
			}
		}
		return best
	}
	stride := m.space.Stride(k) / side
	for x, at := 0, 0; x < len(others); at++ {
		if at == len(best) {
			at = 0
		}
		sum := best[at]
		for end := x + stride; x < end; x++ {
			p := others[x]
			for i, l := range m.relative[x*side : (x+1)*side] {
				if q := p * factors[last][i]; q > 0 {
					sum += q * l
				}
			}
		}
		best[at] = sum
	}
	return best
}

// outer writes the product of the factors of all axes but one at each state.
func outer(dst []float64, factors [][]float64, but int) {
	dst[0] = 1
	states := 1
	for k, f := range factors {
		for x := states - 1; x >= 0; x-- {
			v := dst[x]
			if row := dst[x*len(f) : (x+1)*len(f)]; k == but {
				for i := range row {
					row[i] = v
				}
			} else {
				for i, p := range f {
					row[i] = v * p
				}
			}
		}
		states *= len(f)
	}
}

// computeELBO computes the density and the ELBO from the factors.
func (m *MeanField) computeELBO(p *Product) {
	q := make([]float64, len(m.logf))
	outer(q, p.Factors, none)
	p.LogQ = make([]float64, len(m.logf))
	for k, f := range p.Factors {
		stride := m.space.Stride(k)
		for x, at := 0, 0; x < len(q); at++ {
			if at == len(f) {
				at = 0
			}
			log := number.Log(f[at])
			for end := x + stride; x < end; x++ {
				p.LogQ[x] += log
			}
		}
	}
	p.ELBO = expectedLog(q, m.logf, p.LogQ)
}

// expectedLog returns E_q[log f - log q] from the probabilities q of the states: -Inf if f is zero
// at a state of positive q.
func expectedLog(q, logf, logQ []float64) float64 {
	var sum number.Sum
	for x, p := range q {
		switch {
		case p > 0 && math.IsInf(logf[x], -1):
			return math.Inf(-1)
		case p > 0:
			sum.Add(p * (logf[x] - logQ[x]))
		}
	}
	return sum.Value()
}
