package eprocess

import (
	"math"

	"breadboard/chains/number"
)

const (
	// bets is the number of bets of a mixture: 1, 1/2, 1/4, ... The smallest, 2^-30, is the best one for a bias that is 2^-30
	// of the variance of the estimates in units of Z. Averaging over the bets costs at most log(bets) = 3.5 nats.
	bets = 31
	// huge is the size of a draw above which a bet is taken by its logarithm, so that no product overflows.
	huge = 1e100
)

// mixture is an e-process for the claim that independent draws Y >= 0 have a mean of at most one: the average over bets l of
// the products of 1 + l (Y - 1). Each product is non-negative and has expectation at most one whenever one looks, and exactly
// one where the mean of Y is one. The draws need not have one law, as long as each has such a mean given those before it.
//
// Source: Waudby-Smith and Ramdas 2024, sections 4.1 and 4.4 (capital processes); Ville 1939.
type mixture struct {
	logE    [bets]float64 // the logarithms of the products, without what is in products; -Inf where a bet has lost all
	product [bets]float64 // the factors that have not been added to logE yet
}

func newMixture() mixture {
	var m mixture
	for k := range m.product {
		m.product[k] = 1
	}
	return m
}

// add takes a draw, as Y - 1 >= -1 and log Y. The two are given apart because either may have digits that the other lacks.
// log Y is not +Inf, though Y - 1 may overflow.
func (m *mixture) add(excess, logY float64) {
	if m.logE[0] += logY; math.IsInf(logY, -1) { // the bet of one has lost all, also where its logarithm has overflowed before
		m.logE[0] = logY
	}
	if excess > huge {
		for k := 1; k < bets; k++ {
			m.logE[k] += logY - float64(k)*math.Ln2 // 1 - l is less than a rounding error of l Y
		}
		return
	}
	won := excess // what a bet of l wins is l times this
	for k := 1; k < bets; k++ {
		won /= 2
		p := m.product[k] * (1 + won)
		if p < 1/huge || p > huge {
			m.logE[k] += math.Log(p)
			p = 1
		}
		m.product[k] = p
	}
}

// value returns the log e-value.
func (m *mixture) value() float64 {
	terms := make([]float64, bets)
	for k := range terms {
		terms[k] = m.logE[k] + math.Log(m.product[k])
	}
	return number.LogMean(terms)
}
