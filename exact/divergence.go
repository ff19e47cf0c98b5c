package exact

import "math"

// seriesBelow is the |u| below which the functions here are summed as power series. Above it their direct
// forms lose at most a factor 2/u of rounding.
const seriesBelow = 0.125

// excess returns exp(v) - 1 - v >= 0 to full relative accuracy.
func excess(v float64) float64 {
	if math.Abs(v) >= seriesBelow {
		return math.Expm1(v) - v
	}
	total := 1.0 // Horner: v^2/2 (1 + v/3 (1 + v/4 (...)))
	for _, share := range [...]float64{1. / 14, 1. / 13, 1. / 12, 1. / 11, 1. / 10, 1. / 9, 1. / 8, 1. / 7, 1. / 6, 1. / 5, 1. / 4, 1. / 3} {
		total = 1 + v*share*total
	}
	return v * v / 2 * total
}

// expm1Excess returns e = exp(v) - 1, excess(v) and excess(-v) = (v e - excess(v))/(1 + e), for |v| of at most one: a
// subtraction from twice as much.
func expm1Excess(v float64) (e, above, below float64) {
	e = math.Expm1(v)
	if above = e - v; math.Abs(v) < seriesBelow {
		above = excess(v)
	}
	return e, above, (v*e - above) / (1 + e)
}

// forwardExcess returns (1+u) log(1+u) - u >= 0, the sum over k >= 2 of (-u)^k / (k(k-1)).
func forwardExcess(u float64) float64 {
	if math.Abs(u) >= seriesBelow {
		return (1+u)*math.Log1p(u) - u
	}
	return u * u * series(u, func(k float64) float64 { return 1 / (k * (k - 1)) })
}

// reverseExcess returns u - log(1+u) >= 0, the sum over k >= 2 of (-u)^k / k.
func reverseExcess(u float64) float64 {
	if math.Abs(u) >= seriesBelow {
		return u - math.Log1p(u)
	}
	return u * u * series(u, func(k float64) float64 { return 1 / k })
}

// series returns the sum over k >= 2 of (-u)^(k-2) c(k), for |u| < seriesBelow.
func series(u float64, c func(k float64) float64) float64 {
	total := 0.0
	for k := 20.0; k >= 2; k-- {
		total = c(k) - u*total
	}
	return total
}

// divergences are those between a distribution q and a reference p, in nats.
type divergences struct {
	j, qp, pq sum
	drift     float64 // total mass of q, less one
	// condition is how much a relative error in every u is amplified in KL(p||q).
	condition float64
	offStates int     // states where p is zero and q is not
	offMass   float64 // and the mass of q there
	missing   int     // states where q is zero and p is not
	missMass  float64 // and the mass of p there
}

// add takes in a state with p > 0, log p and the ratio q/p = h = 1 + u. Every term of the three sums is
// non-negative, so that nothing cancels.
func (d *divergences) add(p, logp float64, h, u wide) {
	switch {
	case h.m == 0:
		d.missing++
		d.missMass += p
		d.drift -= p
		return
	case near(h):
		v := u.float()
		d.qp.add(p * forwardExcess(v))
		d.pq.add(p * reverseExcess(v))
		d.j.add(p * v * math.Log1p(v))
		d.drift += p * v
		d.condition += p * v * v / (1 + v)
		return
	}
	q, logh := wideExp(logp).mul(h).float(), h.log()
	d.qp.add(q*logh - (q - p))
	d.pq.add((q - p) - p*logh)
	d.j.add((q - p) * logh)
	d.drift += q - p
	if v := u.float(); v < 0 {
		d.condition += p * v * v / (1 + v)
	}
}

// addOff takes in a state where p is zero and q has the given mass.
func (d *divergences) addOff(q float64) {
	d.offStates++
	d.offMass += q
	d.drift += q
}

// values returns J, KL(q||p) and KL(p||q). The sums of add are these up to the mass that is off the support
// of p: sum p u = -mass.
func (d *divergences) values() (j, qp, pq float64) {
	qp, pq = d.qp.value(), d.pq.value()
	j = d.j.value()
	pq += d.offMass
	if d.offStates > 0 {
		j, qp = math.Inf(1), math.Inf(1)
	}
	if d.missing > 0 {
		j, pq = math.Inf(1), math.Inf(1)
		qp += d.missMass // a state with q = 0 adds p to the sum of q log(q/p) - (q - p)
	}
	return j, qp, pq
}
