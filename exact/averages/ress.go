package averages

import (
	"context"
	"math"
	"sort"

	"breadboard/chains/diagnostics"
)

// RESSLaw is the law of the real effective sample size that the mean squared error of the means of some chains gives. Its numbers are
// brackets, whose relative width is about the number of chains over some thousands.
type RESSLaw struct {
	Chains int

	law    *SumLaw
	levels []*lattice // each for sums of squares up to a quarter of those of the one before
}

// RESS returns the law of the RESS of so many chains. It takes about a second, and less on small laws. It fails where the context ends.
func (l *SumLaw) RESS(ctx context.Context, chains int) (*RESSLaw, error) {
	if err := checkChains(chains, 1); err != nil {
		return nil, err
	}
	squares := l.squares()
	out := &RESSLaw{Chains: chains, law: l}
	for top := float64(chains) * largest(squares) * (1 + tie); ; top /= 4 {
		g, err := newLattice(ctx, squares, chains, top, bracketWork, l.roundings)
		if err != nil {
			return nil, err
		}
		out.levels = append(out.levels, g)
		if g.exact || top <= 64 {
			return out, nil
		}
	}
}

// AtLeast bounds the probability that RESS is at least r. Values that agree with r to 1e-12 count as reaching it.
func (l *RESSLaw) AtLeast(r float64) Bracket {
	if math.IsNaN(r) {
		return Bracket{r, r}
	}
	most := math.Inf(1)
	if r > 0 {
		most = l.law.threshold(l.Chains, r)
	}
	if most < 0 {
		return Bracket{}
	}
	at := l.levels[0]
	for _, g := range l.levels {
		if g.top >= most {
			at = g
		}
	}
	return at.atMost(min(most, at.top))
}

// Quantile bounds the least r for which RESS is at most r with a probability of p, from 0 to 1, or more.
func (l *RESSLaw) Quantile(p float64) (low, high float64) {
	return l.reaching(func(below float64) bool { return below > 1-p+tie })
}

// ESSDQuantile bounds the least d for which the ESS deviation of an estimated sample size ess is at most d with a probability of p or more.
func (l *RESSLaw) ESSDQuantile(ess, p float64) (low, high float64) {
	less, more := l.upperQuantile(p)
	return diagnostics.ESSD(ess, more, l.Chains), diagnostics.ESSD(ess, less, l.Chains)
}

// upperQuantile bounds the largest r for which RESS is at least r with a probability of p or more.
func (l *RESSLaw) upperQuantile(p float64) (low, high float64) {
	return l.reaching(func(below float64) bool { return below >= p-tie })
}

// reaching bounds the RESS at the least sum of squares whose probability not to be exceeded is enough.
func (l *RESSLaw) reaching(enough func(below float64) bool) (low, high float64) {
	at := l.levels[0]
	for _, g := range l.levels[1:] {
		if enough(g.rounded(g.cell(g.top))) {
			at = g
		}
	}
	last := at.cell(at.top * (1 + 2*tie))
	cell := sort.Search(last, func(cell int) bool { return enough(at.rounded(cell)) })
	k, s := float64(l.Chains), l.law
	total := func(cells int) float64 { return k * s.scale * s.scale / (float64(cells)*at.unit + k*s.offset*s.offset) }
	return total(cell + at.slack()), total(cell)
}
