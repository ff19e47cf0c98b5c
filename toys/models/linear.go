package models

import (
	"slices"

	"breadboard/chains"
	"breadboard/chains/paths"
)

// linear is the likelihood of a model in which nothing is continuous, by its logarithm for each state: the power b multiplies that. It
// implements paths.Likelihood.
type linear []float64

// LogL implements paths.Likelihood.
func (l linear) LogL(dst []float64, at chains.Place) {
	for x, v := range l {
		dst[x] = at.Beta * v
	}
}

// LogRatio implements paths.Likelihood.
func (l linear) LogRatio(dst []float64, _, _ chains.Place, step float64) {
	for x, v := range l {
		dst[x] = step * v
	}
}

// Slope implements paths.Likelihood.
func (l linear) Slope(dst []float64, _ chains.Place) { copy(dst, l) }

// Centred implements paths.Likelihood. It takes out the largest log likelihood.
func (l linear) Centred() (paths.Likelihood, float64) {
	top, c := slices.Max(l), slices.Clone(l)
	for x := range c {
		c[x] -= top
	}
	return c, top
}
