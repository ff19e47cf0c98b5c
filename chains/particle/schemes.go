package particle

import (
	"fmt"
	"math"

	"breadboard/chains"
)

// Scheme is a way to resample: to draw, for each of P slots, the particle whose offspring it gets, where particle j with the
// normalised weight w[j] gets P w[j] offspring on average.
type Scheme interface {
	fmt.Stringer
	// Parents draws the parent of every slot. The weights sum to one; there are as many slots as weights.
	Parents(c chains.Chooser, w []float64, parents []int)
	// Keep draws the parents given that particle j, on a path that must survive, has offspring, and returns the slot of the
	// one by which the path goes on. The parents have the probability that Parents gives them times N_j/(P w[j]), with N_j
	// the offspring of j, and the path takes each of these offspring with probability 1/N_j.
	//
	// Source: Andrieu, Doucet and Holenstein 2010, section 4.3 and appendix.
	Keep(c chains.Chooser, w []float64, j int, parents []int) (slot int)
}

// Multinomial draws the parents independently of each other.
type Multinomial struct{}

// String returns the name of the scheme.
func (Multinomial) String() string { return "multinomial" }

// Parents implements Scheme.
func (Multinomial) Parents(c chains.Chooser, w []float64, parents []int) {
	for i := range parents {
		parents[i] = c.Choose(w)
	}
}

// Keep implements Scheme.
func (Multinomial) Keep(c chains.Chooser, w []float64, j int, parents []int) int {
	slot := c.Uniform(len(parents))
	for i := range parents {
		if i == slot {
			parents[i] = j
		} else {
			parents[i] = c.Choose(w)
		}
	}
	return slot
}

// Stratified puts the particles side by side on an interval, each as long as its weight, in the order of their slots. Slot i
// gets the particle at a uniform point of the i-th of P equal parts of the interval.
type Stratified struct{}

// String returns the name of the scheme.
func (Stratified) String() string { return "stratified" }

// Parents implements Scheme.
func (Stratified) Parents(c chains.Chooser, w []float64, parents []int) {
	for i, p := range strata(w) {
		parents[i] = c.Choose(p)
	}
}

// Keep implements Scheme. Slot i goes on with the path with probability P(slot i gets j)/(P w[j]).
func (Stratified) Keep(c chains.Chooser, w []float64, j int, parents []int) int {
	parts := strata(w)
	share, sum := make([]float64, len(w)), 0.0
	for i, p := range parts {
		share[i] = p[j]
		sum += p[j]
	}
	slot, _ := pointOf(w, j)
	if sum > 0 {
		scale(share)
		slot = c.Choose(share)
	}
	for i, p := range parts {
		if i == slot {
			parents[i] = j
		} else {
			parents[i] = c.Choose(p)
		}
	}
	return slot
}

// strata returns for each slot the probabilities of the particles that it may get.
func strata(w []float64) [][]float64 {
	P := len(w)
	ends := cumulative(w)
	out := make([][]float64, P)
	memory := make([]float64, P*P)
	for i := range out {
		out[i], memory = memory[:P:P], memory[P:]
		low := 0.0
		for j := range w {
			out[i][j] = max(0, min(ends[j], float64(i+1))-max(low, float64(i)))
			low = ends[j]
		}
		scale(out[i])
	}
	return out
}

// cumulative returns P times the sums of the weights up to and with each of them; the last is P. Sums that are within
// rounding of a whole number are that number, since the schemes count how many whole numbers a particle covers.
func cumulative(w []float64) []float64 {
	P := float64(len(w))
	ends := make([]float64, len(w))
	sum := 0.0
	for j, v := range w {
		sum += v
		ends[j] = whole(P*sum, P)
	}
	ends[len(w)-1] = P
	return ends
}

// whole returns the nearest whole number where v, computed from P weights, differs from it by no more than rounding, and v
// elsewhere.
func whole(v, P float64) float64 {
	if n := math.Round(v); math.Abs(v-n) <= 4*P*0x1p-52*P {
		return n
	}
	return v
}

// scale divides numbers by their sum.
func scale(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for i := range p {
		p[i] /= sum
	}
}

// Systematic is Stratified with one uniform number for all slots: the points of all parts are as far from the beginning of
// their part.
type Systematic struct{}

// String returns the name of the scheme.
func (Systematic) String() string { return "systematic" }

// Parents implements Scheme.
func (Systematic) Parents(c chains.Chooser, w []float64, parents []int) {
	comb := newComb(w)
	comb.fill(c.Choose(comb.p), parents)
}

// Keep implements Scheme.
func (Systematic) Keep(c chains.Chooser, w []float64, j int, parents []int) int {
	comb := newComb(w)
	biased, sum := make([]float64, len(comb.p)), 0.0
	for i, p := range comb.p {
		comb.fill(i, parents)
		for _, parent := range parents {
			if parent == j {
				biased[i] += p
				sum += p
			}
		}
	}
	if sum == 0 {
		slot, into := pointOf(w, j)
		comb.fill(comb.around(into), parents)
		parents[slot] = j
		return slot
	}
	scale(biased)
	comb.fill(c.Choose(biased), parents)
	var slots []int
	for i, parent := range parents {
		if parent == j {
			slots = append(slots, i)
		}
	}
	return slots[c.Uniform(len(slots))]
}

// pointOf returns where a particle stands whose weight is too small beside the others for its part of the interval to have a
// length: the slot in whose stratum it is, and how far into it, from 0 to 1. A path may have such a weight, and goes on there.
func pointOf(w []float64, j int) (slot int, into float64) {
	at := cumulative(w)[j]
	slot = min(int(at), len(w)-1)
	return slot, at - float64(slot)
}

// comb holds the ways in which the P points of systematic resampling can fall on the particles. There are at most P, as
// the points pass each end of a particle once.
type comb struct {
	ends []float64 // by particle: P times the sum of the weights up to it
	at   []float64 // a point, as a part of the way through its part, for each way
	p    []float64 // the probability of each way
}

func newComb(w []float64) *comb {
	b := &comb{ends: cumulative(w)}
	cuts := []float64{0, 1}
	for _, e := range b.ends {
		cuts = append(cuts, e-math.Floor(e))
	}
	cuts = sortedDistinct(cuts)
	for i := 1; i < len(cuts); i++ {
		b.at = append(b.at, (cuts[i-1]+cuts[i])/2)
		b.p = append(b.p, cuts[i]-cuts[i-1])
	}
	return b
}

// around returns the way at a point that is so far into the parts, from 0 to 1.
func (b *comb) around(into float64) int {
	for way, at := range b.at {
		if at > into {
			return way
		}
	}
	return len(b.at) - 1
}

// fill writes the parents of one way.
func (b *comb) fill(way int, parents []int) {
	j := 0
	for i := range parents {
		for float64(i)+b.at[way] >= b.ends[j] {
			j++
		}
		parents[i] = j
	}
}

// Residual gives particle j the whole part of P w[j] offspring, in the first slots, and draws the parents of the slots that
// are left independently, with probabilities in proportion to the parts that are left.
type Residual struct{}

// String returns the name of the scheme.
func (Residual) String() string { return "residual" }

// Parents implements Scheme.
func (Residual) Parents(c chains.Chooser, w []float64, parents []int) {
	rest, given := floors(w, parents)
	for i := given; i < len(parents); i++ {
		parents[i] = c.Choose(rest)
	}
}

// Keep implements Scheme. With probability floor(P w[j])/(P w[j]) the path goes on by an offspring that j has in any case,
// and else by one that is drawn.
func (Residual) Keep(c chains.Chooser, w []float64, j int, parents []int) int {
	rest, given := floors(w, parents)
	var sure []int
	for i := range given {
		if parents[i] == j {
			sure = append(sure, i)
		}
	}
	mean := whole(float64(len(w))*w[j], float64(len(w)))
	kept := -1
	if len(sure) > 0 && (float64(len(sure)) == mean || c.Flip(float64(len(sure))/mean)) {
		kept = sure[c.Uniform(len(sure))]
	}
	drawn := -1
	if kept < 0 {
		if given == len(parents) { // the weight of the path is too small beside the others for rounding to leave it a slot
			given--
		}
		drawn = given + c.Uniform(len(parents)-given)
		kept = drawn
	}
	for i := given; i < len(parents); i++ {
		if i == drawn {
			parents[i] = j
		} else {
			parents[i] = c.Choose(rest)
		}
	}
	return kept
}

// floors writes the parents of the slots that are given out without a draw. It returns how many these are, and the
// probabilities of the parents of the others.
func floors(w []float64, parents []int) (rest []float64, given int) {
	P := float64(len(w))
	rest = make([]float64, len(w))
	for j, v := range w {
		mean := whole(P*v, P)
		n := math.Floor(mean)
		rest[j] = mean - n
		for range int(n) {
			if given < len(parents) {
				parents[given] = j
				given++
			}
		}
	}
	if given < len(parents) {
		scale(rest)
	}
	return rest, given
}
