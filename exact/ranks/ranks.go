// Package ranks computes the exact distribution of the rank of a true state among the draws of a
// sampler, which simulation-based calibration tests. It draws nothing at random and gives no
// verdict.
//
// The true state x* has the distribution Truth. Its rank among L draws is the number of draws whose
// statistic is below its own; of the draws that are equal to it, each number from 0 to all of them
// is equally likely to count as below. If x* and the draws are exchangeable, as for independent
// draws from Truth, each rank from 0 to L has the probability 1/(L+1).
//
// Source: Talts, Betancourt, Simpson, Vehtari and Gelman 2018, theorem 1; for ties Modrak et al.
// 2025, section 2.
package ranks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/lanes"
)

// Question specifies a rank.
type Question struct {
	Truth  []float64 // the distribution of the true state; it sums to one
	Values []float64 // the statistic of each state
	Draws  int       // L, at least 1
}

// Chain makes the draws: a chain that moves Burn times before it moves Thin times for each draw.
type Chain struct {
	Start      []float64 // the distribution of its first state; nil if it begins at the true state
	Burn, Thin int
	Rows       [][]chains.Entry // of one move, by state
	Back       [][]chains.Entry // of one move of the time reversal, for Arms; nil if Rows are their own
	// called when n more percent of the work are done, which add up to 100; may be nil
	Percent func(n int)
}

// level is a value of the statistic: what the true state is if it has that value, and which states
// are below it or equal to it.
type level struct {
	truth        []float64 // the part of Truth that is there; it sums to the probability of the level
	below, equal []bool
}

func (q *Question) levels() (list levels, err error) {
	if len(q.Values) != len(q.Truth) || q.Draws < 1 {
		return list, errs.New(
			"ranks: %d values of %d states and %d draws; give a value for each state, and a draw or more",
			len(q.Values),
			len(q.Truth),
			q.Draws,
		)
	}
	for x, v := range q.Values {
		if math.IsNaN(v) {
			return list, fmt.Errorf("ranks: the statistic of state %d is not a number", x)
		}
	}
	var possible []float64 // elsewhere values may be huge, and would make all others count as equal
	for x, p := range q.Truth {
		if p > 0 {
			possible = append(possible, q.Values[x])
		}
	}
	found := number.LevelsOf(possible)
	list = levels{q.Truth, len(found.Values), make([]int, len(q.Truth)), make([]bool, len(q.Truth))}
	for x, v := range q.Values {
		list.place[x], list.of[x] = found.Find(v)
	}
	return list, nil
}

// levels are the values that the statistic of the true state may have.
type levels struct {
	truth []float64
	count int
	place []int  // of each state the first level that is not below it
	of    []bool // whether the state is of that level
}

// level returns the level k.
func (ls *levels) level(k int) level {
	n := len(ls.truth)
	l := level{make([]float64, n), make([]bool, n), make([]bool, n)}
	for x, at := range ls.place {
		l.equal[x], l.below[x] = ls.of[x] && at == k, at < k || at == k && !ls.of[x]
		if l.equal[x] {
			l.truth[x] = ls.truth[x]
		}
	}
	return l
}

// Independent returns the probabilities of the ranks 0 to L among independent draws with the
// distribution q, in time O(levels L^2): given u (see ties) the number below is binomial.
// If q is Truth itself they are 1/(L+1), by theorem 1 of Talts et al. 2018.
func Independent(ctx context.Context, s Question, q []float64) ([]float64, error) {
	levels, err := s.levels()
	if err != nil {
		return nil, err
	}
	if slices.Equal(q, s.Truth) {
		return slices.Repeat([]float64{1 / float64(s.Draws+1)}, s.Draws+1), nil
	}
	l := float64(s.Draws)
	if err := Affordable(len(q), s.Draws, float64(levels.count)*(float64(len(q))+l*l/2)); err != nil {
		return nil, err
	}
	return s.independent(ctx, levels, q), context.Cause(ctx)
}

// independent is Independent for any q.
func (s *Question) independent(ctx context.Context, levels levels, q []float64) []float64 {
	ranks := make([]float64, s.Draws+1)
	row := make([]float64, s.Draws+1)
	ratios := make([]float64, s.Draws)
	for r := range ratios {
		ratios[r] = float64(s.Draws-r) / float64(r+1)
	}
	u, weights := Nodes(s.Draws)
	for k := 0; k < levels.count && ctx.Err() == nil; k++ {
		l := levels.level(k)
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
		for i, v := range u {
			total := binomial(row, ratios, below.Value()+v*equal.Value(), above.Value()+(1-v)*equal.Value())
			floats.AddScaled(ranks, mass*weights[i]/total, row)
		}
	}
	return ranks
}

// binomial writes what is in proportion to the distribution of the number of draws below among L
// independent ones, from the probabilities that a draw is below and that it is not. It returns the
// sum. The ratios of binomial coefficients are those of r + 1 to r.
func binomial(p, ratios []float64, below, not float64) (total float64) {
	clear(p)
	odds := below / not
	n := len(ratios)
	mode := min(n, int(float64(n+1)*below/(below+not)))
	p[mode], total = 1, 1
	for r, v := mode, 1.0; r < n && v > 0; r++ {
		v *= ratios[r] * odds
		p[r+1] = v
		total += v
	}
	odds = not / below
	for r, v := mode, 1.0; r > 0 && v > 0; r-- {
		v *= ratios[n-r] * odds // the coefficients are symmetric
		p[r-1] = v
		total += v
	}
	return total
}

// Dependent returns the probabilities of the ranks 0 to L among the draws of a chain, by a
// recursion over the state and the number of draws below the true one. Time is O(levels L^2.5)
// times the entries of the rows, and memory 16 L numbers a state. It fails at once if that is too
// much.
func Dependent(ctx context.Context, s Question, c Chain) ([]float64, error) {
	levels, err := s.levels()
	if err != nil {
		return nil, err
	}
	rows, err := c.thinned(ctx, s.Draws, levels.count, 0)
	if err != nil {
		return nil, err
	}
	ranks := make([]float64, s.Draws+1)
	ties := newTies(len(s.Truth), s.Draws, levels.count)
	columns := ties.columns(rows)
	for i := range levels.count {
		l := levels.level(i)
		law := c.startLaw(ctx, l)
		u, weights := Nodes(ties.enough(law, l, columns) | eights)
		for i := 0; i < len(u) && ctx.Err() == nil; i += lanes.Width {
			ties.drawAll(ctx, law, l, eight(u[i:]), columns)
			add(ranks, ties.sumsAfter(s.Draws), weights[i:][:lanes.Width], 1)
		}
		if c.Percent != nil {
			c.Percent(100*(i+1)/levels.count - 100*i/levels.count)
		}
	}
	return ranks, context.Cause(ctx)
}

// startLaw returns the distribution of the state before the moves of the first draw, given a level
// of the true state, times the probability of that level.
func (c *Chain) startLaw(ctx context.Context, l level) []float64 {
	law := slices.Clone(l.truth)
	if c.Start != nil {
		mass := number.Total(l.truth)
		for x, p := range c.Start {
			law[x] = mass * p
		}
	}
	for k := 0; k < c.Burn && ctx.Err() == nil; k++ {
		law = moved(c.Rows, law)
	}
	return law
}

// moved moves a distribution once.
func moved(rows [][]chains.Entry, law []float64) []float64 {
	next := make([]float64, len(law))
	for x, p := range law {
		if p > 0 {
			for _, e := range rows[x] {
				next[e.To] += float64(p * e.P)
			}
		}
	}
	return next
}

// thinned returns the rows of the moves from a draw to the next one. It fails if the work, with
// that of the recursion once for each start and other products for each state, is too much.
func (c *Chain) thinned(ctx context.Context, draws, starts int,
	others float64) (rows [][]chains.Entry, err error) {
	n := len(c.Rows)
	entries := entriesOf(c.Rows)
	moves := float64(c.Burn*starts) * entries
	if c.Thin > 1 {
		moves += float64(c.Thin*n) * entries
	}
	if err := Affordable(n, draws, moves); err != nil {
		return nil, err
	}
	rows = c.Rows
	if c.Thin > 1 {
		rows = make([][]chains.Entry, n)
	}
	for x := 0; c.Thin > 1 && x < n; x++ {
		law := make([]float64, n)
		law[x] = 1
		for k := 0; k < c.Thin && ctx.Err() == nil; k++ {
			law = moved(c.Rows, law)
		}
		for y, p := range law {
			if p > 0 {
				rows[x] = append(rows[x], chains.Entry{To: y, P: p})
			}
		}
	}
	l := float64(draws)
	nodes := min(l/2+1, 8+5*math.Sqrt(l)) // see enough, if all draws are equal
	work := moves + float64(starts)*entriesOf(rows)*l*l/2*nodes + others*float64(n)
	return rows, cmp.Or(context.Cause(ctx), Affordable(n, draws, work))
}

func entriesOf(rows [][]chains.Entry) (total float64) {
	for _, r := range rows {
		total += float64(len(r))
	}
	return total
}

// These are limits on the work for a distribution of ranks, which is then done within about half
// an hour, and on its memory.
const (
	maxProducts = 3e11
	maxNumbers  = 2e8
)

// Affordable returns an error if a distribution of ranks takes too many products or numbers.
func Affordable(states, draws int, products float64) error {
	need := products
	what := "products"
	most := maxProducts
	if numbers := float64(2*lanes.Width*states) * float64(draws+5); numbers > maxNumbers {
		need = numbers
		what = "numbers in memory"
		most = maxNumbers
	}
	if need <= most {
		return nil
	}
	return errs.New("the ranks among %d draws on %d states would take about %.2g %s, and the limit is %.2g; lower "+
		"{draws}, {thin} or {warmup}, or take a statistic with fewer values or a toy with fewer states",
		draws, states, need, what, most)
}

// Roundings bounds the relative roundings in the probabilities of ranks: about one for each draw of
// every term, those of logarithms of factorials, and those of a sum over the states.
func Roundings(q Question) float64 { return float64(100 + len(q.Truth)/2 + 20*q.Draws) }

// Nats returns the KL divergence of a distribution of ranks from the uniform one, in nats: the mean
// evidence of one run against uniformity, if ranks have this distribution.
func Nats(ranks []float64, roundings float64) (nats number.Bounded) {
	nats, _ = Divergence(ranks, slices.Repeat([]float64{1 / float64(len(ranks))}, len(ranks)), roundings)
	return nats
}

// Divergence compares a draw from q with one from p. It returns the probability under q of states
// that are impossible under p, and KL(q' || p) in nats, where q' is q given that the state is
// possible: NaN if it never is. Roundings is the number of relative roundings in each probability.
// The sum has no negative terms.
func Divergence(q, p []float64, roundings float64) (nats number.Bounded, impossible float64) {
	var never, rest number.Sum
	for x, v := range p {
		if v == 0 {
			never.Add(q[x])
		} else {
			rest.Add(q[x])
		}
	}
	possible := 1.0
	impossible = min(1, never.Value())
	if impossible > 0 {
		possible = rest.Value()
		roundings += 2
	}
	if possible == 0 {
		return number.Exactly(math.NaN()), 1
	}
	off := roundings * 0x1p-52
	var total, wrong number.Sum
	for x, v := range p {
		if v == 0 {
			continue
		}
		u := q[x] / possible
		d := (u - v) / v // it may be infinite, or -1 if u is not zero
		term := v
		switch {
		case math.Abs(d) < 1e-5:
			term = v * d * d / 2 * (1 - d/3 + d*d/6)
		case math.Abs(d) < 0.5:
			term = v * ((1+d)*math.Log1p(d) - d)
		case u > 0:
			term = u*(number.Log(u)-number.Log(v)) - u + v
		}
		total.Add(term)
		wrong.Add((math.Abs(term+u-v) + v*off) * off)
	}
	return number.Bounded{Value: total.Value(), Error: wrong.Value()}, impossible
}
