package stage

import (
	"math"

	"breadboard/chains/number"
)

// seriesBelow is the |u| below which the functions of this file are summed as power series. Above it their direct
// formulas multiply the rounding error by at most 2/|u|.
const seriesBelow = 0.125

// Excess returns exp(v) - 1 - v >= 0 to full relative accuracy.
func Excess(v float64) float64 {
	if math.Abs(v) >= seriesBelow {
		return math.Expm1(v) - v
	}
	total := 1.0 // Horner's scheme for v^2/2 (1 + v/3 (1 + v/4 (...)))
	for _, share := range [...]float64{1. / 14, 1. / 13, 1. / 12, 1. / 11, 1. / 10, 1. / 9, 1. / 8, 1. / 7, 1. / 6, 1. / 5, 1. / 4, 1. / 3} {
		total = 1 + v*share*total
	}
	return v * v / 2 * total
}

// Expm1Excess returns e = exp(v) - 1, above = Excess(v) and below = Excess(-v), for |v| of at most one. It computes
// below as (v e - above)/(1 + e), a subtraction that costs few digits because v e is about twice above.
func Expm1Excess(v float64) (e, above, below float64) {
	e = math.Expm1(v)
	if above = e - v; math.Abs(v) < seriesBelow {
		above = Excess(v)
	}
	return e, above, (v*e - above) / (1 + e)
}

// ForwardExcess returns (1+u) log(1+u) - u >= 0, the sum over k >= 2 of (-u)^k / (k(k-1)).
func ForwardExcess(u float64) float64 {
	if math.Abs(u) >= seriesBelow {
		return (1+u)*math.Log1p(u) - u
	}
	total := 0.0
	for _, c := range [...]float64{1. / (20 * 19), 1. / (19 * 18), 1. / (18 * 17), 1. / (17 * 16), 1. / (16 * 15), 1. / (15 * 14), 1. / (14 * 13), 1. / (13 * 12), 1. / (12 * 11), 1. / (11 * 10), 1. / (10 * 9), 1. / (9 * 8), 1. / (8 * 7), 1. / (7 * 6), 1. / (6 * 5), 1. / (5 * 4), 1. / (4 * 3), 1. / (3 * 2), 1. / (2 * 1)} {
		total = c - u*total
	}
	return u * u * total
}

// ReverseExcess returns u - log(1+u) >= 0, the sum over k >= 2 of (-u)^k / k.
func ReverseExcess(u float64) float64 {
	if math.Abs(u) >= seriesBelow {
		return u - math.Log1p(u)
	}
	total := 0.0
	for _, c := range [...]float64{1. / 20, 1. / 19, 1. / 18, 1. / 17, 1. / 16, 1. / 15, 1. / 14, 1. / 13, 1. / 12, 1. / 11, 1. / 10, 1. / 9, 1. / 8, 1. / 7, 1. / 6, 1. / 5, 1. / 4, 1. / 3, 1. / 2} {
		total = c - u*total
	}
	return u * u * total
}

// Excesses returns ForwardExcess and ReverseExcess of u, with one logarithm for both.
func Excesses(u float64) (forward, reverse float64) {
	if math.Abs(u) < seriesBelow {
		return ForwardExcess(u), ReverseExcess(u)
	}
	l := math.Log1p(u)
	return (1+u)*l - u, u - l
}

// Divergences adds up the divergences between a distribution q and a reference p, in nats. Each state is added once, by Add or AddOff.
type Divergences struct {
	j, qp, pq number.Sum
	drift     number.BlockSum
	// Condition is by how much KL(p||q) changes, in nats, for a relative change of one in every u.
	Condition float64
	OffStates int     // the number of states where p is zero and q is not
	OffMass   float64 // the mass of q on these states
	Missing   int     // the number of states where q is zero and p is not
	MissMass  float64 // the mass of p on these states
}

// Add adds a state with probability p > 0 under the reference, its logarithm logp, and the ratio q/p = h = 1 + u. Every
// term of the three sums is non-negative, so that nothing cancels.
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
	q, logh := number.WideExp(logp).Mul(h).Float(), h.Log()
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

// Values returns J, KL(q||p) and KL(p||q). The sums that Add makes are these divergences where q and p are positive on
// the same states; Values corrects them for the other states, and returns +Inf where a divergence is infinite.
func (d *Divergences) Values() (j, qp, pq float64) {
	qp, pq = d.qp.Value(), d.pq.Value()
	j = d.j.Value()
	pq += d.OffMass
	if d.OffStates > 0 {
		j, qp = math.Inf(1), math.Inf(1)
	}
	if d.Missing > 0 {
		j, pq = math.Inf(1), math.Inf(1)
		qp += d.MissMass // a state with q = 0 adds p to the sum of q log(q/p) - (q - p)
	}
	return j, qp, pq
}

// Weight returns (f_t/f_{t-1})^sign at x, and zero where f_t or f_{t-1} is zero.
func (s *Stage) Weight(x int, sign float64) number.Wide {
	if !s.Both(x) {
		return number.Wide{}
	}
	return number.WideExp(sign * s.Delta[x])
}

// PushBackBy returns the law r of the reverse chain after one move. Where the kernel is not of the library it does not use the backward rows that
// the solver has made. It sends mass back along the forward flows, from y to x with probability p(x) T(x,y) / p(y). A check that uses PushBackBy
// therefore finds out where the solver has made a wrong reversal, or has taken the rows for their own reversal and should not have.
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
