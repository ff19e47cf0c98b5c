package diagnose

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/diagnostics"
	"breadboard/exact/averages"
)

// MaxLooks is the number of variables whose draws are kept for figures.
const MaxLooks = 12

// The sizes of the parts of a Look.
const (
	tracePoints = 1000 // of a chain
	rankBins    = 20
	mostLags    = 100
	runningEnds = 20
	mostValues  = 60 // of a marginal; of more values, the points of a grid stand for those that are nearest
	fewValues   = 10 // of which a trace would be a block, so that it has means of successive draws
	tracedMeans = 50 // of a chain
)

// Look has the usual plots of chains of a variable: a trace, ranks, autocorrelations, and the ESS
// by the number of draws.
type Look struct {
	Every   int         // the trace has one of Every draws, or their mean
	Means   bool        // whether the trace has means, as for a variable of few values
	Trace   [][]float64 // by chain
	Values  []float64   // the values of the variable under the target; none if there is no target
	Exact   []float64   // their exact probabilities
	Shares  [][]float64 // by chain: the shares of the draws nearest to each value
	Ranks   [][]float64 // by chain: the share of its draws in each bin of the ranks of all, times the number of bins: 1 if chains agree
	Lags    [][]float64 // by chain: autocorrelations at the lags from 0 on; none if the chain is constant
	Sums    [][]float64 // by chain: 1 plus twice the sum of the autocorrelations at the lags from 1 on
	Ends    []int       // numbers of draws of each chain
	ESSBulk []float64   // of these numbers of draws of all chains
	ESSTail []float64
}

// kept returns the variable with its draws if no more than MaxLooks variables come before it.
func (v Variable) kept(before int) Variable {
	if before >= MaxLooks {
		v.draws = nil
	}
	return v
}

// Looks reports whether there is a Look of the variable: its draws are not constant, and it is
// among the first MaxLooks variables.
func (v *Variable) Looks() bool { return v.draws != nil }

// Look returns the plots of a variable for which Looks is true. Time is O(K N log N) for K chains
// of N draws.
func (v *Variable) Look() (*Look, error) {
	d := v.draws
	n := len(d[0])
	l := &Look{Every: (n + tracePoints - 1) / tracePoints, Ranks: rankShares(d, min(rankBins, n)), Means: few(d)}
	if l.Means {
		l.Every = (n + tracedMeans - 1) / tracedMeans
	}
	if v.function != nil {
		l.marginal(d, v.function)
	}
	for _, chain := range d {
		var trace []float64
		for part := range slices.Chunk(chain, l.Every) {
			if !l.Means {
				part = part[:1]
			}
			trace = append(trace, floats.Sum(part)/float64(len(part)))
		}
		lags, sums := correlations(chain)
		l.Trace, l.Lags, l.Sums = append(l.Trace, trace), append(l.Lags, lags), append(l.Sums, sums)
	}
	for i := 1; i <= runningEnds; i++ {
		end := n * i / runningEnds
		if end < diagnostics.MinDraws {
			continue
		}
		o, err := diagnostics.Order(first(d, end))
		if err != nil {
			return nil, err
		}
		l.Ends, l.ESSBulk, l.ESSTail = append(l.Ends, end), append(l.ESSBulk, o.ESSBulk()), append(l.ESSTail, o.ESSTail())
	}
	return l, nil
}

// few reports whether draws have few values.
func few(d diagnostics.Draws) bool {
	seen := map[float64]bool{}
	for _, chain := range d {
		for _, v := range chain {
			if seen[v] = true; len(seen) > fewValues {
				return false
			}
		}
	}
	return true
}

// marginal finds the exact distribution of a variable, and that of the draws of each chain.
func (l *Look) marginal(d diagnostics.Draws, f *averages.Function) {
	l.Values = f.Taken()
	if n := len(l.Values); n > mostValues {
		l.Values = floats.Span(make([]float64, mostValues), l.Values[0], l.Values[n-1])
	}
	nearest := func(v float64) int {
		at, _ := slices.BinarySearch(l.Values, v)
		if at == len(l.Values) || at > 0 && v-l.Values[at-1] < l.Values[at]-v {
			at--
		}
		return at
	}
	l.Exact = make([]float64, len(l.Values))
	for level, p := range f.Masses {
		l.Exact[nearest(f.Levels.Values[level])] += p
	}
	for _, chain := range d {
		share := make([]float64, len(l.Values))
		for _, v := range chain {
			share[nearest(v)] += 1 / float64(len(chain))
		}
		l.Shares = append(l.Shares, share)
	}
}

// first returns the first draws of all chains.
func first(d diagnostics.Draws, n int) (out diagnostics.Draws) {
	for _, chain := range d {
		out = append(out, chain[:n])
	}
	return out
}

// correlations returns the autocorrelations of a chain, and 1 plus twice their sums; nothing of a
// constant chain.
func correlations(chain []float64) (lags, sums []float64) {
	covariances := diagnostics.Autocovariances(chain)
	if !(covariances[0] > 0) {
		return nil, nil
	}
	sum := 0.0
	for k, c := range covariances[:min(len(chain), mostLags+1)] {
		rho := c / covariances[0]
		if sum += 2 * rho; k == 0 {
			sum = 1
		}
		lags, sums = append(lags, rho), append(sums, sum)
	}
	return lags, sums
}

// rankShares returns for each chain the share of its draws in each bin of the ranks of all draws,
// times the number of bins. Draws that are equal share their ranks evenly.
//
// Source: Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021, section 4.
func rankShares(d diagnostics.Draws, bins int) [][]float64 {
	type draw struct {
		value float64
		chain int
	}
	var all []draw
	shares := make([][]float64, len(d))
	for k, chain := range d {
		shares[k] = make([]float64, bins)
		for _, v := range chain {
			all = append(all, draw{v, k})
		}
	}
	slices.SortFunc(all, func(a, b draw) int { return cmp.Compare(a.value, b.value) })
	width := float64(len(all)) / float64(bins) // in ranks
	each := float64(bins) / float64(len(d[0]))
	for from := 0; from < len(all); {
		until, members := from, make([]float64, len(d))
		for ; until < len(all) && all[until].value == all[from].value; until++ {
			members[all[until].chain]++
		}
		for b := int(float64(from) / width); b < bins; b++ {
			part := math.Min(float64(until), float64(b+1)*width) - math.Max(float64(from), float64(b)*width)
			if part <= 0 {
				break
			}
			for k, n := range members {
				shares[k][b] += each * n * part / float64(until-from)
			}
		}
		from = until
	}
	return shares
}
