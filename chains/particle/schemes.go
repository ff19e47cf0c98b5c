package particle

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/selector"
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

// Forms are the forms of the selectors that ParseScheme reads, in the order in which they are listed.
func Forms() selector.Set[selector.Nothing, Scheme] {
	return selector.Set[selector.Nothing, Scheme]{What: "resampling scheme", Forms: []func() schemeForm{
		schemeOf(Multinomial{}, "each slot draws its parent by the weights, independently of the others", "Gordon, Salmond and Smith 1993"),
		schemeOf(Stratified{}, "slot i draws its parent from the i-th of P equal parts of the weights", "Kitagawa 1996"),
		schemeOf(Systematic{}, "as stratified, with one uniform number for all slots", "Carpenter, Clifford and Fearnhead 1999"),
		schemeOf(Residual{}, "a particle has the whole part of P times its weight; the slots that are left draw by the remainders", "Liu and Chen 1998"),
	}}
}

// schemeForm is how a scheme is selected.
type schemeForm = selector.Form[selector.Nothing, Scheme]

// ParseScheme returns the resampling scheme of a selector: "multinomial", "stratified", "systematic" or "residual". The error
// of an unknown one suggests the nearest and lists them all.
func ParseScheme(text string) (Scheme, error) { return Forms().Parse(text, selector.Nothing{}) }

// schemeOf returns the form of a scheme without arguments, which is selected by the name that it gives itself.
func schemeOf(s Scheme, doc, source string) func() schemeForm {
	return func() schemeForm {
		return schemeForm{
			Syntax: s.String(), Doc: doc, Source: source, Example: s.String(),
			Parse: func(selector.Args, selector.Nothing) (Scheme, error) { return s, nil },
		}
	}
}
