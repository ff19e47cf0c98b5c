package particle

import (
	"cmp"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Systematic is Stratified with one uniform number for all slots: the points of all strata are at
// the same distance from the beginning of their stratum.
//
// Source: Carpenter, Clifford and Fearnhead 1999.
type Systematic struct{}

// String returns the name of the scheme.
func (Systematic) String() string { return "systematic" }

// Parents implements Scheme.
func (Systematic) Parents(c chains.Chooser, w []float64, parents []int) {
	b := newPlacements(w)
	b.fill(b.ways[c.Choose(b.probabilities(allAlike))], parents)
}

// Keep implements Scheme.
func (Systematic) Keep(c chains.Chooser, w []float64, j int, parents []int) int {
	b := newPlacements(w)
	var way []int
	if p := b.probabilities(func(way []int) float64 { return float64(b.offspring(way, j)) }); p != nil {
		way = b.ways[c.Choose(p)]
	} else {
		way = b.at(j)
	}
	b.fill(way, parents)
	var slots []int
	for i, parent := range parents {
		if parent == j {
			slots = append(slots, i)
		}
	}
	return slots[c.Uniform(len(slots))]
}

// allAlike gives every way the same weight.
func allAlike([]int) float64 { return 1 }

// placements holds the ways in which the P points of systematic resampling can fall on the
// particles. As the points move through their strata, each passes the ends of the stretches in its
// stratum.
type placements struct {
	strata []stratum
	ends   [][]twofold // by stratum: where each of its stretches ends
	ways   [][]int     // by way: the stretch in which the point lies, for each stratum
	length []float64   // by way: how far the points move in it
}

func newPlacements(w []float64) *placements {
	b := &placements{strata: strataOf(w)}
	P := len(w)
	type end struct {
		at      twofold
		stratum int
	}
	var ends []end
	b.ends = make([][]twofold, P)
	for i, s := range b.strata {
		var at twofold
		for k, part := range s {
			at = at.plus(part.length)
			b.ends[i] = append(b.ends[i], at)
			if k < len(s)-1 { // the last stretch ends with the stratum
				ends = append(ends, end{at, i})
			}
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return a.at.compare(b.at) })
	way := make([]int, P)
	var from twofold
	for _, e := range append(ends, end{at: twofold{high: 1}, stratum: -1}) {
		if length := e.at.minus(from).value(); length > 0 {
			b.ways = append(b.ways, slices.Clone(way))
			b.length = append(b.length, length)
			from = e.at
		}
		if e.stratum >= 0 {
			way[e.stratum]++
		}
	}
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

// offspring returns how many points lie on a particle.
func (b *placements) offspring(way []int, j int) int {
	n := 0
	for i, k := range way {
		if b.strata[i][k].particle == j {
			n++
		}
	}
	return n
}

// at returns the way at the beginning of a particle that is too short for a way of its own: a
// weight below 1e-30 of the sum.
func (b *placements) at(j int) []int {
	way := make([]int, len(b.strata))
	var where twofold
	for i, s := range b.strata {
		for k, part := range s {
			if part.particle != j {
				continue
			}
			if k > 0 {
				where = b.ends[i][k-1]
			}
			for other, ends := range b.ends {
				for way[other] < len(ends)-1 && ends[way[other]].compare(where) <= 0 {
					way[other]++
				}
			}
			way[i] = k
			return way
		}
	}
	return way
}

// fill writes the parents of one way.
func (b *placements) fill(way, parents []int) {
	for i, k := range way {
		parents[i] = b.strata[i][k].particle
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
