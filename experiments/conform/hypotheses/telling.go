package hypotheses

import "math"

// tellingProbability is the probability with which two hypotheses are to be told apart, and tellingQuantile is how many
// standard deviations of a normal law are exceeded with the opposite probability.
const (
	tellingProbability = 0.99
	tellingQuantile    = 2.3263478740408408
)

// Needs returns the number of chains after which the log of the likelihood under a true hypothesis over that under another
// is at least target nats with a probability of about 0.99; +Inf where no number is enough. The log likelihood ratio of a
// chain has the mean KL(true || other) and a variance that is known exactly; that of many chains is taken to be normal. A
// chain that is impossible under the other hypothesis decides at once.
func (s *Set) Needs(truth, other int, target float64) float64 {
	p, q := s.p[truth], s.p[other]
	mean, square, impossible := 0.0, 0.0, 0.0
	for cell, v := range p {
		switch u := q[cell]; {
		case v <= s.resolution:
		case u <= 0 && s.resolution == 0:
			impossible += v
		default:
			l := math.Log(v / max(u, s.resolution))
			mean += v*l + u - v // of terms that are not negative
			square += v * l * l
		}
	}
	n := math.Inf(1)
	if impossible > 0 {
		n = max(1, math.Ceil(math.Log1p(-tellingProbability)/math.Log1p(-min(impossible, 1-1e-16))))
	}
	if mean > distinct {
		variance := max(0, square-mean*mean)
		b := tellingQuantile * math.Sqrt(variance)
		root := (b + math.Sqrt(b*b+4*mean*target)) / (2 * mean)
		n = min(n, max(1, math.Ceil(root*root)))
	}
	return n
}

// distinct is the divergence per chain, in nats, below which two laws are taken to be the same: it is what the rounding of
// probabilities can make of it.
const distinct = 1e-12

// Divergence returns KL(h || other) of the cells of one chain, in nats.
func (s *Set) Divergence(h, other int) float64 {
	total := 0.0
	for cell, v := range s.p[h] {
		u := s.p[other][cell]
		switch {
		case v <= s.resolution:
		case u <= 0 && s.resolution == 0:
			return math.Inf(1)
		default:
			u = max(u, s.resolution)
			total += v*math.Log(v/u) + u - v
		}
	}
	return total
}

// Same reports whether the columns cannot tell two hypotheses apart.
func (s *Set) Same(h, other int) bool {
	return s.Divergence(h, other) <= distinct && s.Divergence(other, h) <= distinct
}
