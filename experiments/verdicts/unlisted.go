package verdicts

import (
	"cmp"
	"math"
	"slices"

	"breadboard/chains/number"
)

// Counted are the counts of independent draws in cells, with the probabilities that several
// distributions give these cells. The first distribution is the specification.
type Counted struct {
	Counts []int
	P      [][]float64 // by distribution and cell
	Logs   []float64   // by distribution, the log probability of the draws
	// by cell, the probability under a mixture of all distributions: the centre of distributions
	// that are near none of them
	Mean []float64
	// Against returns the log e-value against a distribution; nil means that of CountsLogE.
	Against func(law int) float64
	// Apart is a distribution that no mixture includes; 0 is none.
	Apart int
}

// Unlisted is the evidence of draws for an unlisted distribution.
type Unlisted struct {
	Log float64 // the log probability of the draws under it
	// the log e-values against the specification and the likeliest other distributions, by
	// distribution
	Against map[int]float64
}

// The distribution of what is on no list is a mixture of three parts, each as likely:
//
//   - what is nearly the specification: a Dirichlet distribution around it, or draws of which a
//     part has another of the distributions, as when a bug is in some of the draws or of the moves
//     only;
//   - what is nearly one of the other distributions, all of them alike, in the same two ways; if
//     they are few each counts as one of fewLaws, so that a distribution
//     which fits can be likelier by enough than what is near it;
//   - what is near none of them: a Dirichlet distribution around the Mean.
//
// Of the second only the terms are computed that matter, those of the leaders. Terms of a mixture
// are not negative, so that one that lacks some is at most what it should be, whichever are left
// out and why: e-values stay e-values, and a distribution that is on no list is never likelier than
// it should be.

// Leaders is the number of distributions, besides the specification, near which an unlisted
// distribution is considered before one is named.
const Leaders = 2

const fewLaws = 16

// shares returns the shares of another distribution of which parts are tried.
func shares() []float64 { return []float64{0.02, 0.1, 0.3, 0.6, 0.9} }

// Unlisted compares the draws with distributions near the specification, and near the given number
// of the likeliest other distributions. With zero of these the mixture has two parts.
func (c *Counted) Unlisted(leaders int) Unlisted {
	u := Unlisted{Against: map[int]float64{}}
	near := slices.Repeat([]float64{math.Inf(-1)}, len(c.P))
	for _, h := range c.leaders(leaders) {
		possible := !math.IsInf(c.Logs[h], -1)
		if !possible && h > 0 {
			continue
		}
		around := math.Inf(-1)
		mixed := c.logParts(h)
		if possible {
			around = c.Logs[h] + c.against(h)
		}
		near[h] = number.LogMean([]float64{around, mixed})
		u.Against[h] = near[h] - c.Logs[h]
		if !possible {
			u.Against[h] = math.Inf(1)
		}
	}
	terms := []float64{near[0], LogLikelihood(c.Counts, c.Mean, 0) + CountsLogE(c.Counts, c.Mean)}
	if leaders > 0 && len(near) > 1 {
		terms = append(terms, number.LogSumExp(near[1:])-number.Log(float64(max(len(near)-1, fewLaws))))
	}
	u.Log = number.LogMean(terms)
	return u
}

// leaders returns the specification, and that many of the likeliest other distributions, with the
// one that is apart where it is among them.
func (c *Counted) leaders(most int) []int {
	order := make([]int, len(c.Logs)-1)
	for i := range order {
		order[i] = i + 1
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Logs[b], c.Logs[a]) })
	list := []int{0}
	for _, law := range order {
		if most == 0 {
			break
		}
		list = append(list, law)
		if !c.isApart(law) {
			most--
		}
	}
	return list
}

// against returns the log e-value against a distribution.
func (c *Counted) against(law int) float64 {
	if c.Against == nil {
		return CountsLogE(c.Counts, c.P[law])
	}
	return c.Against(law)
}

// logParts returns the log probability of draws of a distribution with a part of another one,
// averaged over all others and over the shares.
func (c *Counted) logParts(law int) float64 {
	if c.isApart(law) {
		return math.Inf(-1)
	}
	var terms []float64
	for other := range c.P {
		for _, share := range shares() {
			term := math.Inf(-1)
			if other != law && !c.isApart(other) {
				term = c.part(law, other, share)
			}
			terms = append(terms, term)
		}
	}
	return number.LogMean(terms)
}

func (c *Counted) isApart(law int) bool { return law > 0 && law == c.Apart }

// part returns the log probability of the counts where each draw is of a distribution, or with the
// probability share of the other one.
func (c *Counted) part(law, other int, share float64) float64 {
	p, q := c.P[law], c.P[other]
	out := product{rest: 1}
	for i, n := range c.Counts {
		v := (1-share)*p[i] + share*q[i]
		if v == 0 {
			return math.Inf(-1)
		}
		out.multiply(v, n)
	}
	return out.log()
}

// LogLikelihood returns the log probability of draws that are counted in cells, given the
// probability of each cell. An impossible cell has the probability least.
func LogLikelihood(counts []int, p []float64, least float64) float64 {
	out := product{rest: 1}
	impossible := 0
	for i, n := range counts {
		if p[i] > 0 {
			out.multiply(p[i], n)
		} else {
			impossible += n
		}
	}
	if impossible > 0 {
		out.multiply(least, impossible)
	}
	return out.log()
}

// product is the logarithm of a product of many probabilities, for which it takes few logarithms:
// factors are multiplied as long as the product is far from the smallest number. The rounding is
// that of the multiplications, 1e-16 for each.
type product struct{ logs, rest float64 }

const (
	fewTimes = 4 // the largest power that is taken by multiplication
	// smallRest is where the rest is turned into a logarithm, and smallFactor is the smallest
	// factor that is multiplied. smallRest smallFactor^fewTimes is still no subnormal number.
	smallRest, smallFactor = 1e-200, 1e-25
)

// multiply multiplies by a power of a factor from 0 to 1.
func (p *product) multiply(factor float64, times int) {
	if times > fewTimes || factor < smallFactor {
		p.logs += float64(times) * number.Log(factor)
		return
	}
	for range times {
		p.rest *= factor
	}
	if p.rest < smallRest {
		p.logs += number.Log(p.rest)
		p.rest = 1
	}
}

// log returns the logarithm.
func (p *product) log() float64 { return p.logs + number.Log(p.rest) }
