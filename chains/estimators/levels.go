package estimators

import (
	"math"
	"sort"

	"breadboard/chains/number"
)

// tieWidth is how far the largest log likelihood of a level may be above its least, in nats: likelihoods within 1e-12 of one
// another, relatively, count as equal.
const tieWidth = 1e-12

// Level is a set of states of the same likelihood, as nested sampling meets it on its way up.
type Level struct {
	LogL float64 // the log likelihood in nats, the least of its states; -Inf for the states of likelihood zero
	// LogOdds is the logarithm of the prior probability of the level divided by that of all levels above it. It is +Inf for the
	// highest level. The prior volume shrinks at the level by the factor 1 + exp(LogOdds).
	LogOdds float64
}

// LevelsOf returns the levels of the states from the lowest up, and the place of each state among them: -1 for states where the
// prior is zero, which belong to none. Both arguments have an entry for each state, in nats; a constant in logPrior does not
// matter. A level takes in all states whose log likelihood is at most 1e-12 above that of its first one. Time is that of sorting.
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
		if last := len(levels) - 1; last < 0 || (logL[x] != levels[last].LogL && !(logL[x]-levels[last].LogL <= tieWidth)) {
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

// Shrinkage returns log(V/V'), where V is the prior probability of the level and all above it, and V' that of those above it.
func (l Level) Shrinkage() float64 {
	if l.LogOdds > 40 {
		return l.LogOdds + math.Exp(-l.LogOdds)
	}
	return math.Log1p(math.Exp(l.LogOdds))
}

// Share returns the prior probability of the level divided by that of the level and all above it.
func (l Level) Share() float64 { return 1 / (1 + math.Exp(-l.LogOdds)) }
