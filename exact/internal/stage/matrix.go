package stage

import (
	"math"
	"sort"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// Matrix is a transition matrix without loss of digits: rows in float64, and separately the entries
// off the diagonal that underflow or lose digits in float64. The rows do not contain these.
type Matrix struct {
	*kernel.Rows
	Tiny []TinyEntry
	// plain says that no entry is so small that its product with a number of exponent zero leaves
	// the range of float64.
	plain bool
	// whole says that the rows sum to one up to rounding. An average over a row is then the state's
	// own value plus the mean difference from it, so that constants are unchanged. A plain sum
	// would multiply a constant by the rounded sum of the row. Such errors add up if they are the
	// same at every stage, like those of the weights of a mixture.
	whole bool
}

// leastPlain is the least entry of a plain operator. A Wide of exponent zero is at least 2^-256, so
// that a product is at least 2^-956.
const leastPlain = 0x1p-700

// checkPlain finds out whether the operator is plain.
func (o *Matrix) checkPlain() { o.plain = len(o.Tiny) == 0 && o.Least() >= leastPlain }

// TinyEntry is one transition probability, kept as its logarithm.
type TinyEntry struct {
	From, To int
	LogP     float64
}

// Push returns the distribution q after one transition.
func (o Matrix) Push(q []number.Wide) []number.Wide {
	next := make([]number.Wide, len(q))
	if masses, ok := o.floats(nil, q); ok {
		sums := make([]float64, len(q))
		for x, mass := range masses {
			if mass == 0 {
				continue
			}
			for _, e := range o.Row(x) {
				sums[e.To] += mass * e.P
			}
		}
		for y, v := range sums {
			next[y] = number.Scaled(v, 0)
		}
		return next
	}
	for x, mass := range q {
		if mass.M == 0 {
			continue
		}
		for _, e := range o.Row(x) {
			next[e.To] = next[e.To].Add(mass.Mul(number.Scaled(e.P, 0)))
		}
	}
	for _, e := range o.Tiny {
		next[e.To] = next[e.To].Add(q[e.From].Mul(number.WideExp(e.LogP)))
	}
	return next
}

// floats writes numbers to dst as float64 if sums of their products with the entries of the
// operator have the same digits in float64 as in number.Wide: if the operator is plain and all
// exponents are zero. Otherwise it returns false.
func (o Matrix) floats(dst []float64, v []number.Wide) ([]float64, bool) {
	if !o.plain {
		return dst, false
	}
	if cap(dst) < len(v) {
		dst = make([]float64, len(v))
	}
	dst = dst[:len(v)]
	for x, w := range v {
		if w.E != 0 {
			return dst, false
		}
		dst[x] = w.M
	}
	return dst, true
}

// Probability returns the probability to go from x to y. Time is the length of the row and of the
// tiny entries.
func (o Matrix) Probability(x, y int) number.Wide {
	if p := o.Rows.EntryAt(x, y); p > 0 {
		return number.Scaled(p, 0)
	}
	return o.tiny(x, y)
}

// probabilityAt returns the probability to go from x to y, given the place of its entry, or -1.
func (o Matrix) probabilityAt(place int32, x, y int) number.Wide {
	if place >= 0 {
		if p := o.Entries[place].P; p > 0 {
			return number.Scaled(p, 0)
		}
	}
	return o.tiny(x, y)
}

// tiny returns the probability of a tiny entry, zero if there is none. Tiny entries are sorted by
// the states that they lead to.
func (o Matrix) tiny(x, y int) number.Wide {
	for _, e := range o.Tiny[sort.Search(len(o.Tiny), func(i int) bool { return o.Tiny[i].To >= y }):] {
		if e.To != y {
			break
		}
		if e.From == x {
			return number.WideExp(e.LogP)
		}
	}
	return number.Wide{}
}

// The functions of this file take distributions and functions through all moves of a stage.

// MoveForward replaces the distribution of a chain at t-1 by that at t, as ratios to p_t in both.
func (s *Stage) MoveForward(r *Ratios) {
	for m := range s.Along(chains.Forward) {
		r.Move(&s.Here, m.Forward, m.Backward)
	}
}

// MoveBack replaces the distribution of x_t in the reverse chain by that of x_{t-1}, as ratios to
// p_{t-1}.
func (s *Stage) MoveBack(r *Ratios) {
	for m := range s.Along(chains.Reverse) {
		r.Move(&s.Here, m.Backward, m.Forward)
	}
	s.rebaseBack(r)
}

// rebaseBack changes the reference of the distribution of x_{t-1} in the reverse chain from p_t to
// p_{t-1}.
func (s *Stage) rebaseBack(r *Ratios) {
	back := make([]float64, len(s.Lambda))
	for x, l := range s.Lambda {
		back[x] = -l
	}
	r.Rebase(&s.Here, &s.Before, back)
}

// Average replaces v by E[v(x_{t-1}) | x_t] in the reverse chain: it is averaged over the rows of
// the reversals. scratch is memory of the same length.
func (s *Stage) Average(v, scratch []float64) {
	for m := range s.Along(chains.Forward) { // the last move of the reverse chain is averaged over first
		copy(scratch, v)
		for x := range v {
			own := 0.0
			total := 0.0
			if m.Backward.whole {
				own = scratch[x]
			}
			for _, e := range m.Backward.Row(x) {
				total += e.P * (scratch[e.To] - own)
			}
			v[x] = own + total
		}
	}
}

// Expect replaces a function v of the state after the stage, in a chain of direction d, by its
// expectation given the state before the stage: E[v(x_t) | x_{t-1}] forward, E[v(x_{t-1}) | x_t] in
// reverse.
func (s *Stage) Expect(d chains.Direction, v *Ratios) {
	for m := range s.Along(opposite(d)) { // the last move of the chain is averaged over first
		v.Average(m.Along(d))
	}
}

// opposite returns the direction that is not d.
func opposite(d chains.Direction) chains.Direction {
	if d == chains.Forward {
		return chains.Reverse
	}
	return chains.Forward
}

// Spread replaces marked states by those from which the moves of the reverse chain may lead to a
// marked one.
func (s *Stage) Spread(marked []bool) {
	next := make([]bool, len(marked))
	for m := range s.Along(chains.Forward) {
		for x := range next {
			next[x] = false
			for _, e := range m.Backward.Row(x) {
				next[x] = next[x] || (e.P > 0 && marked[e.To])
			}
		}
		for _, e := range m.Backward.Tiny {
			next[e.From] = next[e.From] || marked[e.To]
		}
		copy(marked, next)
	}
}

// Push returns the distribution q of the forward chain after the moves of the stage.
func (s *Stage) Push(q []number.Wide) []number.Wide {
	for m := range s.Along(chains.Forward) {
		q = m.Forward.Push(q)
	}
	return q
}

// PushBack returns the distribution r of the reverse chain after the moves of the stage.
func (s *Stage) PushBack(r []number.Wide) []number.Wide {
	for m := range s.Along(chains.Reverse) {
		r = s.PushBackBy(m, r)
	}
	return r
}

// Density returns the distribution at t, which is the stage that is loaded or the one before it.
func (s *Stage) Density(t int) *Density {
	if t == s.t {
		return &s.Here
	}
	return &s.Before
}

// Masses returns the probabilities of q, given the reference p.
func (r *Ratios) Masses(p *Density) []float64 {
	q := make([]float64, len(r.H))
	for x := range q {
		q[x] = r.Mass(x, p).Float()
	}
	return q
}

// Masses returns the probabilities of a density.
func (d *Density) Masses() []number.Wide {
	q := make([]number.Wide, len(d.Log))
	for x, v := range d.Log {
		q[x] = number.WideExp(v)
	}
	return q
}

// Density is a distribution over the states.
type Density struct {
	Log  []float64 // the logarithm of each probability, -Inf if it is zero
	P    []float64 // the probabilities; zero if they underflow
	LogZ float64   // log of the sum of f
}

// On reports whether the probability of state x is positive, even if it underflows.
func (d *Density) On(x int) bool { return !math.IsInf(d.Log[x], -1) }
