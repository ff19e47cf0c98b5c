package particle

import (
	"math"

	"breadboard/chains"
)

// Residual gives particle j the whole part of P w[j] offspring, in the first slots, and draws the parents of the slots that
// are left independently, with probabilities in proportion to the parts that are left.
//
// Source: Liu and Chen 1998.
type Residual struct{}

// String returns the name of the scheme.
func (Residual) String() string { return "residual" }

// Parents implements Scheme.
func (Residual) Parents(c chains.Chooser, w []float64, parents []int) {
	r := newResidue(w)
	r.give(parents)
	for i := r.given; i < len(parents); i++ {
		parents[i] = c.Choose(r.rest)
	}
}

// Keep implements Scheme. The path goes on by an offspring that j has in any case with probability floor(P w[j])/(P w[j]),
// and else by one that is drawn.
func (Residual) Keep(c chains.Chooser, w []float64, j int, parents []int) (slot int) {
	r := newResidue(w)
	r.give(parents)
	drawn := -1
	if n := r.whole[j]; r.free[j] == 0 || n > 0 && !c.Flip(r.free[j]/(float64(n)+r.free[j])) {
		slot = r.first(j) + c.Uniform(n)
	} else {
		drawn = r.given + c.Uniform(len(parents)-r.given)
		slot = drawn
	}
	for i := r.given; i < len(parents); i++ {
		if i == drawn {
			parents[i] = j
		} else {
			parents[i] = c.Choose(r.rest)
		}
	}
	return slot
}

// residue is how residual resampling divides P w[j] up: into whole offspring, and what is left.
type residue struct {
	whole []int     // the offspring that each particle has in any case
	free  []float64 // P w[j] minus that
	rest  []float64 // the same as probabilities; all zero where nothing is left
	given int       // the sum of whole
}

// wholePart returns the whole part of P w. A number that is within rounding of the next whole number counts as that number: else
// P equal weights, each a little below 1/P in float64, would all be drawn.
func wholePart(mean, P float64) float64 { return math.Floor(mean * (1 + 4*P*0x1p-52)) }

// newResidue divides P w[j] up for all particles. Where some of them have weight and no whole offspring, a slot is left to be drawn for
// these: rounding may have given all slots out, and the heaviest particle then has one less for certain.
func newResidue(w []float64) *residue {
	r := &residue{whole: make([]int, len(w)), free: make([]float64, len(w)), rest: make([]float64, len(w))}
	P := float64(len(w))
	largest, starves := 0, false
	for j, v := range w {
		mean := P * v
		n := wholePart(mean, P)
		r.whole[j], r.free[j] = int(n), max(0, mean-n)
		r.given += r.whole[j]
		starves = starves || n == 0 && v > 0
		if v > w[largest] {
			largest = j
		}
	}
	for r.given > len(w) || r.given == len(w) && starves {
		r.whole[largest]--
		r.free[largest]++
		r.given--
	}
	if r.given == len(w) {
		clear(r.free) // what is left is rounding
		return r
	}
	copy(r.rest, r.free)
	scale(r.rest)
	return r
}

// give writes the parents of the slots that are given out without a draw.
func (r *residue) give(parents []int) {
	i := 0
	for j, n := range r.whole {
		for range n {
			parents[i] = j
			i++
		}
	}
}

// first returns the first slot of a particle among those that are given out without a draw.
func (r *residue) first(j int) int {
	slot := 0
	for _, n := range r.whole[:j] {
		slot += n
	}
	return slot
}
