package averages

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/sorts"
)

// RHatLaw is the law of R-hat (Gelman and Rubin 1992) of K whole chains of N samples, not split, for a function whose values are zero and
// one, jointly with the error of their pooled mean. With n_k the number of ones in chain k, both are functions of A = sum n_k and
// Q = sum n_k^2:
//
//	R-hat^2 = ((N-1)/N W + B/N)/W = (N-1)/N (1 + (K Q - A^2)/((K-1) (N A - Q))),
//
// where W is the mean of the variances of the chains (divisor N-1) and B/N the variance of their means (divisor K-1).
type RHatLaw struct {
	N, Chains int

	function *Function
	law      *joint // of A and Q
}

// RHatPoint is a value of R-hat.
type RHatPoint struct {
	RHat  float64
	P     float64 // its probability
	Wrong float64 // the probability that R-hat has this value and the pooled mean is wrong
}

const (
	maxRHat     = 1 << 27 // the largest number of probabilities in the joint law of all chains
	maxRHatWork = 1e11    // the largest number of products that it may take
)

// RHat returns the law of R-hat of so many chains. It fails where the function has other values than zero and one, for less than two
// chains or samples, where the law is too large, and where the context ends. Time is O(N^4 K^3), memory O(N^3 K^2).
func (l *SumLaw) RHat(ctx context.Context, chains int) (*RHatLaw, error) {
	s, err := l.rhatShape(chains)
	if err != nil {
		return nil, err
	}
	law, err := s.law(ctx, chains)
	if err != nil {
		return nil, err
	}
	return &RHatLaw{N: l.N, Chains: chains, function: l.Function, law: law}, nil
}

// rhatShape says which pairs of A and Q the law of R-hat has.
func (l *SumLaw) rhatShape(chains int) (*shape, error) {
	if err := checkChains(chains, 2); err != nil {
		return nil, err
	}
	if l.N < 2 {
		return nil, fmt.Errorf("chains of %d sample have no R-hat; give chains of two samples or more", l.N)
	}
	s, err := l.ones()
	if err != nil {
		return nil, err
	}
	return s, s.checkRHat(l.N, chains)
}

// Indicator reports whether the values of the function are zero and one wherever the target has probability.
func (f *Function) Indicator() bool { return slices.Equal(f.Taken(), []float64{0, 1}) }

// ones returns the law of the number of ones of a chain.
func (l *SumLaw) ones() (*shape, error) {
	if !l.Function.Indicator() || l.Low != 0 && l.Low+l.span*l.Step != int64(l.N) || l.span > 1 || l.span == 1 && (l.Low != 0 || l.Step != 1) {
		return nil, fmt.Errorf("the law of R-hat is known for functions whose values are 0 and 1 only, and this one has others; take an indicator as x0<=3, or mode")
	}
	s := &shape{high: func(_, a int) int { return l.N * a }} // as n_k <= N
	for i, p := range l.P {
		if p > 0 {
			s.atoms = append(s.atoms, atom{int(l.Low) + i, p})
		}
	}
	return s, nil
}

// checkRHat fails where the joint law of so many chains of n samples is too large.
func (s *shape) checkRHat(n, chains int) error {
	const cure = "take fewer samples or fewer chains"
	cells, work := float64(n)*float64(chains), 0.0
	if cells <= maxRHat {
		cells, work = s.cost(chains, maxRHat)
	}
	if cells > maxRHat {
		return fmt.Errorf("the law of R-hat of %d chains of %d samples takes about %.3g probabilities, and at most %.3g are kept; %s",
			chains, n, s.rhatCells(n, chains), float64(maxRHat), cure)
	}
	if work > maxRHatWork {
		return fmt.Errorf("the law of R-hat of %d chains of %d samples takes %.3g products, and at most %.3g are made; %s", chains, n, work, float64(maxRHatWork), cure)
	}
	return nil
}

// rhatCells returns about how many probabilities the joint law of so many chains of n samples has. There are (n A - A^2/K)/2 + 1 values of
// Q for every A, of which this is the integral. It is close for the many samples for which a law is too large.
func (s *shape) rhatCells(n, chains int) float64 {
	low, high := s.span(chains)
	below := func(a float64) float64 { return a*a*(float64(n)/4-a/(6*float64(chains))) + a }
	return below(float64(high)) - below(float64(low)) + 1
}

// each calls do for all pairs of A and Q that have positive probability, those of an A one after another.
func (l *RHatLaw) each(do func(a, q int, p float64)) {
	for i, row := range l.law.rows {
		for j, p := range row.p {
			if p > 0 {
				do(l.law.low+i, row.first+2*j, p)
			}
		}
	}
}

// square returns the square of R-hat, which is infinite where all chains are constant and not all are equal, and NaN where all are equal.
func (l *RHatLaw) square(a, q int) float64 {
	n, k := float64(l.N), float64(l.Chains)
	return (n - 1) / n * (1 + float64(l.Chains*q-a*a)/((k-1)*float64(l.N*a-q)))
}

// wrong reports whether the pooled mean is off by strictly more than half a standard deviation of the function where A is a. Where the two
// agree to 1e-12 it is not wrong.
func (l *RHatLaw) wrong(a int) bool {
	all := float64(l.N) * float64(l.Chains)
	return math.Abs(float64(a)-all*l.function.Mean) > all*l.function.SD/2*(1+tie)
}

// constant reports whether every chain is constant.
func (l *RHatLaw) constant(a, q int) bool { return q == l.N*a }

// equal reports whether constant chains are all equal.
func (l *RHatLaw) equal(a int) bool { return a == 0 || a == l.N*l.Chains }

// sum returns the probability of the pairs that are asked for.
func (l *RHatLaw) sum(counts func(a, q int) bool) float64 {
	var inside, outside number.Sum
	l.each(func(a, q int, p float64) {
		if counts(a, q) {
			inside.Add(p)
		} else {
			outside.Add(p)
		}
	})
	return probability(inside.Value(), outside.Value())
}

// below reports whether R-hat is a number below a limit. One that agrees with the limit to 1e-12 is not.
func (l *RHatLaw) below(a, q int, limit float64) bool {
	return limit > 0 && l.square(a, q) < limit*limit*(1-2*tie) && !l.constant(a, q)
}

// Below returns the probability that R-hat is a number below a limit.
func (l *RHatLaw) Below(limit float64) float64 {
	return l.sum(func(a, q int) bool { return l.below(a, q, limit) })
}

// BelowAndWrong returns the probability that R-hat is a number below a limit, and the pooled mean is off by more than half a standard
// deviation: false assurance.
func (l *RHatLaw) BelowAndWrong(limit float64) float64 {
	return l.sum(func(a, q int) bool { return l.wrong(a) && l.below(a, q, limit) })
}

// Wrong returns the probability that the pooled mean is off by more than half a standard deviation.
func (l *RHatLaw) Wrong() float64 { return l.sum(func(a, _ int) bool { return l.wrong(a) }) }

// Constant returns the probability that all chains are constant and equal, so that there is no R-hat.
func (l *RHatLaw) Constant() float64 {
	return l.sum(func(a, q int) bool { return l.constant(a, q) && l.equal(a) })
}

// ConstantAndWrong returns the probability that all chains are constant and equal, and the pooled mean is off by more than half a
// standard deviation.
func (l *RHatLaw) ConstantAndWrong() float64 {
	return l.sum(func(a, q int) bool { return l.constant(a, q) && l.equal(a) && l.wrong(a) })
}

// Infinite returns the probability that all chains are constant, and not all are equal: then R-hat is infinite.
func (l *RHatLaw) Infinite() float64 {
	return l.sum(func(a, q int) bool { return l.constant(a, q) && !l.equal(a) })
}

// Points returns the finite values of R-hat, each once, in ascending order. There may be millions.
func (l *RHatLaw) Points() []RHatPoint {
	var points []RHatPoint
	l.each(func(a, q int, p float64) {
		if l.constant(a, q) {
			return
		}
		point := RHatPoint{RHat: math.Sqrt(l.square(a, q)), P: p}
		if l.wrong(a) {
			point.Wrong = p
		}
		points = append(points, point)
	})
	sorts.Stable(points, func(a, b RHatPoint) int { return cmp.Compare(a.RHat, b.RHat) })
	merged := points[:0]
	for _, v := range points {
		if last := len(merged) - 1; last >= 0 && v.RHat <= merged[last].RHat*(1+tie) {
			merged[last].P += v.P
			merged[last].Wrong += v.Wrong
		} else {
			merged = append(merged, v)
		}
	}
	return merged
}
