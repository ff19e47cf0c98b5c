package models

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
)

// summed is the likelihood of a collapsed model with power b: the mean of the whole model's
// likelihood with that power, under the prior of the variables that have been summed out given
// those that have been kept. It implements paths.Likelihood.
//
// With q_b(v|u) in proportion to p(v|u) L_b(u,v),
//
//	L_b(u)                = sum_v p(v|u) L_b(u,v)
//	log L_b'(u)/L_b(u)    = log sum_v q_b(v|u) L_b'(u,v)/L_b(u,v)
//	d log L_b(u)/db       = sum_v q_b(v|u) d log L_b(u,v)/db
//
// and each takes a pass over the states of the whole model.
type summed struct {
	whole paths.Likelihood
	prior []float64 // log p(v|u) of each state of the whole model
	rest  [][]int   // the states of the whole model for each state of the collapsed one
}

// eachState calls a function for each state u of the collapsed model, with the log weights and the
// values of the states (u,v) of the whole one whose prior probability is not zero. If there are
// none the result is 0.
func (l *summed) eachState(dst, weights, values []float64, of func(logs, values []float64) float64) {
	var logs, mine []float64
	for u, states := range l.rest {
		logs = logs[:0]
		mine = mine[:0]
		for _, x := range states {
			if !math.IsInf(l.prior[x], -1) {
				logs, mine = append(logs, weights[x]), append(mine, values[x])
			}
		}
		dst[u] = 0
		if len(logs) > 0 {
			dst[u] = of(logs, mine)
		}
	}
}

// posterior returns log p(v|u) L_b(u,v) of each state of the whole model.
func (l *summed) posterior(at chains.Place) []float64 {
	out := make([]float64, len(l.prior))
	l.whole.LogL(out, at)
	for x, p := range l.prior {
		out[x] += p
	}
	return out
}

// LogL implements paths.Likelihood.
func (l *summed) LogL(dst []float64, at chains.Place) {
	whole := make([]float64, len(l.prior))
	l.whole.LogL(whole, at)
	l.eachState(dst, l.prior, whole, logMeanExp)
}

// LogRatio implements paths.Likelihood. The ratio of the sums is the mean of the ratios under the
// distribution of v given u with power from. A step down is taken from its other end: there the
// logarithms of the distribution and those of the ratios have opposite signs, and would cancel.
func (l *summed) LogRatio(dst []float64, from, to chains.Place, step float64) {
	if step < 0 {
		l.LogRatio(dst, to, from, -step)
		for u := range dst {
			dst[u] = -dst[u]
		}
		return
	}
	ratios := make([]float64, len(l.prior))
	l.whole.LogRatio(ratios, from, to, step)
	l.eachState(dst, l.posterior(from), ratios, logMeanExp)
}

// Slope implements paths.Likelihood. It is the mean of the slopes under the distribution of v given
// u with power b.
func (l *summed) Slope(dst []float64, at chains.Place) {
	all := make([]float64, len(l.prior))
	l.whole.Slope(all, at)
	l.eachState(dst, l.posterior(at), all, func(logs, slopes []float64) float64 {
		likeliest := slopes[relative(logs)]
		mean := 0.0
		total := 0.0
		for i, s := range slopes {
			w := math.Exp(logs[i])
			mean += w * (s - likeliest)
			total += w
		}
		return likeliest + mean/total
	})
}

// Centred implements paths.Likelihood: what the whole likelihood takes out of itself is the same
// for all states.
func (l *summed) Centred() (paths.Likelihood, float64) {
	whole, constant := l.whole.Centred()
	return &summed{whole, l.prior, l.rest}, constant
}

// logMeanExp returns log of the mean of exp(v) under the distribution whose logarithm is given up
// to a constant. If the mean is near the largest exp(v) it is a difference from that, so that a
// mean of small numbers v keeps their digits; elsewhere no terms cancel in it. It overwrites the
// logarithms.
func logMeanExp(logs, v []float64) float64 {
	relative(logs)
	top := slices.Max(v)
	if math.IsInf(top, -1) {
		return top
	}
	lack := 0.0
	total := 0.0
	for i, w := range v {
		p := math.Exp(logs[i])
		lack += p * math.Expm1(w-top)
		total += p
	}
	if lack > -total/2 {
		return top + math.Log1p(lack/total)
	}
	for i, w := range v {
		logs[i] += w
	}
	return number.LogSumExp(logs) - number.Log(total)
}

// relative subtracts the largest of some logarithms from all of them, so that large ones cost no
// more digits, and returns its place.
func relative(logs []float64) (largest int) {
	for i, v := range logs {
		if v > logs[largest] {
			largest = i
		}
	}
	top := logs[largest]
	for i := range logs {
		logs[i] -= top
	}
	return largest
}

// block is a part of the states of a model, one after another, with a likelihood of their own.
type block struct {
	likelihood paths.Likelihood
	states     int
	shift      float64 // what is added to the log likelihood for each unit of the power
}

// blocks is the likelihood of a model whose states come in blocks. It implements paths.Likelihood.
type blocks []block

// eachBlock calls a function for each block, with the part of dst that belongs to it, and then adds
// the block's shift times a number.
func (l blocks) eachBlock(dst []float64, times float64, write func(b block, dst []float64)) {
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
	l.eachBlock(dst, at.Beta, func(b block, dst []float64) { b.likelihood.LogL(dst, at) })
}

// LogRatio implements paths.Likelihood.
func (l blocks) LogRatio(dst []float64, from, to chains.Place, step float64) {
	l.eachBlock(dst, step, func(b block, dst []float64) { b.likelihood.LogRatio(dst, from, to, step) })
}

// Slope implements paths.Likelihood.
func (l blocks) Slope(dst []float64, at chains.Place) {
	l.eachBlock(dst, 1, func(b block, dst []float64) { b.likelihood.Slope(dst, at) })
}

// Centred implements paths.Likelihood. It takes out the constant of the first block, and what those
// of the others differ by is kept in their shifts.
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

// linear is the likelihood of a model in which nothing is continuous, by its logarithm for each
// state: the power b multiplies that. It implements paths.Likelihood.
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
	top := slices.Max(l)
	c := slices.Clone(l)
	for x := range c {
		c[x] -= top
	}
	return c, top
}
