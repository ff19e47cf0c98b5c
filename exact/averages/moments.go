package averages

import (
	"context"

	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// The sample variance with divisor N - 1 is 1 + (Q + 1 - S^2/N)/(N - 1), with S the sum of h and Q
// that of r = h^2 - 1. Its mean squared error needs the joint moments of S and Q to fourth order,
// where Q counts as second order. They are coefficients of the power series E[exp(s S + q Q)]: that
// of s^a q^b is E[S^a Q^b]/(a! b!). One more sample multiplies the series by exp(s h + q r).

// The moments whose E[... | x_1] is kept, by their place in both methods. In a name such as rS2Q
// the digit is the power of S.
const (
	momentS = iota
	momentS2
	momentQ
	momentS3
	momentSQ
	momentS4
	momentS2Q
	momentQ2
)

// moments is the system of the eight joint moments of S and Q that change, all but that of order
// zero, each divided by its factorials.
type moments struct {
	lanes8
	chain  *Chain
	values []float64
	// The means of h^3, h^4 and r^2 under the target. The last is the kurtosis less one, without
	// the loss of digits of that difference.
	third, fourth, spread float64
	mean                  [8]number.SizedSum // of each moment under the target; those of S and Q stay zero
}

func newMoments(c *Chain, f *Function) *moments {
	m := &moments{lanes8: newLanes8(c.States()), chain: c, values: f.Values, fourth: f.Kurtosis}
	var third, spread number.Sum
	for x, p := range c.Target {
		if h := f.Values[x]; p > 0 {
			third.Add(p * h * h * h)
			spread.Add(p * (h*h - 1) * (h*h - 1))
		}
	}
	m.third, m.spread = third.Value(), spread.Value()
	return m
}

func (m *moments) lanes() int { return 8 }

func (m *moments) centre() { m.centreUnder(m.chain.Target) }

func (m *moments) tau(n int64) float64 { return 2 * m.mean[momentS2].Value() / float64(n) }

func (m *moments) step() {
	rows := m.multiplyFactors(m.chain)
	p := m.chain.Target
	at := m.at
	next := m.next
	means := m.means
	s2, s3, sq := m.mean[momentS2].Value(), m.mean[momentS3].Value(), m.mean[momentSQ].Value()
	var rise [8]number.Sum
	var t [8]float64
	for low := 0; low < len(p); low += chunk {
		var r1, r3, r4, r5, r6, r7 float64
		for x := low; x < min(low+chunk, len(p)); x++ {
			m.unit.Gather(&t, at, rows.Row(x))
			t0, t1, t2, t3 := t[0]-means[0], t[1]-means[1], t[2]-means[2], t[3]-means[3]
			t4, t5, t6, t7 := t[4]-means[4], t[5]-means[5], t[6]-means[6], t[7]-means[7]
			// The sample at x adds the product of exp(s h + q r), less its constant term, and the
			// series of the others: here with the parts of mean zero, and below with the means.
			h := m.values[x]
			square := float64(h * h)
			r := square - 1
			half := square * 0.5
			cube := square * h * (1.0 / 6)
			v1 := float64(h * t0)
			v3 := float64(half*t0) + float64(h*t1)
			v4 := float64(h*t2) + float64(r*t0)
			v5 := float64(cube*t0) + float64(half*t1) + float64(h*t3)
			v6 := float64(half*t2) + float64(h*r*t0) + float64(h*t4) + float64(r*t1)
			v7 := float64(r * t2)
			next[x] = [8]float64{
				t0 + h,
				t1 + (v1 + half),
				t2 + r,
				t3 + (v3 + cube + float64(h*s2)),
				t4 + (v4 + float64(h*r)),
				t5 + (v5 + float64(square*square)*(1.0/24) + float64(half*s2) + float64(h*s3)),
				t6 + (v6 + float64(half*r) + float64(r*s2) + float64(h*sq)),
				t7 + (v7 + float64(r*r)*0.5),
			}
			if q := p[x]; q > 0 {
				r1 += float64(q * v1)
				r3 += float64(q * v3)
				r4 += float64(q * v4)
				r5 += float64(q * v5)
				r6 += float64(q * v6)
				r7 += float64(q * v7)
			}
		}
		for k, r := range [8]float64{
			momentS2:  r1,
			momentS3:  r3,
			momentSQ:  r4,
			momentS4:  r5,
			momentS2Q: r6,
			momentQ2:  r7,
		} {
			rise[k].Add(r)
		}
	}
	m.addSample(rise, s2)
	m.at, m.next = next, at
}

// addSample adds to the means under the target what one more sample adds. The means of h and r are
// zero, and that of h^2 is one.
func (m *moments) addSample(rise [8]number.Sum, s2 float64) {
	known := [8]float64{
		momentS2: 0.5, momentS3: m.third / 6, momentSQ: m.third,
		momentS4: m.fourth/24 + s2/2, momentS2Q: m.spread / 2, momentQ2: m.spread / 2,
	}
	for k := range rise {
		more := rise[k].Value()
		m.mean[k].Add(known[k], 1)
		m.mean[k].Add(more, 1)
		m.means[k] = known[k] + more
	}
}

func (m *moments) read(from deviation, rounding float64, r *reading) {
	r.rounding = rounding
	var all [8]part
	for k := range all {
		all[k] = m.meanOf(from, k, sized(&m.mean[k]))
	}
	r.addMoments(all[:])
}

// Variance returns the variances of time averages of a function in units of its variance under the
// target, as kernel.Diagnosis.AsymptoticVariance does: Autocorrelation is tau, by which N is
// divided in the long run. It fails if the chain is not irreducible; the error states the number of
// classes.
func (c *Chain) Variance(ctx context.Context, f *Function) (kernel.Variance, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	d, err := c.diagnosed(ctx)
	if err != nil {
		return kernel.Variance{}, err
	}
	return d.AsymptoticVariance(ctx, f.Values)
}
