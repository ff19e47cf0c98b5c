package averages

import (
	"context"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// RHatLaw is the distribution of R-hat (Gelman and Rubin 1992) of K whole chains of N samples, not
// split, for a function whose values are zero and one, jointly with the error of their pooled mean.
// With n_k the number of ones in chain k, both are functions of A = sum n_k and Q = sum n_k^2:
//
//	R-hat^2 = ((N-1)/N W + B/N)/W = (N-1)/N (1 + (K Q - A^2)/((K-1) (N A - Q))),
//
// where W is the mean of the variances of the chains (divisor N-1) and B/N the variance of their
// means (divisor K-1). The joint distribution of A and Q is known for half of the chains and for
// the others: given A, R-hat rises with Q, so that the probabilities below are those of Q below a
// limit.
type RHatLaw struct {
	N, Chains int

	function   *Function
	shape      *shape
	half, rest *summed // of chains/2 chains, and of all others
}

// summed is a joint distribution with sums of the probabilities of each row.
type summed struct {
	*joint
	// for each row, from its end to its start, the sums up to each number and from it on
	below, above [][]float64
}

const (
	maxRHat     = 1 << 27 // the largest number of probabilities in the joint distribution of all chains
	maxRHatWork = 1e11    // the largest number of products that it may take
)

// RHat returns the distribution of R-hat of the given number of chains. It fails if the function
// has values other than zero and one, for fewer than two chains or samples, if the whole
// distribution would be too large, and if the context ends. Time is O(N^4 K^3) and memory O(N^3
// K^2): an eighth and a quarter of those of the whole distribution.
func (l *SumLaw) RHat(ctx context.Context, chains int) (*RHatLaw, error) {
	s, err := l.rhatShape(chains)
	if err != nil {
		return nil, err
	}
	half, err := s.jointLaw(ctx, chains/2)
	if err != nil {
		return nil, err
	}
	out := &RHatLaw{N: l.N, Chains: chains, function: l.Function, shape: s, half: half.summed()}
	out.rest = out.half
	if chains%2 == 1 {
		half, err = s.more(ctx, half)
		if err != nil {
			return nil, err
		}
		out.rest = half.summed()
	}
	return out, nil
}

// summed adds the sums.
func (j *joint) summed() *summed {
	s := &summed{joint: j}
	for _, row := range j.rows {
		below := running(row.p)
		above := slices.Clone(row.p)
		slices.Reverse(below)
		slices.Reverse(above)
		s.below, s.above = append(s.below, below), append(s.above, running(above))
	}
	return s
}

// mass returns the probability of row number i.
func (s *summed) mass(i int) float64 {
	if len(s.below[i]) == 0 {
		return 0
	}
	return s.below[i][0]
}

// rhatShape determines the pairs of A and Q of the distribution of R-hat.
func (l *SumLaw) rhatShape(chains int) (*shape, error) {
	if err := checkChains(chains, 2); err != nil {
		return nil, err
	}
	if l.N < 2 {
		return nil, errs.New("chains of %d sample have no R-hat; give chains of two samples or more", l.N)
	}
	s, err := l.ones()
	if err != nil {
		return nil, err
	}
	return s, s.checkRHat(l.N, chains)
}

// Indicator reports whether the function is zero or one at every state of positive probability.
func (f *Function) Indicator() bool { return slices.Equal(f.Taken(), []float64{0, 1}) }

// ones returns the distribution of the number of ones of a chain.
func (l *SumLaw) ones() (*shape, error) {
	if !l.Function.Indicator() || l.Low != 0 && l.Low+l.span*l.Step != int64(l.N) || l.span > 1 ||
		l.span == 1 && (l.Low != 0 || l.Step != 1) {
		return nil,
			errs.New("the distribution of R-hat is known for functions whose values are 0 and 1 only, and this " +
				"one has others; take an indicator as x0<=3, or mode")
	}
	s := &shape{high: func(_, a int) int { return l.N * a }} // as n_k <= N
	for i, p := range l.P {
		if p > 0 {
			s.atoms = append(s.atoms, atom{int(l.Low) + i, p})
		}
	}
	return s, nil
}

// checkRHat fails if the joint distribution of the given number of chains of n samples is too
// large.
func (s *shape) checkRHat(n, chains int) error {
	const cure = "take fewer samples or fewer chains"
	cells := float64(n) * float64(chains)
	work := 0.0
	if cells <= maxRHat {
		cells, work = s.cost(chains, maxRHat)
	}
	if cells > maxRHat {
		return errs.New(
			"the distribution of R-hat of %d chains of %d samples takes about %.3g probabilities, and at "+
				"most %.3g are kept; %s",
			chains,
			n,
			s.rhatCells(n, chains),
			float64(maxRHat),
			cure,
		)
	}
	if work > maxRHatWork {
		return errs.New(
			"the distribution of R-hat of %d chains of %d samples takes %.3g products, and at most %.3g are made; %s",
			chains,
			n,
			work,
			float64(maxRHatWork),
			cure,
		)
	}
	return nil
}

// rhatCells returns about how many probabilities the joint distribution of the given number of
// chains of n samples has. There are (n A - A^2/K)/2 + 1 values of Q for every A, of which this is
// the integral. It is close for the many samples for which a distribution is too large.
func (s *shape) rhatCells(n, chains int) float64 {
	low, high := s.span(chains)
	below := func(a float64) float64 { return a*a*(float64(n)/4-a/(6*float64(chains))) + a }
	return below(float64(high)) - below(float64(low)) + 1
}

// squaredRHat returns the square of R-hat, which is infinite if all chains are constant and not all
// are equal, and NaN if all are equal.
func (l *RHatLaw) squaredRHat(a, q int) float64 {
	n := float64(l.N)
	k := float64(l.Chains)
	return (n - 1) / n * (1 + float64(l.Chains*q-a*a)/((k-1)*float64(l.N*a-q)))
}

// isWrong reports whether the pooled mean is off by strictly more than half a standard deviation of
// the function if A is a. If the two agree to 1e-12 it is not wrong.
func (l *RHatLaw) isWrong(a int) bool {
	all := float64(l.N) * float64(l.Chains)
	return math.Abs(float64(a)-all*l.function.Mean) > all*l.function.SD/2*(1+tie)
}

// isConstant reports whether every chain is constant.
func (l *RHatLaw) isConstant(a, q int) bool { return q == l.N*a }

// equal reports whether constant chains are all equal.
func (l *RHatLaw) equal(a int) bool { return a == 0 || a == l.N*l.Chains }

// isBelow reports whether R-hat is a number below a limit. One that agrees with the limit to 1e-12
// is not.
func (l *RHatLaw) isBelow(a, q int, limit float64) bool {
	return limit > 0 && l.squaredRHat(a, q) < limit*limit*(1-2*tie) && !l.isConstant(a, q)
}

// minimumQ returns the least Q at which R-hat is not below a limit, given A = a.
func (l *RHatLaw) minimumQ(a int, limit float64) int {
	first, length := l.shape.rangeOfQ(l.Chains, a)
	return first + 2*sort.Search(length, func(i int) bool { return !l.isBelow(a, first+2*i, limit) })
}

// sum returns the sum of a function over all A.
func (l *RHatLaw) sum(of func(a int) float64) float64 {
	var total number.Sum
	low, high := l.shape.span(l.Chains)
	for a := low; a <= high; a++ {
		total.Add(of(a))
	}
	return total.Value()
}

// sumOverPairs returns the sum of a function over all pairs of rows, one from each part of the
// chains, whose A add up to a.
func (l *RHatLaw) sumOverPairs(a int, of func(i, k int) float64) float64 {
	total := 0.0
	for i := range l.half.rows {
		if k := a - l.half.low - i - l.rest.low; k >= 0 && k < len(l.rest.rows) {
			total += of(i, k)
		}
	}
	return total
}

// until returns the probability that A is a and Q below a limit.
func (l *RHatLaw) until(a, end int) float64 {
	return l.sumOverPairs(a, func(i, k int) float64 {
		p := l.half.rows[i]
		below := l.rest.below[k]
		// the sum of the numbers in both rows is at most this
		last := (end - 1 - p.first - l.rest.rows[k].first) >> 1
		if last < 0 || len(below) == 0 {
			return 0
		}
		all := min(max(last+2-len(below), 0), len(p.p)) // with those before it, the whole other row counts
		total := 0.0
		if all > 0 {
			total = l.half.below[i][len(p.p)-all] * below[0]
		}
		if until := min(last+1, len(p.p)); until > all {
			total += floats.Dot(p.p[all:until], below[len(below)-1-last+all:][:until-all])
		}
		return total
	})
}

// from returns the probability that A is a and Q a limit or above.
func (l *RHatLaw) from(a, end int) float64 {
	return l.sumOverPairs(a, func(i, k int) float64 {
		p := l.half.rows[i]
		above := l.rest.above[k]
		last := (end - 1 - p.first - l.rest.rows[k].first) >> 1
		total := 0.0
		none := min(max(last+2-len(above), 0), len(p.p))
		last = max(last, -1)
		if last+1 < len(p.p) {
			total = l.half.above[i][len(p.p)-2-last] * l.rest.mass(k)
		}
		if until := min(last+1, len(p.p)); until > none {
			total += floats.Dot(p.p[none:until], above[len(above)-2-last+none:][:until-none])
		}
		return total
	})
}

// belowWhere returns the probability that R-hat is a number below a limit and A is one that counts.
// If that is more than a half it is computed as one minus the rest.
func (l *RHatLaw) belowWhere(limit float64, counts func(a int) bool) float64 {
	inside := l.sum(func(a int) float64 {
		if !counts(a) {
			return 0
		}
		return l.until(a, l.minimumQ(a, limit))
	})
	if inside <= 0.5 {
		return inside
	}
	return 1 - l.sum(func(a int) float64 {
		if !counts(a) {
			return l.mass(a)
		}
		return l.from(a, l.minimumQ(a, limit))
	})
}

// mass returns the probability that A is a.
func (l *RHatLaw) mass(a int) float64 {
	return l.sumOverPairs(a, func(i, k int) float64 { return l.half.mass(i) * l.rest.mass(k) })
}

// Below returns the probability that R-hat is finite and below a limit.
func (l *RHatLaw) Below(limit float64) float64 {
	return l.belowWhere(limit, func(int) bool { return true })
}

// BelowAndWrong returns the probability of false assurance: R-hat is finite and below a limit, and
// the pooled mean is off by more than half a standard deviation.
func (l *RHatLaw) BelowAndWrong(limit float64) float64 { return l.belowWhere(limit, l.isWrong) }

// Wrong returns the probability that the pooled mean is off by more than half a standard deviation.
func (l *RHatLaw) Wrong() float64 {
	where := func(wrong bool) float64 {
		return l.sum(func(a int) float64 {
			if l.isWrong(a) != wrong {
				return 0
			}
			return l.mass(a)
		})
	}
	return probability(where(true), where(false))
}

// constantWhere returns the probability that all chains are constant and A is one that counts.
func (l *RHatLaw) constantWhere(counts func(a int) bool) float64 {
	where := func(counting bool) float64 {
		return l.sum(func(a int) float64 {
			if a%l.N != 0 || counts(a) != counting {
				return 0
			}
			return l.from(a, l.N*a) // as Q <= N A
		})
	}
	inside := where(true)
	if inside <= 0.5 {
		return inside
	}
	return 1 - where(false) - l.sum(func(a int) float64 { return l.until(a, l.N*a) })
}

// Constant returns the probability that all chains are constant and equal, so that R-hat is
// undefined.
func (l *RHatLaw) Constant() float64 { return l.constantWhere(l.equal) }

// ConstantAndWrong returns the probability that all chains are constant and equal, and the pooled
// mean is off by more than half a standard deviation.
func (l *RHatLaw) ConstantAndWrong() float64 {
	return l.constantWhere(func(a int) bool { return l.equal(a) && l.isWrong(a) })
}

// Infinite returns the probability that R-hat is infinite: all chains are constant, but not all
// equal.
func (l *RHatLaw) Infinite() float64 {
	return l.constantWhere(func(a int) bool { return !l.equal(a) })
}
