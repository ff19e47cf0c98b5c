package hypotheses

import (
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

// Needs returns the number of chains after which the log likelihood ratio of a true hypothesis to
// another is at least target nats with a probability of about verdicts.DetectionProbability; +Inf
// if no number is enough. The log likelihood ratio of a chain has the mean KL(true || other), and a
// variance and a third moment that are known exactly (see verdicts.Ratio).
func (s *Set) Needs(truth, other int, target float64) float64 {
	return s.chainsNeeded(s.ratio(truth, other), truth, other, target)
}

// Found returns the divergence of a hypothesis from the specification, and Needs of the two, at
// once.
func (s *Set) Found(h int, target float64) (divergence, needs float64) {
	r := s.ratio(h, 0)
	return r.divergence(), s.chainsNeeded(r, h, 0, target)
}

func (s *Set) chainsNeeded(r ratio, truth, other int, target float64) float64 {
	if other == 0 && s.rounded { // the test of the specification compares with a bound
		r = s.ratioTo(truth, s.bound)
		r.mean -= s.bound.total - s.laws[0].total // which is what a bound on all cells costs
	}
	of := verdicts.Ratio{Impossible: r.impossible}
	if r.mean > Distinct {
		of.Mean = r.mean
		of.Variance = r.variance
		of.Third = r.third
	}
	return of.Draws(target)
}

// ratio is the distribution of the log likelihood ratio of one chain between a true hypothesis and
// another.
type ratio struct {
	mean            float64 // over the cells that are possible under the other one
	variance, third float64 // the central moments, where the ratio of the others counts as zero
	impossible      float64 // the probability of the others
}

// ratio returns the distribution of the ratio between two hypotheses. Those to the specification
// are asked for again and again, and kept.
func (s *Set) ratio(truth, other int) ratio {
	if other == 0 && s.toFirst != nil {
		return s.toFirst[truth]()
	}
	return s.ratioTo(truth, s.laws[other])
}

// ratioTo returns the distribution of the ratio between a hypothesis and another distribution, or a
// bound on one, whose sum is above one. The mean is then larger by what the sum is more than that.
func (s *Set) ratioTo(truth int, other law) ratio {
	p, q := &s.laws[truth], &other
	var r ratio
	excess := 0.0 // the sum of q - p over the cells that are possible under both
	kept, _ := s.logs.Get().(*[]float64)
	if kept == nil {
		kept = new([]float64)
	}
	logs := (*kept)[:0]
	for cell, v := range p.all() {
		u := q.cellProbability(cell)
		if u == 0 && s.resolution == 0 {
			r.impossible += v
			logs = append(logs, 0)
			continue
		}
		log := number.LogRatio(v, max(u, s.resolution))
		logs = append(logs, log)
		// a term that is not negative, so that nothing cancels if the two are nearly the same
		r.mean += v*log + u - v
		excess += u - v
	}
	*kept = logs
	defer s.logs.Put(kept)
	centre := r.mean - excess
	for i, v := range p.p {
		// a second time, since the variance of a ratio that hardly varies would be lost in its
		// square
		off := logs[i] - centre
		r.variance += v * off * off
		r.third += v * off * off * off
	}
	if r.impossible > 0 {
		r.mean -= excess
	} else {
		r.mean += q.total - p.total - excess // the cells that are possible under the other alone
	}
	return r
}

// Distinct is the divergence per chain, in nats, that rounding can make of two distributions that
// are the same.
const Distinct = 1e-12

// Divergence returns KL(h || other) of the cells of one chain, in nats.
func (s *Set) Divergence(h, other int) float64 {
	return s.ratio(h, other).divergence()
}

func (r ratio) divergence() float64 {
	if r.impossible > 0 {
		return math.Inf(1)
	}
	return max(0, r.mean)
}

// Same reports whether the columns cannot tell two hypotheses apart.
func (s *Set) Same(h, other int) bool {
	if s.isClose(h, other) && s.isClose(other, h) {
		return true
	}
	return s.near(h, other) && s.Divergence(h, other) <= Distinct && s.Divergence(other, h) <= Distinct
}

// isClose reports whether a bound on the divergence that needs no logarithms is far below Distinct:
// that of Pearson, the sum of (p - q)^2/q. It stops at the first cells if it is not.
func (s *Set) isClose(h, other int) bool {
	p, q := &s.laws[h], &s.laws[other]
	bound := 0.0
	excess := 0.0
	for cell, v := range p.all() {
		u := q.cellProbability(cell)
		excess += u - v
		u = max(u, s.resolution)
		bound += (v - u) / u * (v - u)
		if !(bound <= Distinct/2) { // it is NaN or infinite where u is zero
			return false
		}
	}
	// with the cells that are possible under the other one alone
	return bound+q.total-p.total-excess <= Distinct/2
}

// near reports whether every cell by itself adds little enough to the divergence. It tells most
// pairs apart by their first cells.
func (s *Set) near(h, other int) bool {
	p, q := &s.laws[h], &s.laws[other]
	for cell, v := range p.all() {
		if u := q.cellProbability(cell); v*number.LogRatio(v, max(u, s.resolution))+u-v > Distinct {
			return false
		}
	}
	return true
}

// Alike returns the names of the other hypotheses that the columns cannot tell from a given one.
func (s *Set) Alike(name string) []string {
	at := slices.Index(s.Names, name)
	if at < 0 {
		return nil
	}
	var out []string
	for h, other := range s.Names {
		if h != at && s.Same(h, at) {
			out = append(out, other)
		}
	}
	return out
}
