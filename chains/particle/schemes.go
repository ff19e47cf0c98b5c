package particle

import (
	"fmt"

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
