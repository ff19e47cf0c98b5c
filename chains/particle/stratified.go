package particle

import "breadboard/chains"

// Stratified puts the particles side by side on an interval, each as long as its weight, in the order of their slots. Slot i
// gets the particle at a uniform point of the i-th of P equal parts of the interval.
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

// Keep implements Scheme. Slot i goes on with the path with probability P(slot i gets j)/(P w[j]).
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

// stratum is one of the P equal parts of the interval, as the stretches that it consists of. Their lengths sum to one.
type stratum []stretch

// strataOf returns the strata. The heaviest particle takes what the others leave, so that the strata are full however the
// weights are rounded.
func strataOf(w []float64) []stratum {
	P := len(w)
	out := make([]stratum, P)
	i, room := 0, twofold{high: 1}
	for j, left := range coverage(w) {
		for left.compare(room) > 0 && i < P-1 {
			if room.value() > 0 {
				out[i] = append(out[i], stretch{j, room})
			}
			left = left.minus(room)
			i, room = i+1, twofold{high: 1}
		}
		if left.value() > 0 {
			out[i] = append(out[i], stretch{j, left})
			room = room.minus(left)
		}
	}
	return out
}

// coverage returns P w[j], of which the sum is P to some 32 digits.
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
