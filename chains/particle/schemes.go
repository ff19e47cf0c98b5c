package particle

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Scheme is a way to resample: to draw, for each of P slots, the particle whose offspring it gets,
// where particle j with the normalised weight w[j] gets P w[j] offspring on average.
type Scheme interface {
	fmt.Stringer
	// Parents draws the parent of every slot. The weights sum to one; there are as many slots as
	// weights.
	Parents(c chains.Chooser, w []float64, parents []int)
	// Keep draws the parents given that particle j, on a path that must survive, has offspring. It
	// returns the slot of the offspring through which the path continues. The parents have the
	// probability that Parents gives them times N_j/(P w[j]), with N_j the offspring of j, and the
	// path takes each of these offspring with probability 1/N_j.
	//
	// Source: Andrieu, Doucet and Holenstein 2010, section 4.3 and appendix.
	Keep(c chains.Chooser, w []float64, j int, parents []int) (slot int)
}

// Independent is a scheme by which the slots draw their parents independently of each other.
type Independent interface {
	// Slots returns the distribution of the parent of each slot. Slots may share one.
	Slots(w []float64) [][]float64
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

// Forms are the forms of the selectors that ParseScheme reads, in the order in which they are
// listed.
func Forms() selector.Set[selector.Nothing, Scheme] {
	return selector.NewSet("resampling scheme",
		schemeOf(Multinomial{}, "each slot draws its parent independently in proportion to the weights",
			"Gordon, Salmond and Smith 1993"),
		schemeOf(Stratified{}, "one uniform draw from each of P equal strata of the cumulative weights",
			"Kitagawa 1996"),
		schemeOf(Systematic{}, "stratified, with one uniform number for all strata",
			"Carpenter, Clifford and Fearnhead 1999"),
		schemeOf(Residual{},
			"each particle has floor(P times its weight) offspring; the other slots draw independently "+
				"from the remainders",
			"Liu and Chen 1998"),
	)
}

// Sorted is a scheme before which particles are sorted by type (see Filter), then by log weight, so
// that their previous order does not matter. SMC sorts in Run only.
type Sorted struct{ Scheme }

// String returns the name of the scheme, in the form of a selector.
func (s Sorted) String() string { return s.Scheme.String() + ":sorted" }

// Keep panics: no conditional run is sorted.
func (Sorted) Keep(chains.Chooser, []float64, int, []int) int {
	panic("particle: Sorted has no conditional run")
}

type schemeForm = selector.Form[selector.Nothing, Scheme]

// ParseScheme returns the resampling scheme of a selector: "multinomial", "stratified",
// "systematic" or "residual". The error of an unknown one suggests the nearest and lists them all.
func ParseScheme(text string) (Scheme, error) { return Forms().Parse(text, selector.Nothing{}) }

// schemeOf returns the form of a scheme without arguments, which is selected by its name.
func schemeOf(s Scheme, doc, source string) func() schemeForm {
	return func() schemeForm {
		return schemeForm{
			Syntax: s.String(), Doc: doc, Source: source, Example: s.String(),
			Parse: func(selector.Args, selector.Nothing) (Scheme, error) { return s, nil },
		}
	}
}

// Residual gives particle j floor(P w[j]) offspring, in the first slots, and draws the parents of
// the other slots independently, in proportion to the remainders P w[j] - floor(P w[j]).
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

// Slots implements Independent.
func (Residual) Slots(w []float64) [][]float64 {
	r := newResidue(w)
	rows := make([][]float64, len(w))
	parents := make([]int, len(w))
	r.give(parents)
	for i := range rows {
		rows[i] = r.rest
		if i < r.given {
			rows[i] = make([]float64, len(w))
			rows[i][parents[i]] = 1
		}
	}
	return rows
}

// Keep implements Scheme. The path continues through a deterministic offspring of j with
// probability floor(P w[j])/(P w[j]), and else through a drawn one.
func (Residual) Keep(c chains.Chooser, w []float64, j int, parents []int) (slot int) {
	r := newResidue(w)
	r.give(parents)
	drawn := -1
	if n := r.whole[j]; r.free[j] == 0 || n > 0 && !c.Flip(r.free[j]/(float64(n)+r.free[j])) {
		slot = r.firstSlot(j) + c.Uniform(n)
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

// residue divides P w[j] into its whole part and its remainder.
type residue struct {
	whole []int     // the deterministic offspring of each particle
	free  []float64 // P w[j] minus that
	rest  []float64 // the remainders as probabilities; all zero if there are none
	given int       // the sum of whole
}

// wholePart returns the whole part of P w. A number that is within rounding of the next whole
// number counts as that number: else P equal weights, each a little below 1/P in float64, would all
// be drawn.
func wholePart(mean, P float64) float64 { return math.Floor(mean * (1 + 4*P*0x1p-52)) }

// newResidue divides P w[j] for all particles. If some particles have weight but no deterministic
// offspring, one slot is left to be drawn: if rounding has assigned all slots, the heaviest
// particle has one fewer.
func newResidue(w []float64) *residue {
	r := &residue{whole: make([]int, len(w)), free: make([]float64, len(w)), rest: make([]float64, len(w))}
	P := float64(len(w))
	largest := 0
	starves := false
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

// give writes the parents of the deterministic slots.
func (r *residue) give(parents []int) {
	i := 0
	for j, n := range r.whole {
		for range n {
			parents[i] = j
			i++
		}
	}
}

// firstSlot returns the first of the deterministic slots of a particle.
func (r *residue) firstSlot(j int) int {
	slot := 0
	for _, n := range r.whole[:j] {
		slot += n
	}
	return slot
}

// Stratified puts the particles side by side on an interval, each as long as its weight, in the
// order of their slots. Slot i gets the particle at a uniform point of the i-th of P equal parts of
// the interval.
//
// Source: Kitagawa 1996.
type Stratified struct{}

// String returns the name of the scheme.
func (Stratified) String() string { return "stratified" }

// Parents implements Scheme.
func (Stratified) Parents(c chains.Chooser, w []float64, parents []int) {
	p := make([]float64, len(w))
	for i, part := range strataOf(w) {
		parents[i] = c.Choose(part.probabilities(p))
	}
}

// Slots implements Independent.
func (Stratified) Slots(w []float64) [][]float64 {
	rows := make([][]float64, len(w))
	for i, part := range strataOf(w) {
		rows[i] = part.probabilities(make([]float64, len(w)))
	}
	return rows
}

// Keep implements Scheme. Slot i continues the path with probability P(slot i gets j)/(P w[j]).
func (Stratified) Keep(c chains.Chooser, w []float64, j int, parents []int) int {
	parts := strataOf(w)
	share := make([]float64, len(w))
	for i, part := range parts {
		for _, s := range part {
			if s.particle == j {
				share[i] = s.length.value()
			}
		}
	}
	scale(share)
	slot := c.Choose(share)
	p := make([]float64, len(w))
	for i, part := range parts {
		if i == slot {
			parents[i] = j
		} else {
			parents[i] = c.Choose(part.probabilities(p))
		}
	}
	return slot
}

// stretch is a part of a stratum that one particle covers.
type stretch struct {
	particle int
	length   twofold
}

// stratum is one of the P equal parts of the interval, as a list of stretches. Their lengths sum to
// one.
type stratum []stretch

// strataOf returns the strata. The heaviest particle takes the rest, so that the strata are full
// for any rounding of the weights.
func strataOf(w []float64) []stratum {
	P := len(w)
	out := make([]stratum, P)
	i := 0
	room := twofold{high: 1}
	for j, left := range coverage(w) {
		for left.compare(room) > 0 && i < P-1 {
			if room.value() > 0 {
				out[i] = append(out[i], stretch{j, room})
			}
			left = left.minus(room)
			i += 1
			room = twofold{high: 1}
		}
		if left.value() > 0 {
			out[i] = append(out[i], stretch{j, left})
			room = room.minus(left)
		}
	}
	return out
}

// coverage returns P w[j] such that the sum is P to some 32 digits.
func coverage(w []float64) []twofold {
	P := float64(len(w))
	out := make([]twofold, len(w))
	rest := twofold{high: P}
	heaviest := 0
	for j, v := range w {
		if v > w[heaviest] {
			heaviest = j
		}
	}
	for j, v := range w {
		if j != heaviest {
			out[j] = twofold{high: P * v}
			rest = rest.minus(out[j])
		}
	}
	out[heaviest] = rest
	return out
}

// probabilities writes the probabilities of the particles in a stratum.
func (s stratum) probabilities(p []float64) []float64 {
	clear(p)
	for _, part := range s {
		p[part.particle] = part.length.value()
	}
	scale(p)
	return p
}
