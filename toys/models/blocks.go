package models

import (
	"breadboard/chains"
	"breadboard/chains/paths"
)

// block is a part of the states of a model, one after another, with a likelihood of their own.
type block struct {
	likelihood paths.Likelihood
	states     int
	shift      float64 // what is added to the log likelihood for each unit of the power
}

// blocks is the likelihood of a model whose states come in blocks. It implements paths.Likelihood.
type blocks []block

// each calls a function for each block, with the part of dst that belongs to it, and then adds the block's shift times a number.
func (l blocks) each(dst []float64, times float64, write func(b block, dst []float64)) {
	for _, b := range l {
		write(b, dst[:b.states])
		for x := range b.states {
			dst[x] += times * b.shift
		}
		dst = dst[b.states:]
	}
}

// LogL implements paths.Likelihood.
func (l blocks) LogL(dst []float64, at chains.Place) {
	l.each(dst, at.Beta, func(b block, dst []float64) { b.likelihood.LogL(dst, at) })
}

// LogRatio implements paths.Likelihood.
func (l blocks) LogRatio(dst []float64, from, to chains.Place, step float64) {
	l.each(dst, step, func(b block, dst []float64) { b.likelihood.LogRatio(dst, from, to, step) })
}

// Slope implements paths.Likelihood.
func (l blocks) Slope(dst []float64, at chains.Place) {
	l.each(dst, 1, func(b block, dst []float64) { b.likelihood.Slope(dst, at) })
}

// Centred implements paths.Likelihood. It takes out the constant of the first block, and what those of the others differ by is kept in
// their shifts.
func (l blocks) Centred() (paths.Likelihood, float64) {
	c := make(blocks, len(l))
	for i, b := range l {
		likelihood, constant := b.likelihood.Centred()
		c[i] = block{likelihood, b.states, b.shift + constant}
	}
	first := c[0].shift
	for i := range c {
		c[i].shift -= first
	}
	return c, first
}
