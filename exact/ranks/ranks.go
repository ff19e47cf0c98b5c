// Package ranks answers: what is the exact distribution of the rank of a true state among the draws
// of a sampler? That rank is what simulation-based calibration looks at. The package draws nothing
// at random and gives no verdict.
//
// The true state x* has the distribution Truth. Its rank among L draws is the number of draws whose
// statistic is below its own; of draws that are equal to it, each number from 0 to all of them is
// equally likely to count as below. If x* and the draws are exchangeable, as for independent draws
// from Truth, each rank from 0 to L has the probability 1/(L+1).
//
// Source: Talts, Betancourt, Simpson, Vehtari and Gelman 2018, theorem 1; for ties Modrak et al.
// 2025, section 2.
package ranks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
)

// Question is the rank that is asked for.
type Question struct {
	Truth  []float64 // the distribution of the true state; it sums to one
	Values []float64 // the statistic of each state
	Draws  int       // L, at least 1
}

// Chain makes the draws: a chain that moves Burn times before it moves Thin times for each draw.
type Chain struct {
	Start      []float64 // the distribution of its first state; nil if it begins at the true state
	Burn, Thin int
	Push       func(next, law []float64) // moves a distribution once
}

// level is a value of the statistic: what the true state is if it has that value, and which states
// are below it or equal to it.
type level struct {
	truth        []float64 // the part of Truth that is there; it sums to the probability of the level
	below, equal []bool
}

func (q *Question) levels() (list []level, err error) {
	if len(q.Values) != len(q.Truth) || q.Draws < 1 {
		return nil, fmt.Errorf("ranks: %d values of %d states and %d draws; give a value for each state, and a draw or more", len(q.Values), len(q.Truth), q.Draws)
	}
	for x, v := range q.Values {
		if math.IsNaN(v) {
			return nil, fmt.Errorf("ranks: the statistic of state %d is not a number", x)
		}
	}
	var possible []float64 // elsewhere values may be huge, and would make all others count as equal
	for x, p := range q.Truth {
		if p > 0 {
			possible = append(possible, q.Values[x])
		}
	}
	found := number.LevelsOf(possible)
	list = make([]level, len(found.Values))
	for k := range list {
		l := level{make([]float64, len(q.Truth)), make([]bool, len(q.Truth)), make([]bool, len(q.Truth))}
		for x, v := range q.Values {
			at, of := found.Find(v)
			l.equal[x], l.below[x] = of && at == k, at < k || at == k && !of
			if l.equal[x] {
				l.truth[x] = q.Truth[x]
			}
		}
		list[k] = l
	}
	return list, nil
}

// pair is a number of draws below the true state and a number of those equal to it.
type pair struct{ below, equal int }

// spread adds the probability of a pair to the ranks that it may be.
func spread(ranks []float64, at pair, p float64) {
	for r := range at.equal + 1 {
		ranks[at.below+r] += p / float64(at.equal+1)
	}
}

// Independent returns the probabilities of the ranks 0 to L among independent draws with the
// distribution q, in time O(levels L^2). If q is Truth itself they are 1/(L+1), by theorem 1 of
// Talts et al. 2018.
func Independent(s Question, q []float64) ([]float64, error) {
	levels, err := s.levels()
	if err != nil {
		return nil, err
	}
	if slices.Equal(q, s.Truth) {
		return slices.Repeat([]float64{1 / float64(s.Draws+1)}, s.Draws+1), nil
	}
	return s.independent(levels, q), nil
}

// independent is Independent for any q.
func (s *Question) independent(levels []level, q []float64) []float64 {
	ranks := make([]float64, s.Draws+1)
	for _, l := range levels {
		var below, equal, above number.Sum
		for x, p := range q {
			switch {
			case l.below[x]:
				below.Add(p)
			case l.equal[x]:
				equal.Add(p)
			default:
				above.Add(p)
			}
		}
		mass := number.Total(l.truth)
		logs := [3]float64{number.Log(below.Value()), number.Log(equal.Value()), number.Log(above.Value())}
		for b := range s.Draws + 1 {
			for m := range s.Draws - b + 1 {
				spread(ranks, pair{b, m}, mass*math.Exp(logTrinomial(s.Draws, pair{b, m}, logs)))
			}
		}
	}
	return ranks
}

// logTrinomial returns the log probability of counts of independent draws of three kinds.
func logTrinomial(n int, at pair, logs [3]float64) float64 {
	counts := [3]int{at.below, at.equal, n - at.below - at.equal}
	total := number.LogFactorial(float64(n))
	for i, c := range counts {
		if c > 0 {
			total += float64(c)*logs[i] - number.LogFactorial(float64(c))
		}
	}
	return total
}

// Dependent returns the probabilities of the ranks 0 to L among the draws of a chain, by a
// recursion over the state, the number of draws below and that of equal ones: O(levels L^3) moves
// of a distribution, and memory for L^2 of these.
func Dependent(ctx context.Context, s Question, c Chain) ([]float64, error) {
	levels, err := s.levels()
	if err != nil {
		return nil, err
	}
	push := c.thinned(len(s.Truth))
	ranks := make([]float64, s.Draws+1)
	for _, l := range levels {
		laws := newPairs(s.Draws)
		laws.at(pair{}, len(s.Truth))
		copy(laws.laws[0], c.first(l))
		for k := range s.Draws {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			laws = laws.drawn(k, l, push)
		}
		laws.each(s.Draws, func(at pair, law []float64) { spread(ranks, at, number.Total(law)) })
	}
	return ranks, nil
}

// first returns the distribution of the state before the moves of the first draw, given a level of
// the true state, times the probability of that level.
func (c *Chain) first(l level) []float64 {
	law := slices.Clone(l.truth)
	if c.Start != nil {
		mass := number.Total(l.truth)
		for x, p := range c.Start {
			law[x] = mass * p
		}
	}
	for range c.Burn {
		next := make([]float64, len(law))
		c.Push(next, law)
		law = next
	}
	return law
}

// densest is the largest number of states of which the moves between two draws are multiplied out.
const densest = 1 << 10

// thinned returns what moves a distribution from a draw to the next one.
func (c *Chain) thinned(n int) func(next, law []float64) {
	if c.Thin == 1 || n > densest {
		return c.times
	}
	rows := make([][]float64, n)
	for x := range rows {
		point := make([]float64, n)
		point[x] = 1
		rows[x] = make([]float64, n)
		c.times(rows[x], point)
	}
	return func(next, law []float64) {
		clear(next)
		for x, p := range law {
			if p > 0 {
				for y, t := range rows[x] {
					next[y] += float64(p * t)
				}
			}
		}
	}
}

// times moves a distribution Thin times.
func (c *Chain) times(next, law []float64) {
	c.Push(next, law)
	for range c.Thin - 1 {
		c.Push(next, slices.Clone(next))
	}
}

// pairs holds the distribution of the state by pair, times the probability of the pair; nil if that
// is zero.
type pairs struct {
	draws int
	laws  [][]float64
}

func newPairs(draws int) *pairs { return &pairs{draws, make([][]float64, (draws+1)*(draws+1))} }

// at returns the distribution of n states that a pair has, which is zero at first.
func (p *pairs) at(of pair, n int) []float64 {
	law := &p.laws[of.below*(p.draws+1)+of.equal]
	if *law == nil {
		*law = make([]float64, n)
	}
	return *law
}

// each visits the pairs of k draws that are possible.
func (p *pairs) each(k int, visit func(at pair, law []float64)) {
	for b := range k + 1 {
		for m := range k - b + 1 {
			if law := p.laws[b*(p.draws+1)+m]; law != nil {
				visit(pair{b, m}, law)
			}
		}
	}
}

// drawn returns the distributions after the next draw behind k of them.
func (p *pairs) drawn(k int, l level, push func(next, law []float64)) *pairs {
	out, next := newPairs(p.draws), make([]float64, len(l.below))
	p.each(k, func(at pair, law []float64) {
		push(next, law)
		for x, v := range next {
			to := at
			switch {
			case v == 0:
				continue
			case l.below[x]:
				to.below++
			case l.equal[x]:
				to.equal++
			}
			out.at(to, len(next))[x] += v
		}
	})
	return out
}

// Roundings bounds the relative roundings in the probabilities of ranks: about one for each draw of
// every term, and those of the logarithms of factorials.
func Roundings(q Question) float64 { return 100 + 20*float64(q.Draws) }

// Nats returns the KL divergence of a distribution of ranks from the uniform one, in nats: what a
// run tells a test of uniformity on average, if the sampler is the one that made the ranks.
func Nats(ranks []float64, roundings float64) number.Bounded {
	return Divergence(ranks, slices.Repeat([]float64{1 / float64(len(ranks))}, len(ranks)), roundings)
}

// Divergence returns KL(q || p), in nats. Roundings is the number of relative roundings in each
// probability. The sum has no negative terms.
func Divergence(q, p []float64, roundings float64) number.Bounded {
	off := roundings * 0x1p-52
	var total, wrong number.Sum
	for x, v := range p {
		if v == 0 {
			if q[x] > 0 {
				return number.Exactly(math.Inf(1))
			}
			continue
		}
		d := (q[x] - v) / v
		term := (1+d)*math.Log1p(d) - d
		switch {
		case q[x] == 0:
			term = 1
		case math.Abs(d) < 1e-5:
			term = d * d / 2 * (1 - d/3 + d*d/6)
		}
		total.Add(v * term)
		wrong.Add(v * (math.Abs(term+d) + off) * off)
	}
	return number.Bounded{Value: total.Value(), Error: wrong.Value()}
}
