package ranks

import (
	"context"

	"breadboard/chains/number"
)

// Arms returns the probabilities of the ranks 0 to L of a draw from Truth among the other states of
// a chain of L + 1 states in which it has a place that is uniformly drawn. The states behind it and
// those before it are both made by the kernel, which declares itself reversible; the thinning of
// the chain holds for both, and there is no burn-in. If the kernel is reversible under Truth, all
// ranks are equally likely. The time is that of Dependent with a level for each state.
//
// Source: Gandy and Scott 2020, section 4.
func Arms(ctx context.Context, s Question, c Chain) ([]float64, error) {
	levels, err := s.levels()
	if err != nil {
		return nil, err
	}
	push := c.thinned(len(s.Truth))
	ranks := make([]float64, s.Draws+1)
	for _, l := range levels {
		for x, p := range l.truth {
			if p == 0 {
				continue
			}
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			s.joinArms(ranks, p, s.armsFrom(x, l, push))
		}
	}
	return ranks, nil
}

// armsFrom returns the probability of each pair after 0, 1, ..., L draws of a chain from a state.
func (s *Question) armsFrom(x int, l level, push func(next, law []float64)) (arms []map[pair]float64) {
	laws := newPairs(s.Draws)
	laws.at(pair{}, len(s.Truth))[x] = 1
	for k := range s.Draws + 1 {
		arm := map[pair]float64{}
		laws.each(k, func(at pair, law []float64) { arm[at] = number.Total(law) })
		arms = append(arms, arm)
		if k < s.Draws {
			laws = laws.drawn(k, l, push)
		}
	}
	return arms
}

// joinArms adds the ranks of a state of probability p with an arm on either side, of all lengths
// that add up to L.
func (s *Question) joinArms(ranks []float64, p float64, arms []map[pair]float64) {
	for k := range s.Draws + 1 {
		for b := range k + 1 {
			for m := range k - b + 1 {
				one, is := arms[k][pair{b, m}]
				if !is {
					continue
				}
				j := s.Draws - k
				for b2 := range j + 1 {
					for m2 := range j - b2 + 1 {
						if two := arms[j][pair{b2, m2}]; two > 0 {
							spread(ranks, pair{b + b2, m + m2}, p*one*two/float64(s.Draws+1))
						}
					}
				}
			}
		}
	}
}
