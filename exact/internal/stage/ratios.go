package stage

import (
	"math"
	"slices"

	"breadboard/chains/number"
)

// Ratios is a distribution q over the states, held as its ratio to a reference p that moves with
// the stage.
//
// If q/p is from 1/2 to 3/2, the deviation u = q/p - 1 is propagated and q/p is computed from it.
// Otherwise q/p, which is a sum of positive terms, is propagated and u is computed from it. So
// neither loses digits. If p is zero, the mass of q is held.
type Ratios struct {
	H, U []number.Wide // q/p and q/p - 1
	Off  []number.Wide // the mass of q where p is zero
	// NextH, NextU and nextOff are memory in which a move adds up the new values.
	NextH, NextU, nextOff []number.Wide
	plainH, plainU        []float64 // memory for the ratios as plain numbers
}

// NewRatios returns the ratios of q = p, which are one where p is positive.
func NewRatios(p *Density) *Ratios {
	n := len(p.Log)
	r := &Ratios{
		H: make([]number.Wide, n), U: make([]number.Wide, n), Off: make([]number.Wide, n),
		NextH: make([]number.Wide, n), NextU: make([]number.Wide, n), nextOff: make([]number.Wide, n),
	}
	for x := range r.H {
		if p.On(x) {
			r.H[x] = number.Wide{M: 1}
		}
	}
	return r
}

// NewFunction returns a function on the states, to be averaged by Average. It is held like a ratio:
// as deviations from one if its values are from 1/2 to 3/2.
func NewFunction(values []number.Wide) *Ratios {
	n := len(values)
	r := &Ratios{
		H:     make([]number.Wide, n),
		U:     make([]number.Wide, n),
		NextH: make([]number.Wide, n),
		NextU: make([]number.Wide, n),
	}
	for x, v := range values {
		r.SetRatio(x, v)
	}
	return r
}

// Average replaces a function by its averages over the rows of an operator, at all states,
// including those where p is zero.
func (r *Ratios) Average(o Matrix) {
	if !r.averagePlain(o) {
		r.averageRows(o)
	}
	for x := range r.H {
		r.Set(x, r.NextH[x], r.NextU[x])
	}
}

// Clone returns a copy to read from. It lacks the memory that Move needs; see Resume.
func (r *Ratios) Clone() *Ratios {
	return &Ratios{H: slices.Clone(r.H), U: slices.Clone(r.U), Off: slices.Clone(r.Off)}
}

// Resume returns a copy of a clone with the memory that Move needs.
func (r *Ratios) Resume() *Ratios {
	c := r.Clone()
	n := len(r.H)
	c.NextH = make([]number.Wide, n)
	c.NextU = make([]number.Wide, n)
	c.nextOff = make([]number.Wide, n)
	return c
}

// Divergences returns the divergences between q and the reference p.
func (r *Ratios) Divergences(p *Density) *Divergences {
	d := &Divergences{}
	for x := range r.H {
		if p.On(x) {
			d.Add(p.P[x], p.Log[x], r.H[x], r.U[x])
		} else if mass := r.Off[x]; mass.M != 0 {
			d.AddOff(mass.Float())
		}
	}
	return d
}

// Near reports whether h is from 1/2 to 3/2, so that Ratios with q/p = h hold it as a deviation
// from one.
func Near(h number.Wide) bool { return h.E == 0 && h.M >= 0.5 && h.M <= 1.5 }

// Set makes q/p = h at x. If h is Near one the deviation u is taken to be exact and h is not used.
func (r *Ratios) Set(x int, h, u number.Wide) {
	if Near(h) {
		r.U[x] = u
		r.H[x] = number.Scaled(1+u.Float(), 0)
		return
	}
	r.H[x] = h
	r.U[x] = h.Add(number.Wide{M: -1})
}

// SetRatio makes q/p = h at x, for an h whose deviation from one is no more accurate than h itself.
func (r *Ratios) SetRatio(x int, h number.Wide) { r.Set(x, h, h.Add(number.Wide{M: -1})) }

// Mass returns the probability of x under q, given the reference p.
func (r *Ratios) Mass(x int, p *Density) number.Wide {
	if !p.On(x) {
		return r.Off[x]
	}
	return number.WideExp(p.Log[x]).Mul(r.H[x])
}

// Rebase changes the reference from one distribution to the next, while q stays the same. lambda is
// log(from/to) if both are positive, to full relative accuracy. Ratios far from one are multiplied
// by exp of the difference of the rounded logs of the two distributions, not of lambda: the
// roundings of these logs then cancel in the mass, which is ratio times reference, over all stages.
func (r *Ratios) Rebase(from, to *Density, lambda []float64) {
	for x := range r.H {
		switch was, is := from.On(x), to.On(x); {
		case was && is:
			r.multiply(x, lambda[x], from.Log[x]-to.Log[x])
		case was:
			r.Off[x] = r.Mass(x, from)
			r.H[x], r.U[x] = number.Wide{}, number.Wide{}
		case is:
			r.SetRatio(x, r.Off[x].Mul(number.WideExp(-to.Log[x])))
			r.Off[x] = number.Wide{}
		}
	}
}

// Leave removes the mass of q where p is zero, and returns it.
func (r *Ratios) Leave() float64 {
	var mass number.Sum
	for x := range r.Off {
		mass.Add(r.Off[x].Float())
		r.Off[x] = number.Wide{}
	}
	return mass.Value()
}

// multiply multiplies q/p at x by exp(lambda). difference is lambda as the difference of two
// rounded logs (see Rebase).
func (r *Ratios) multiply(x int, lambda, difference float64) {
	if math.Abs(lambda) > 0.5 || !Near(r.H[x]) {
		r.SetRatio(x, r.H[x].Mul(number.WideExp(difference)))
		return
	}
	u := r.U[x].Float()
	e := math.Expm1(lambda)
	u += e + u*e
	r.Set(x, number.Scaled(1+u, 0), number.Scaled(u, 0))
}

// Move replaces q by the distribution after one transition T, which leaves p invariant: q/p at x
// becomes the average of q/p over row x of T's time reversal. Mass that is where p is zero moves by
// T itself.
func (r *Ratios) Move(p *Density, T, reversal Matrix) {
	if !r.averagePlain(reversal) {
		r.averageRows(reversal)
	}
	clear(r.nextOff)
	for y, mass := range r.Off {
		if mass.M != 0 {
			r.moveOff(y, mass, p, T)
		}
	}
	for x := range r.H {
		if p.On(x) {
			r.Set(x, r.NextH[x], r.NextU[x])
		}
	}
	r.Off, r.nextOff = r.nextOff, r.Off
}

// averageRows writes the averages of q/p and of q/p - 1 over the rows of an operator to NextH and
// NextU.
func (r *Ratios) averageRows(o Matrix) {
	for x := range r.H {
		var h, u number.Wide
		for _, e := range o.Row(x) {
			c := number.Scaled(e.P, 0)
			h = h.Add(c.Mul(r.H[e.To]))
			u = u.Add(c.Mul(r.U[e.To]))
		}
		r.NextH[x], r.NextU[x] = h, u
	}
	for _, e := range o.Tiny {
		c := number.WideExp(e.LogP)
		r.NextH[e.From] = r.NextH[e.From].Add(c.Mul(r.H[e.To]))
		r.NextU[e.From] = r.NextU[e.From].Add(c.Mul(r.U[e.To]))
	}
}

// averagePlain does the same as average if float64 has the range for it, and returns false
// otherwise. If rows are whole it adds the mean difference to the state's own value. The exception
// is a state that loses more than half of its ratio, since the two would cancel. There, and if rows
// are not whole, its numbers are those of average to the last bit.
func (r *Ratios) averagePlain(o Matrix) (ok bool) {
	r.plainH, ok = o.floats(r.plainH, r.H)
	if !ok {
		return false
	}
	r.plainU, ok = o.floats(r.plainU, r.U)
	if !ok {
		return false
	}
	for x := range r.H {
		ownH, ownU := r.plainH[x], r.plainU[x]
		var h, u, riseH, riseU float64
		for _, e := range o.Row(x) {
			hThere := r.plainH[e.To]
			uThere := r.plainU[e.To]
			h += e.P * hThere
			u += e.P * uThere
			riseH += e.P * (hThere - ownH)
			riseU += e.P * (uThere - ownU)
		}
		if o.whole && ownH+riseH >= ownH/2 {
			h = ownH + riseH
			u = ownU + riseU
		}
		r.NextH[x], r.NextU[x] = number.Scaled(h, 0), number.Scaled(u, 0)
	}
	return true
}

// moveOff moves the mass at y, where p is zero, by T.
func (r *Ratios) moveOff(y int, mass number.Wide, p *Density, T Matrix) {
	for _, e := range T.Row(y) {
		arrives := mass.Mul(number.Scaled(e.P, 0))
		if !p.On(e.To) {
			r.nextOff[e.To] = r.nextOff[e.To].Add(arrives)
			continue
		}
		ratio := arrives.Mul(number.WideExp(-p.Log[e.To]))
		r.NextH[e.To] = r.NextH[e.To].Add(ratio)
		r.NextU[e.To] = r.NextU[e.To].Add(ratio)
	}
}

// seriesBelow is the |u| below which the functions of this file are summed as power series. Above
// it their direct formulas multiply the rounding error by at most 2/|u|.
const seriesBelow = 0.125

// Excess returns exp(v) - 1 - v >= 0 to full relative accuracy.
func Excess(v float64) float64 {
	if math.Abs(v) >= seriesBelow {
		return math.Expm1(v) - v
	}
	total := 1.0 // Horner's scheme for v^2/2 (1 + v/3 (1 + v/4 (...)))
	for _, share := range [...]float64{
		1. / 14, 1. / 13, 1. / 12, 1. / 11, 1. / 10, 1. / 9, 1. / 8, 1. / 7, 1. / 6, 1. / 5, 1. / 4, 1. / 3} {
		total = 1 + v*share*total
	}
	return v * v / 2 * total
}

// Expm1Excess returns e = exp(v) - 1, above = Excess(v) and below = Excess(-v), for |v| of at most
// one. It computes below as (v e - above)/(1 + e), a subtraction that costs few digits because v e
// is about twice above.
func Expm1Excess(v float64) (e, above, below float64) {
	e = math.Expm1(v)
	above = e - v
	if math.Abs(v) < seriesBelow {
		above = Excess(v)
	}
	return e, above, (v*e - above) / (1 + e)
}

// Excesses returns (1+u) log(1+u) - u >= 0 and u - log(1+u) >= 0, to full relative accuracy. With s
// = u/(2+u), log(1+u) is 2s + tail, where tail = 2 (s^3/3 + s^5/5 + ...), and u - 2s is us.
func Excesses(u float64) (forward, reverse float64) {
	if math.Abs(u) >= seriesBelow {
		l := math.Log1p(u)
		return (1+u)*l - u, u - l
	}
	s := u / (2 + u)
	z := s * s
	zz := z * z // even and odd powers are summed apart, at the same time
	even := 2./3 + float64(zz*(2./7+float64(zz*(2./11+float64(zz*(2./15))))))
	odd := 2./5 + float64(zz*(2./9+float64(zz*(2./13+float64(zz*(2./17))))))
	tail := s * z * (even + float64(z*odd))
	return float64(u*s) + float64((1+u)*tail), float64(u*s) - tail
}

// Divergences adds up the divergences between a distribution q and a reference p, in nats. Each
// state is added once, by Add or AddOff.
type Divergences struct {
	j, qp, pq number.Sum
	drift     number.BlockSum
	// Condition is the change of KL(p||q), in nats, for a relative change of one in every u.
	Condition float64
	OffStates int     // the number of states where p is zero and q is not
	OffMass   float64 // the mass of q on these states
	Missing   int     // the number of states where q is zero and p is not
	MissMass  float64 // the mass of p on these states
}

// Add adds a state with probability p > 0 under the reference, its logarithm logp, and the ratio
// q/p = h = 1 + u. Every term of the three sums is non-negative, so that nothing cancels.
func (d *Divergences) Add(p, logp float64, h, u number.Wide) {
	switch {
	case h.M == 0:
		d.Missing++
		d.MissMass += p
		d.drift.Add(-p)
		return
	case Near(h):
		v := u.Float()
		forward, reverse := Excesses(v)
		d.qp.Add(p * forward)
		d.pq.Add(p * reverse)
		d.j.Add(p * v * math.Log1p(v))
		d.drift.Add(p * v)
		d.Condition += p * v * v / (1 + v)
		return
	}
	q := number.WideExp(logp).Mul(h).Float()
	logh := h.Log()
	d.qp.Add(q*logh - (q - p))
	d.pq.Add((q - p) - p*logh)
	d.j.Add((q - p) * logh)
	d.drift.Add(q - p)
	if v := u.Float(); v < 0 {
		d.Condition += p * v * v / (1 + v)
	}
}

// AddOff adds a state where p is zero and q has the given mass.
func (d *Divergences) AddOff(q float64) {
	d.OffStates++
	d.OffMass += q
	d.drift.Add(q)
}

// Drift returns the total mass of q minus one.
func (d *Divergences) Drift() float64 { return d.drift.Value() }

// Values returns J, KL(q||p) and KL(p||q). The sums that Add makes are these divergences where q
// and p are positive on the same states; Values corrects them for the other states, and returns
// +Inf if a divergence is infinite.
func (d *Divergences) Values() (j, qp, pq float64) {
	qp, pq = d.qp.Value(), d.pq.Value()
	j = d.j.Value()
	pq += d.OffMass
	if d.OffStates > 0 {
		j = math.Inf(1)
		qp = math.Inf(1)
	}
	if d.Missing > 0 {
		j = math.Inf(1)
		pq = math.Inf(1)
		qp += d.MissMass // a state with q = 0 adds p to the sum of q log(q/p) - (q - p)
	}
	return j, qp, pq
}

// Weight returns (f_t/f_{t-1})^sign at x, and zero if f_t or f_{t-1} is zero.
func (s *Stage) Weight(x int, sign float64) number.Wide {
	if !s.Both(x) {
		return number.Wide{}
	}
	return number.WideExp(sign * s.Delta[x])
}

// PushBackBy returns the distribution r of the reverse chain after one move. If the kernel is not
// of the library it does not use the backward rows of the solver. It sends mass back along the
// forward flows, from y to x with probability p(x) T(x,y) / p(y). So a check that uses PushBackBy
// detects a wrong reversal in the solver, including rows that were wrongly taken for their own
// reversal.
func (s *Stage) PushBackBy(m *Move, r []number.Wide) []number.Wide {
	if !s.Outside {
		return m.Backward.Push(r)
	}
	next := make([]number.Wide, len(r))
	share := make([]number.Wide, len(r)) // r/p
	for y, mass := range r {
		if s.Here.On(y) {
			share[y] = mass.Mul(number.WideExp(-s.Here.Log[y]))
			continue
		}
		for _, e := range m.Backward.Row(y) { // p(y) is zero, so that there is no flow to send back
			next[e.To] = next[e.To].Add(mass.Mul(number.Scaled(e.P, 0)))
		}
	}
	for x := range r {
		if !s.Here.On(x) {
			continue
		}
		var back number.Wide
		for _, e := range m.Forward.Row(x) {
			back = back.Add(share[e.To].Mul(number.Scaled(e.P, 0)))
		}
		next[x] = next[x].Add(back.Mul(number.WideExp(s.Here.Log[x])))
	}
	for _, e := range m.Forward.Tiny {
		next[e.From] = next[e.From].Add(share[e.To].Mul(number.WideExp(e.LogP)).Mul(number.WideExp(s.Here.Log[e.From])))
	}
	return next
}

// Total returns the sum of the masses.
func Total(q []number.Wide) number.Wide {
	var t number.Wide
	for _, v := range q {
		t = t.Add(v)
	}
	return t
}
