package exact

import (
	"math"
	"slices"
)

// ratios is a distribution q over the states, held as its ratio to a reference p that moves with the stage.
//
// Where q/p is from 1/2 to 3/2 the deviation u = q/p - 1 is what is propagated, and q/p follows from it;
// elsewhere q/p, which is a sum of positive terms, is propagated and u follows. So neither loses digits.
// Where p is zero the mass of q is held instead.
type ratios struct {
	h, u []wide // q/p and q/p - 1
	off  []wide // q where p is zero
	// sums of an averaging step
	nextH, nextU, nextOff []wide
}

// newRatios returns q = p.
func newRatios(p *density) *ratios {
	n := len(p.log)
	r := &ratios{
		h: make([]wide, n), u: make([]wide, n), off: make([]wide, n),
		nextH: make([]wide, n), nextU: make([]wide, n), nextOff: make([]wide, n),
	}
	for x := range r.h {
		if p.on(x) {
			r.h[x] = wide{1, 0}
		}
	}
	return r
}

// clone returns a copy to read from, without the memory that move needs.
func (r *ratios) clone() *ratios {
	return &ratios{h: slices.Clone(r.h), u: slices.Clone(r.u), off: slices.Clone(r.off)}
}

// resume returns a copy of a clone to go on with.
func (r *ratios) resume() *ratios {
	c, n := r.clone(), len(r.h)
	c.nextH, c.nextU, c.nextOff = make([]wide, n), make([]wide, n), make([]wide, n)
	return c
}

// divergences returns those between q and the reference p.
func (r *ratios) divergences(p *density) *divergences {
	d := &divergences{}
	for x := range r.h {
		if p.on(x) {
			d.add(p.p[x], p.log[x], r.h[x], r.u[x])
		} else if mass := r.off[x]; mass.m != 0 {
			d.addOff(mass.float())
		}
	}
	return d
}

// near reports whether q/p = h is held as a deviation.
func near(h wide) bool { return h.e == 0 && h.m >= 0.5 && h.m <= 1.5 }

// set makes q/p = h at x; u is its deviation, to be trusted where h is near one.
func (r *ratios) set(x int, h, u wide) {
	if near(h) {
		r.u[x] = u
		r.h[x] = scaled(1+u.float(), 0)
		return
	}
	r.h[x] = h
	r.u[x] = h.add(wide{-1, 0})
}

// setRatio makes q/p = h at x, for h known to full relative accuracy and no better.
func (r *ratios) setRatio(x int, h wide) { r.set(x, h, h.add(wide{-1, 0})) }

// mass returns q at x under the reference p.
func (r *ratios) mass(x int, p *density) wide {
	if !p.on(x) {
		return r.off[x]
	}
	return wideExp(p.log[x]).mul(r.h[x])
}

// rebase changes the reference from one distribution to the next; lambda is log(from/to) where both are
// positive, to full relative accuracy. Ratios far from one are multiplied by the difference of the rounded logs
// instead: its errors cancel in the mass, ratio times reference, over all stages.
func (r *ratios) rebase(from, to *density, lambda []float64) {
	for x := range r.h {
		switch was, is := from.on(x), to.on(x); {
		case was && is:
			r.multiply(x, lambda[x], from.log[x]-to.log[x])
		case was:
			r.off[x] = r.mass(x, from)
			r.h[x], r.u[x] = wide{}, wide{}
		case is:
			r.setRatio(x, r.off[x].mul(wideExp(-to.log[x])))
			r.off[x] = wide{}
		}
	}
}

// multiply makes q/p at x greater by the factor exp(lambda), of which difference is the less accurate form.
func (r *ratios) multiply(x int, lambda, difference float64) {
	if math.Abs(lambda) > 0.5 || !near(r.h[x]) {
		r.setRatio(x, r.h[x].mul(wideExp(difference)))
		return
	}
	u, e := r.u[x].float(), math.Expm1(lambda)
	u += e + u*e
	r.set(x, scaled(1+u, 0), scaled(u, 0))
}

// move replaces q by q after one transition T, where p is invariant under T: q/p at x becomes the average of
// q/p over the row x of T's time reversal. Mass where p is zero moves by T itself.
func (r *ratios) move(p *density, T *Rows, reversal *Rows, tiny []tinyEntry) {
	for x := range r.h {
		var h, u wide
		for _, e := range reversal.Row(x) {
			c := scaled(e.P, 0)
			h = h.add(c.mul(r.h[e.To]))
			u = u.add(c.mul(r.u[e.To]))
		}
		r.nextH[x], r.nextU[x], r.nextOff[x] = h, u, wide{}
	}
	for _, e := range tiny {
		c := wideExp(e.logP)
		r.nextH[e.from] = r.nextH[e.from].add(c.mul(r.h[e.to]))
		r.nextU[e.from] = r.nextU[e.from].add(c.mul(r.u[e.to]))
	}
	for y, mass := range r.off {
		if mass.m != 0 {
			r.moveOff(y, mass, p, T)
		}
	}
	for x := range r.h {
		if p.on(x) {
			r.set(x, r.nextH[x], r.nextU[x])
		}
	}
	r.off, r.nextOff = r.nextOff, r.off
}

func (r *ratios) moveOff(y int, mass wide, p *density, T *Rows) {
	for _, e := range T.Row(y) {
		arrives := mass.mul(scaled(e.P, 0))
		if !p.on(e.To) {
			r.nextOff[e.To] = r.nextOff[e.To].add(arrives)
			continue
		}
		ratio := arrives.mul(wideExp(-p.log[e.To]))
		r.nextH[e.To] = r.nextH[e.To].add(ratio)
		r.nextU[e.To] = r.nextU[e.To].add(ratio)
	}
}
