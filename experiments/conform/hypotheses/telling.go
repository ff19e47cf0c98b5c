package hypotheses

import (
	"math"
	"slices"
)

// tellingProbability is the probability with which two hypotheses are to be told apart, and tellingQuantile is how many
// standard deviations of a normal law are exceeded with the opposite probability.
const (
	tellingProbability = 0.99
	tellingQuantile    = 2.3263478740408408
)

// Needs returns the number of chains after which the log of the likelihood under a true hypothesis over that under another
// is at least target nats with a probability of about 0.99; +Inf where no number is enough. The log likelihood ratio of a
// chain has the mean KL(true || other), and a variance and a third moment that are known exactly. That of many chains is
// taken to be normal, but for a skewness towards small values, which moves the quantile by the first term of its expansion
// (Cornish and Fisher 1938). A chain that is impossible under the other hypothesis decides at once.
func (s *Set) Needs(truth, other int, target float64) float64 {
	r := s.ratio(truth, other)
	if other == 0 && s.rounded {
		r = s.ratioTo(truth, s.bound)
		r.mean -= s.bound.total - s.laws[0].total // which is what a bound on all cells costs
	}
	n := math.Inf(1)
	if r.impossible > 0 {
		n = max(1, math.Ceil(math.Log1p(-tellingProbability)/math.Log1p(-min(r.impossible, 1-1e-16))))
	}
	if r.mean > distinct {
		variance := max(0, r.square-r.mean*r.mean)
		if third := r.cube - 3*r.mean*r.square + 2*r.mean*r.mean*r.mean; third < 0 && variance > 0 {
			target -= third / variance * (tellingQuantile*tellingQuantile - 1) / 6
		}
		b := tellingQuantile * math.Sqrt(variance)
		root := (b + math.Sqrt(b*b+4*r.mean*target)) / (2 * r.mean)
		n = min(n, max(1, math.Ceil(root*root)))
	}
	return n
}

// ratio is the law of the log likelihood ratio of one chain between a true hypothesis and another.
type ratio struct {
	mean, square, cube float64 // the moments over the cells that are possible under the other one
	impossible         float64 // the probability of the others
}

func (s *Set) ratio(truth, other int) ratio { return s.ratioTo(truth, s.laws[other]) }

// tested returns what chains are compared with where the specification is tested: a law, or a bound on it.
func (s *Set) tested() law {
	if s.rounded {
		return s.bound
	}
	return s.laws[0]
}

func (s *Set) ratioTo(truth int, other law) ratio {
	p, q := s.laws[truth], cursor{law: other}
	var r ratio
	excess := 0.0 // the sum of q - p over the cells that are possible under both
	for i, cell := range p.cells {
		v, u := p.p[i], q.of(cell)
		if u == 0 && s.resolution == 0 {
			r.impossible += v
			continue
		}
		l := math.Log(v / max(u, s.resolution))
		r.mean += v*l + u - v // a term that is not negative, so that nothing cancels where the two are nearly the same
		r.square += v * l * l
		r.cube += v * l * l * l
		excess += u - v
	}
	if r.impossible > 0 {
		r.mean -= excess
	} else {
		r.mean += q.total - p.total - excess // the cells that are possible under the other alone
	}
	return r
}

// distinct is the divergence per chain, in nats, below which two laws are taken to be the same: it is what the rounding of
// probabilities can make of it.
const distinct = 1e-12

// Divergence returns KL(h || other) of the cells of one chain, in nats.
func (s *Set) Divergence(h, other int) float64 {
	r := s.ratio(h, other)
	if r.impossible > 0 {
		return math.Inf(1)
	}
	return max(0, r.mean)
}

// Same reports whether the columns cannot tell two hypotheses apart.
func (s *Set) Same(h, other int) bool {
	return s.near(h, other) && s.Divergence(h, other) <= distinct && s.Divergence(other, h) <= distinct
}

// near reports whether every cell by itself adds little enough to the divergence. It tells most pairs apart by their first
// cells.
func (s *Set) near(h, other int) bool {
	p, q := s.laws[h], cursor{law: s.laws[other]}
	for i, cell := range p.cells {
		if v, u := p.p[i], q.of(cell); v*math.Log(v/max(u, s.resolution))+u-v > distinct {
			return false
		}
	}
	return true
}

// Alike returns the other hypotheses that the columns cannot tell from one, by name.
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
