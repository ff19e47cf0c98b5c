package particle

import (
	"cmp"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Systematic is Stratified with one uniform number for all slots: the points have the same place
// within each stratum.
//
// Source: Carpenter, Clifford and Fearnhead 1999.
type Systematic struct{}

// String returns the name of the scheme.
func (Systematic) String() string { return "systematic" }

// Parents implements Scheme.
func (Systematic) Parents(c chains.Chooser, w []float64, parents []int) {
	b := newPlacements(w)
	copy(parents, b.ways[c.Choose(b.probabilities(allAlike))])
}

// Keep implements Scheme.
//
// A way in which the points fall, with n_j of them on particle j, has its probability times n_j/(P
// w_j), and then each of these slots the same probability: the scheme given that slot's parent is
// j.
func (Systematic) Keep(c chains.Chooser, w []float64, j int, parents []int) int {
	b := newPlacements(w)
	if p := b.probabilities(func(way []int) float64 { return float64(count(way, j)) }); p != nil {
		copy(parents, b.ways[c.Choose(p)])
	} else {
		b.writeParents(j, parents)
	}
	nth := c.Uniform(count(parents, j))
	for i, parent := range parents {
		if parent != j {
			continue
		}
		if nth == 0 {
			return i
		}
		nth--
	}
	panic("a particle without offspring is kept")
}

// Each calls do with the parents of every way in which the points can fall, and its probability.
// The parents belong to Each. It takes time O(P^2).
func (Systematic) Each(w []float64, do func(p float64, parents []int)) {
	ends, parents := endsOf(w)
	sweep(ends, parents, do)
}

// allAlike gives every way the same weight.
func allAlike([]int) float64 { return 1 }

// count returns how many points lie on a particle.
func count(way []int, j int) (n int) {
	for _, parent := range way {
		if parent == j {
			n++
		}
	}
	return n
}

// placements holds the ways in which the P points of systematic resampling can fall on the
// particles. As the points move through their strata, each passes the ends of the particles in its
// stratum.
type placements struct {
	ends   []end
	begin  []int     // the parents where the points are at the beginning of their strata
	ways   [][]int   // the parents of each way
	length []float64 // by way: how far the points move in it
}

// end is where a point comes to a particle from the one before it.
type end struct {
	at           twofold // from the beginning of the stratum
	slot, parent int     // the stratum, and the particle that begins
}

// endsOf returns the ends in the order in which the points pass them, and the parents before that.
// Particles without a weight have no place.
func endsOf(w []float64) (ends []end, parents []int) {
	ends = make([]end, 0, len(w))
	parents = make([]int, len(w))
	var sum twofold
	slot := 0 // the strata that the particles so far reach into
	for j, c := range coverage(w) {
		if c.value() <= 0 {
			continue
		}
		if slot > 0 {
			ends = append(ends, end{sum.minus(twofold{high: float64(slot - 1)}), slot - 1, j})
		}
		for sum = sum.plus(c); slot < len(w) && sum.compare(twofold{high: float64(slot)}) > 0; slot++ {
			parents[slot] = j
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return a.at.compare(b.at) })
	return ends, parents
}

// sweep moves the points through their strata, and calls do with how far they have the same
// parents, and with these.
func sweep(ends []end, parents []int, do func(length float64, parents []int)) {
	var from twofold
	for _, e := range ends {
		if length := e.at.minus(from).value(); length > 0 {
			do(length, parents)
			from = e.at
		}
		parents[e.slot] = e.parent
	}
	if length := (twofold{high: 1}).minus(from).value(); length > 0 {
		do(length, parents)
	}
}

func newPlacements(w []float64) *placements {
	b := &placements{}
	b.ends, b.begin = endsOf(w)
	sweep(b.ends, slices.Clone(b.begin), func(length float64, parents []int) {
		b.ways, b.length = append(b.ways, slices.Clone(parents)), append(b.length, length)
	})
	return b
}

// probabilities returns the probabilities of the ways, each multiplied by a factor and all of them
// normalised, and nil if they are all zero.
func (b *placements) probabilities(factor func(way []int) float64) []float64 {
	p := make([]float64, len(b.ways))
	positive := false
	for i, way := range b.ways {
		p[i] = b.length[i] * factor(way)
		positive = positive || p[i] > 0
	}
	if !positive {
		return nil
	}
	scale(p)
	return p
}

// writeParents writes the parents at the beginning of a particle that is too short for a way of its
// own: a weight below 1e-30 of the sum.
func (b *placements) writeParents(j int, parents []int) {
	copy(parents, b.begin)
	for _, e := range b.ends {
		if count(parents, j) > 0 {
			return
		}
		parents[e.slot] = e.parent
	}
}

// twofold is a number as the sum of two, with some 32 digits, so that stretches of very different
// lengths that are put side by side keep the digits of the short ones.
type twofold struct{ high, low float64 }

func (a twofold) plus(b twofold) twofold {
	high, rest := number.ExactSum(a.high, b.high)
	high, rest = number.ExactSum(high, rest+(a.low+b.low))
	return twofold{high, rest}
}

func (a twofold) minus(b twofold) twofold { return a.plus(twofold{-b.high, -b.low}) }

func (a twofold) value() float64 { return a.high + a.low }

// compare returns the sign of the difference.
func (a twofold) compare(b twofold) int { return cmp.Compare(a.minus(b).value(), 0) }
