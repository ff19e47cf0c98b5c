package operator

import (
	"slices"

	"breadboard/chains/work"
	"breadboard/exact/internal/crew"
)

// Averager moves a distribution: it is a kernel's time reversal T~, which replaces the ratios q/p
// by their averages T~ (q/p).
type Averager interface {
	Average(dst, v []float64)
	AverageTerms(dst, v []float64)
}

// Ratios is a distribution q held as its ratio h = q/p to a reference p that is positive
// everywhere, in plain float64. If h is near one, that is from 1/2 to 5, the deviation u = h - 1 is
// propagated, and otherwise h, so that neither loses digits. An average of ratios near one is near
// one, so that mostly only u is moved.
type Ratios struct {
	U, H  []float64 // u and h; H has no meaning unless Far
	Far   bool      // whether there is a state at which h is not near one
	nextU []float64
	nextH []float64
	terms [2][]float64        // made if they are needed
	ratio func(x int) float64 // of Settle
	crew  *crew.Crew          // see Share
	found []bool              // by the parts
}

// near reports whether h = 1 + u is near one.
func near(u float64) bool { return u >= -0.5 && u <= 4 }

// Near reports whether h at x is near one.
func (r *Ratios) Near(x int) bool { return near(r.U[x]) }

// NewRatios returns the ratios of q = p on the given number of states.
func NewRatios(states int) *Ratios {
	r := &Ratios{}
	for _, v := range []*[]float64{&r.U, &r.H, &r.nextU, &r.nextH} {
		*v = work.Slice[float64](states)
	}
	return r
}

// Ratio returns h at x.
func (r *Ratios) Ratio(x int) float64 {
	if r.Far {
		return r.H[x]
	}
	return 1 + r.U[x]
}

// Share makes the ratios share their work with a crew, part by part, like the operators that move
// them (see the function Share).
func (r *Ratios) Share(c *crew.Crew) {
	r.crew = c
	r.found = make([]bool, (len(r.U)+partStates-1)/partStates)
}

// eachBlock calls do with all states, from first to end without the latter, and reports whether it
// has returned true for some. Several calls may be made at the same time.
func (r *Ratios) eachBlock(do func(r *Ratios, first, end int) bool) bool {
	if r.crew == nil {
		return do(r, 0, len(r.U))
	}
	r.crew.Run(len(r.found), func(i int) { r.found[i] = do(r, i*partStates, min((i+1)*partStates, len(r.U))) })
	return slices.Contains(r.found, true)
}

// Settle updates U, H and Far after the reference has changed. U must have the new deviations,
// which lose digits if they are far from zero, and ratio returns the new h of a state. It may be
// called for several states at the same time.
func (r *Ratios) Settle(ratio func(x int) float64) {
	if !r.Far && !r.eachBlock((*Ratios).strays) {
		return
	}
	r.ratio = ratio
	r.eachBlock((*Ratios).settleStates)
	r.Far = true
}

// strays reports whether h = 1 + u of some state is not near one.
func (r *Ratios) strays(first, end int) bool {
	far := false
	for _, u := range r.U[first:end] {
		far = far || !near(u)
	}
	return far
}

// settleStates settles some states.
func (r *Ratios) settleStates(first, end int) bool {
	ratio := r.ratio
	toH := r.H[first:end]
	toU := r.U[first:end]
	for i, u := range toU {
		h := ratio(first + i)
		toH[i] = h
		if !near(u) {
			toU[i] = h - 1
		}
	}
	return false
}

// Move replaces q by the distribution after one transition, given its time reversal.
func (r *Ratios) Move(reversal Averager) {
	if r.Far {
		averagesOf(reversal, [][]float64{r.nextU, r.nextH}, [][]float64{r.U, r.H})
		r.updateRatios(reversal)
		r.H, r.nextH = r.nextH, r.H
	} else {
		reversal.Average(r.nextU, r.U)
	}
	r.U, r.nextU = r.nextU, r.U
}

// updateRatios sets u and h after a move, from their averages. If an average is far smaller than
// the old value of the state, the rounding of the old value would dominate, and the sum of the
// terms is taken instead.
func (r *Ratios) updateRatios(reversal Averager) {
	if r.eachBlock((*Ratios).spoils) {
		r.repair(reversal)
	}
	r.Far = r.eachBlock((*Ratios).chooseSome)
}

// spoils reports whether some state has lost more than half of its ratio in a move.
func (r *Ratios) spoils(first, end int) bool {
	spoilt := false
	nextH := r.nextH[first:end]
	before := r.H[first:end][:len(nextH)]
	for x, h := range nextH {
		spoilt = spoilt || h < before[x]/2
	}
	return spoilt
}

// chooseSome does this for some states, and reports whether an h there is not near one.
func (r *Ratios) chooseSome(first, end int) bool {
	far := false
	nextH := r.nextH[first:end]
	nextU := r.nextU[first:end][:len(nextH)]
	for x, h := range nextH {
		if near(h - 1) {
			nextH[x] = 1 + nextU[x]
		} else {
			nextU[x], far = h-1, true
		}
	}
	return far
}

// repair replaces averages that are far smaller than the old value of their state by the sums of
// their terms.
func (r *Ratios) repair(reversal Averager) {
	if r.terms[0] == nil {
		r.terms = [2][]float64{make([]float64, len(r.U)), make([]float64, len(r.U))}
	}
	TermsOf(reversal, r.terms[:], [][]float64{r.U, r.H})
	r.eachBlock((*Ratios).repairSome)
}

func (r *Ratios) repairSome(first, end int) bool {
	for x := first; x < end; x++ {
		if r.nextH[x] < r.H[x]/2 {
			r.nextU[x], r.nextH[x] = r.terms[0][x], r.terms[1][x]
		}
	}
	return false
}

// Empty takes all mass from some states.
func (r *Ratios) Empty(states []int) {
	if !r.Far {
		for x, u := range r.U {
			r.H[x] = 1 + u
		}
		r.Far = true
	}
	for _, x := range states {
		r.U[x], r.H[x] = -1, 0
	}
}

// Clone returns a copy.
func (r *Ratios) Clone() *Ratios {
	c := NewRatios(len(r.U))
	copy(c.U, r.U)
	copy(c.H, r.H)
	c.Far = r.Far
	return c
}
