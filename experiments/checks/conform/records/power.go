package records

import (
	"cmp"
	"fmt"
	"math"
	"sort"
	"strconv"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/study/check"
	"breadboard/experiments/verdicts"
)

// Power says which distributions a test would have found with at least
// verdicts.DetectionProbability. Both fields are NaN if there are too few runs to say, and if there
// is a fault.
type Power struct {
	// KL is for distributions that change every probability by a small part of it: the least
	// divergence that is found, in nats a run. See verdicts.SpreadDivergence.
	KL float64
	// Rare is for distributions with one nearly certain outcome: the least fraction of other
	// outcomes that is found.
	Rare float64
}

// mostMissed is the part of the runs, or the divergence in nats, up to which a wrong distribution
// may be missed by a test that has passed. That of KL is a limit of its formula.
const mostMissed = 0.1

// Decides reports whether the test would have found enough to be a pass.
func (p Power) Decides() bool { return !math.IsNaN(p.KL) || p.Rare <= mostMissed }

// PowerOf returns the power of the test of a distribution with n runs.
func PowerOf(law map[string]float64, cells []string, n int, logThreshold float64) Power {
	out := Power{math.NaN(), math.NaN()}
	if n == 0 {
		return out
	}
	logThreshold = max(logThreshold, -number.Log(1-verdicts.DetectionProbability)) // a lower one is reached by chance too often for the question
	p := make([]float64, len(cells))
	for i, cell := range cells {
		p[i] = law[cell]
	}
	if out.KL = verdicts.SpreadDivergence(p, n, logThreshold); !math.IsNaN(out.KL) {
		return out
	}
	sort.Float64s(p)
	likeliest := len(p) - 1
	switch rest := number.Total(p[:likeliest]); {
	case rest == 0: // whatever else is sent is impossible, and found at once
		out.Rare = -math.Expm1(number.Log(1-verdicts.DetectionProbability) / float64(n))
	case rest*float64(n) < 1: // the likeliest of the others is found the latest
		_, out.Rare = verdicts.Detectable(p[likeliest-1], n, logThreshold)
	}
	return out
}

// results returns what the tests have found. Of each without a fault they say what it would have
// found, or that this is next to nothing.
func (s *checkedSide) results(logThreshold float64) (list []Result) {
	for i, t := range s.tests {
		r := Result{Test: t.Name, Runs: t.Draws, LogE: t.LogE, Fault: t.Fault, At: t.At, Statistic: t.Where(), Power: noPower()}
		if !r.Fault {
			r.Power, r.Open = s.powers[i](r.Runs, logThreshold)
			r.Open = cmp.Or(check.Near(r.LogE), r.Open)
		}
		list = append(list, r)
	}
	return list
}

// power returns what the test of a part would have found.
func (t *tally) power(runs int, logThreshold float64) (p Power, open string) {
	if p = PowerOf(t.laws.laws[0], t.laws.specified, runs, logThreshold); !p.Decides() {
		open = fmt.Sprintf("%s %s too few to state what this test would have found", selector.Count(runs, "run"), selector.Plural(runs, "is", "are"))
	}
	return p, open
}

// knownPower says why the test of the known ways to get it wrong would not have found them all.
func (s *checkedSide) knownPower(ran int, _ float64) (p Power, open string) {
	var late, never []string
	for h, runs := range s.found {
		switch {
		case h > 0 && math.IsInf(runs, 1):
			never = append(never, s.laws.Ways[h].Name)
		case runs > float64(ran):
			late = append(late, strconv.Quote(s.laws.Ways[h].Name))
		}
	}
	switch {
	case len(late) > 0:
		open = fmt.Sprintf("%s may be too few to find %s", selector.Count(ran, "run"), selector.Listed(late))
	case len(never) == len(s.found)-1:
		open = "these columns cannot distinguish any known mistake from the specification"
	}
	return noPower(), open
}

// foundBy returns after how many runs each distribution is a fault by the columns that are there.
func (s *checkedSide) foundBy(logThreshold float64) []float64 {
	if s.followed() {
		return s.laws.chainFound(logThreshold)
	}
	return s.laws.found(s.odds.laws, s.odds.classes, logThreshold)
}

// chainFound is found for a chain with all its columns.
func (s *sideLaws) chainFound(logThreshold float64) []float64 {
	list := []float64{math.NaN()}
	for h, class := range s.chainClasses()[1:] {
		runs := math.Inf(1)
		if class > 0 {
			solved := s.solved[h+1]
			ratio := verdicts.Ratio{Mean: solved.Mean, Variance: solved.Variance}
			if solved.Impossible > distinct {
				ratio.Impossible = solved.Impossible
			}
			runs = ratio.Draws(logThreshold + number.Log(float64(len(s.Ways))))
		}
		list = append(list, runs)
	}
	return list
}

// found returns after how many runs each distribution is a fault, by the test of the known ways to
// get it wrong, with a probability of about verdicts.DetectionProbability; NaN of the
// specification.
func (s *sideLaws) found(laws []map[string]float64, classes []int, logThreshold float64) []float64 {
	o := &odds{laws: laws, classes: classes, cells: cellsOf(laws)}
	list := []float64{math.NaN()}
	for h := 1; h < len(laws); h++ {
		_, runs := o.needs(h, 0, logThreshold+number.Log(float64(len(s.Ways))))
		list = append(list, runs)
	}
	return list
}
