package averages

import (
	"context"
	"fmt"
	"math"
)

// Success is the probability that the mean squared error of the means of several chains, which is all that a study of simulated chains
// has, gives a real effective sample size of at least the one that was asked for.
type Success struct {
	P         float64 // exact; NaN where the joint law that it takes is too large
	Low, High float64 // proven bounds, which are always known
}

const (
	maxSuccess     = 1 << 24 // the largest number of probabilities in the joint law of half of the chains
	maxSuccessWork = 3e9     // the largest number of products that it may take
	maxChains      = 10_000
	bracketWork    = 1.5e8 // about how many products a bracket takes
)

// checkChains fails for a number of chains for which no law is computed.
func checkChains(chains, fewest int) error {
	if chains < fewest || chains > maxChains {
		return fmt.Errorf("the number of chains is %d; give one from %d to %d", chains, fewest, maxChains)
	}
	return nil
}

// Success returns the probability that K chains have a RESS of at least ress, by K over the sum of the squares of their standardised
// errors (Turner and Neal 2017, Eq. 4); the paper asks for 12. Values that agree with ress to 1e-12 count as reaching it.
//
// P is exact. With the integers a_k by which the sums of the chains differ from one near the true sum, the squared errors add up to a
// function of A = sum a_k and Q = sum a_k^2. The joint law of A and Q is computed for half of the chains and for the others, only where
// RESS may still reach its mark, and the two are merged in the order of their squared errors. With the radius
// r = sqrt(K/ress) N sd, time is O(r^4) and memory O(r^3) products and numbers, and where that is beyond some seconds P is NaN. Low and
// High round the squared error of a chain down to a lattice, and take as little time for any size. It fails where the context ends.
func (l *SumLaw) Success(ctx context.Context, chains int, ress float64) (Success, error) {
	if err := checkChains(chains, 1); err != nil {
		return Success{}, err
	}
	if !(ress > 0) || math.IsInf(ress, 1) {
		return Success{}, fmt.Errorf("success at an effective sample size of %v; give a positive number", ress)
	}
	squares, most := l.squares(), l.threshold(chains, ress)
	most = min(most, float64(chains)*largest(squares)*(1+tie))
	if most < 0 {
		return Success{}, nil
	}
	g, err := newLattice(ctx, squares, chains, most, bracketWork, l.roundings)
	if err != nil {
		return Success{}, err
	}
	b := g.atMost(most)
	p, err := l.success(ctx, chains, most)
	return Success{P: p, Low: b.Low, High: b.High}, err
}

// threshold returns the largest sum of the values Q - 2 offset A of so many chains whose RESS reaches the given one.
func (l *SumLaw) threshold(chains int, ress float64) float64 {
	k := float64(chains)
	return k*l.scale*l.scale/ress*(1+tie) - k*l.offset*l.offset
}

// distance returns the value a^2 - 2 offset a of number i of P. Where it is large, the float64 nearest to it.
func (l *SumLaw) distance(i int) float64 {
	a := float64(int64(i) - l.centre)
	return a * (a - 2*l.offset)
}

// squares returns the squared distances of the sum to the true one, less the square of the offset.
func (l *SumLaw) squares() []square {
	var out []square
	for i, p := range l.P {
		if p > 0 {
			out = append(out, square{l.distance(i), p})
		}
	}
	return out
}

// largest returns the largest value of the squares.
func largest(squares []square) float64 {
	most := 0.0
	for _, s := range squares {
		most = max(most, s.e)
	}
	return most
}

// success returns the exact probability that the sum of the squared distances is at most the given one, and NaN where that is too large
// to be computed.
func (l *SumLaw) success(ctx context.Context, chains int, most float64) (float64, error) {
	s := l.shape(most)
	if len(s.atoms) == 0 {
		return 0, nil
	}
	if low, high := s.span((chains + 1) / 2); float64(high)-float64(low) > maxSuccess {
		return math.NaN(), nil
	}
	if cells, work := s.cost((chains+1)/2, maxSuccess); cells > maxSuccess || work > maxSuccessWork {
		return math.NaN(), nil
	}
	half, err := s.law(ctx, chains/2)
	if err != nil {
		return 0, err
	}
	first := half.ordered(l.offset)
	if chains%2 == 0 {
		return first.atMost(first, most), nil
	}
	rest, err := s.more(ctx, half)
	if err != nil {
		return 0, err
	}
	return first.atMost(rest.ordered(l.offset), most), nil
}

// shape says which values and pairs can be part of a sum of squared distances that is at most the given one.
func (l *SumLaw) shape(most float64) *shape {
	s := &shape{}
	for i, p := range l.P {
		switch {
		case p > 0 && l.distance(i) <= most:
			s.atoms = append(s.atoms, atom{int(int64(i) - l.centre), p})
		case p > 0:
			s.beyond += p
		}
	}
	if len(s.atoms) == 0 {
		return s
	}
	low, high := s.span(1)
	s.high = func(chains, a int) int {
		spread := a*(low+high) - chains*low*high // as (a_k - low)(high - a_k) >= 0
		if allowed := most + 2*l.offset*float64(a); allowed < float64(spread) {
			return int(math.Floor(allowed))
		}
		return spread
	}
	return s
}
