package verdicts

import (
	"math"

	"breadboard/chains/number"
)

// KeptLogE returns the log e-value of draws that have the distribution p if draw i is kept with
// probability kept[i]: draws with weights, divided by the largest possible weight. It is CountsLogE
// if all are kept, and does not need the distribution of the draws. Draws of probability zero must
// not be kept.
//
// For a draw x that is kept with probability w, and any distribution q, the mean of 1 + w
// (q(x)/p(x) - 1) is one, and it is not negative. The product over the draws is an e-process if
// each q is chosen by the earlier draws: here the predictions of the Dirichlet distributions of
// CountsLogE from the kept parts of these.
//
// Source: Waudby-Smith and Ramdas 2024, sections 4.1 and 4.4, for such bets; Good 1965 for the
// distributions.
func KeptLogE(states []int32, kept, p []float64) float64 {
	capital := newCapital()
	sums := make([]float64, len(p))
	total := 0.0
	for i, x := range states {
		if w := kept[i]; w > 0 {
			capital.bet(w, sums[x]/p[x], total)
			sums[x] += w
			total += w
		}
	}
	return capital.logE()
}

// SeenLogE returns the log e-value of draws from a distribution that is known only up to a
// constant, and only at drawn states: log q, which is read when a state is drawn. It bets on the
// repeated draws, given that they repeat, like CountsLogE.
func SeenLogE(states []int32, logq []float64) float64 {
	capital := newCapital()
	counts := make([]float64, len(logq))
	total := 0.0
	logSeen := math.Inf(-1)
	for _, x := range states {
		if counts[x] > 0 {
			capital.bet(1, counts[x]*math.Exp(logSeen-logq[x]), total)
		} else {
			logSeen = number.LogSumExp([]float64{logSeen, logq[x]})
		}
		counts[x]++
		total++
	}
	return capital.logE()
}

// capital is what the bets of all Dirichlet distributions of CountsLogE have won.
type capital struct{ kappas, logs, won [ConcentrationCount]float64 }

func newCapital() *capital {
	c := &capital{kappas: concentrations()}
	for k := range c.won {
		c.won[k] = 1
	}
	return c
}

// bet bets a part of the capital on a draw: ratio is how often its state was drawn before over its
// probability, and total how many draws there were.
func (c *capital) bet(part, ratio, total float64) {
	for k, kappa := range c.kappas {
		c.won[k] *= 1 + part*((ratio-total)/(kappa+total))
		if c.won[k] < 1e-200 || c.won[k] > 1e200 { // a logarithm of each would take most of the time
			c.logs[k], c.won[k] = c.logs[k]+number.Log(c.won[k]), 1
		}
	}
}

func (c *capital) logE() float64 {
	for k, won := range c.won {
		c.logs[k] += number.Log(won)
	}
	if math.IsInf(c.logs[0], 1) {
		return c.logs[0]
	}
	return number.LogMean(c.logs[:])
}
