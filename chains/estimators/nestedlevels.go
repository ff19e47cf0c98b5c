package estimators

import (
	"math"
	"slices"
	"sort"

	"breadboard/chains/number"
)

// tieWidth is how far the largest log likelihood of a level may be above its least, in nats:
// likelihoods within 1e-12 of one another, relatively, count as equal.
const tieWidth = 1e-12

// Level is a set of states of the same likelihood.
type Level struct {
	// the log likelihood in nats, the least of its states; -Inf for the states of likelihood zero
	LogL float64
	// LogOdds is the logarithm of the prior probability of the level divided by that of all levels
	// above it. It is +Inf for the highest level. The prior volume shrinks at the level by the
	// factor 1 + exp(LogOdds).
	LogOdds float64
}

// LevelsOf returns the levels of the states from the lowest up, and the place of each state among
// them: -1 for states where the prior is zero, which belong to none. Both arguments have an entry
// for each state, in nats; a constant in logPrior does not matter. A level takes in all states
// whose log likelihood is at most 1e-12 above that of its first one. Time is that of sorting.
func LevelsOf(logPrior, logL []float64) (levels []Level, levelOf []int) {
	order := make([]int, 0, len(logL))
	levelOf = make([]int, len(logL))
	for x, p := range logPrior {
		levelOf[x] = -1
		if !math.IsInf(p, -1) {
			order = append(order, x)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return logL[order[i]] < logL[order[j]] })
	var mass []number.LogSum
	for _, x := range order {
		if last := len(levels) - 1; last < 0 ||
			(logL[x] != levels[last].LogL && !(logL[x]-levels[last].LogL <= tieWidth)) {
			levels = append(levels, Level{LogL: logL[x]})
			mass = append(mass, number.LogSum{})
		}
		levelOf[x] = len(levels) - 1
		mass[levelOf[x]].Add(logPrior[x])
	}
	var above number.LogSum
	for j := len(levels) - 1; j >= 0; j-- {
		levels[j].LogOdds = mass[j].Log() - above.Log()
		above.Add(mass[j].Log())
	}
	return levels, levelOf
}

// Shrinkage returns log(V/V'), where V is the prior probability of the level and all above it, and
// V' that of those above it.
func (l Level) Shrinkage() float64 {
	if l.LogOdds > 40 {
		return l.LogOdds + math.Exp(-l.LogOdds)
	}
	return math.Log1p(math.Exp(l.LogOdds))
}

// Share returns the prior probability of the level divided by that of the level and all above it.
func (l Level) Share() float64 { return 1 / (1 + math.Exp(-l.LogOdds)) }

// Deaths is the distribution of the number of particles that nested sampling replaces at a level:
// it is First + i with probability P[i]. Numbers with less than 2^-70 of the largest probability
// are omitted.
type Deaths struct {
	First int
	P     []float64
}

// leastDeaths is the probability, relative to that of the likeliest number, at which a distribution
// of deaths ends.
const leastDeaths = 0x1p-70

// Deaths returns the distribution of the number of deaths at a level below the highest, with K
// particles that are drawn exactly. It is for TiesLabel and TiesStrict. The numbers of different
// levels are independent.
//
// With ties broken by a label the particles are uniform on the prior volume, which shrinks at every
// death by the largest of K uniform numbers: the deaths are the points of a Poisson process in log
// volume of rate K. With strict ties the particles at the level die, and their replacements are
// above it, so that the number is Binomial(K, Share). Time and memory are O(square root of the mean
// number).
func (l Level) Deaths(k int, ties Ties) Deaths {
	if ties == TiesStrict {
		odds := math.Exp(l.LogOdds)
		return ratioLaw(0, min(k, int(float64(k)*l.Share())),
			func(n int) float64 { return float64(k-n) / float64(n+1) * odds })
	}
	return poisson(float64(k)*l.Shrinkage(), 0)
}

// poisson returns the Poisson distribution of a mean, given that the number is at least a least
// one.
func poisson(mean float64, least int) Deaths {
	return ratioLaw(least, max(least, int(mean)), func(n int) float64 { return mean / float64(n+1) })
}

// ratioLaw returns the distribution of numbers from a least one on, given about where its mode is
// and P(n+1)/P(n).
func ratioLaw(least, mode int, ratio func(n int) float64) Deaths {
	var down []float64
	for n, p := mode, 1.0; n > least; n-- {
		p /= ratio(n - 1)
		if !(p > leastDeaths) {
			break
		}
		down = append(down, p)
	}
	slices.Reverse(down)
	d := Deaths{First: mode - len(down), P: down}
	for n, p := mode, 1.0; p > leastDeaths; n++ {
		d.P = append(d.P, p)
		p *= ratio(n)
	}
	total := 0.0
	for _, p := range d.P {
		total += p
	}
	for i := range d.P {
		d.P[i] /= total
	}
	return d
}
