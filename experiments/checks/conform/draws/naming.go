package draws

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

// family is a known mistake with a parameter, which leads to a distribution for each of its values.
type family struct {
	says  string // with a verb for the parameter and its interval
	grid  []float64
	of    func(at float64) []float64
	known map[float64]string // what it also says if the interval has this value
}

// mistakeFamilies returns the mistakes whose parameter is fitted.
func (l *Law) mistakeFamilies() []family {
	return []family{{
		"the probabilities were raised to the power %s, as if the inverse temperature were multiplied by that number",
		[]float64{-4, -2, -1, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8}, l.powerLaw,
		map[float64]string{
			math.Ln10:     ", or as if log f was taken for a logarithm in base 10",
			1 / math.Ln10: ", or as if log f was a logarithm in base 10",
		},
	}, {
		"a share of %s of the draws was uniform over all states",
		[]float64{0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97, 1},
		func(share float64) []float64 {
			q := make([]float64, len(l.P))
			for x, p := range l.P {
				q[x] = (1-share)*p + share/float64(len(q))
			}
			return q
		},
		nil,
	}}
}

// powerLaw returns the distribution whose probabilities are proportional to a power of the right
// ones, if these are positive.
func (l *Law) powerLaw(exponent float64) []float64 {
	q := make([]float64, len(l.P))
	for x, p := range l.P {
		q[x] = math.Inf(-1)
		if p > 0 {
			q[x] = exponent * number.Log(p)
		}
	}
	total := number.LogSumExp(q)
	for x := range q {
		q[x] = math.Exp(q[x] - total)
	}
	return q
}

// Interval returns a fitted parameter as text.
func Interval(p Parameter) string {
	switch {
	case math.IsInf(p.High, 1):
		return fmt.Sprintf("%.3g or more", p.Low)
	case math.IsInf(p.Low, -1):
		return fmt.Sprintf("%.3g or less", p.High)
	}
	return fmt.Sprintf("%.3g (from %.3g to %.3g)", p.At, p.Low, p.High)
}

// nameMistakes says which known mistakes explain the draws, as Named does.
func (t *tally) nameMistakes() (named, reason string) {
	var list []Candidate
	add := func(says string, log float64, parameters int, law func() []float64) {
		list = append(list, Candidate{says, log, parameters, func() bool { return t.fitsDraws(law(), parameters) }})
	}
	for _, o := range t.others {
		if o.says != "" {
			add(o.says, t.ratio(o.p), 0, func() []float64 { return o.p })
		}
	}
	for _, f := range t.mistakeFamilies() {
		p := Fit(f.grid, func(at float64) float64 { return t.ratio(f.of(at)) })
		says := fmt.Sprintf(f.says, Interval(p))
		for _, at := range slices.Sorted(maps.Keys(f.known)) {
			if p.Low <= at && at <= p.High {
				says += f.known[at]
			}
		}
		add(says, p.Log, 1, func() []float64 { return f.of(p.At) })
	}
	if logs, a, b := t.exchanges(); logs != nil {
		add(t.exchange(a, b), slices.Max(logs)-number.Log(float64(len(logs))), 0, func() []float64 {
			q := slices.Clone(t.P)
			q[a], q[b] = q[b], q[a]
			return q
		})
	}
	logs, x := t.absences()
	add(t.never(x), logs[x]-number.Log(float64(len(logs))), 0, func() []float64 {
		q := slices.Clone(t.P)
		q[x] = 0
		for y := range q {
			q[y] /= 1 - t.P[x]
		}
		return q
	})
	return Named(list, LogUnknown(t.counts, len(t.P))-t.logLikelihood())
}

// logLikelihood returns the log likelihood of the draws under the right distribution.
func (t *tally) logLikelihood() (log float64) {
	for x, c := range t.counts {
		if c > 0 {
			log += float64(c) * number.Log(t.P[x])
		}
	}
	return log
}

// changedCounts returns the counts and the probabilities of the states that have another
// probability than they should, and those of all others in one.
func (t *tally) changedCounts(p []float64) (counts []int, changed []float64) {
	counts, changed = []int{0}, []float64{0}
	for x, c := range t.counts {
		if p[x] == t.P[x] {
			counts[0] += c
			changed[0] += p[x]
			continue
		}
		counts, changed = append(counts, c), append(changed, p[x])
	}
	return counts, changed
}

// fitsDraws reports whether a distribution with that many fitted parameters leaves nothing of the
// draws unexplained: neither their counts (see Fits), nor those of the states whose probability it
// changes, nor what any of the tests says of draws of the right distribution.
func (t *tally) fitsDraws(p []float64, parameters int) bool {
	if counts, changed := t.changedCounts(p); !Fits(t.counts, p, parameters) || !Fits(counts, changed, parameters) {
		return false
	}
	again := newTally(&Law{t.Name, p, t.Codes}, t.ordered)
	if !t.ordered {
		for x, c := range t.counts {
			again.addState(x, c)
		}
	}
	for _, x := range t.history[:min(len(t.history), Remembered)] {
		again.addState(int(x), 1)
	}
	row, _ := again.impossible()
	return row == 0 && Strongest(again.testValues()).LogE < number.Log(verdicts.EnoughLead)
}
