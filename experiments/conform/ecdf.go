package conform

import (
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Difference is how far the share of values below an edge is from its probability.
type Difference struct {
	P         float64 // the exact probability below the edge
	Value     float64 // the share of the values below it, less P
	Low, High float64 // the envelope of Value
}

// Differences returns the empirical distribution function less the exact one at every edge, with an envelope that right
// values leave anywhere with a probability of at most alpha. The number of values below an edge is binomial, atoms or not; the
// edges share alpha alike, so that the envelope is somewhat wide.
//
// Source: Saeilynoja, Buerkner and Vehtari 2022, "Graphical test for discrete uniformity and its applications in goodness of
// fit evaluation and multiple sample comparison", for the plot; they choose the share of an edge by simulation.
func (h *Histogram) Differences(alpha float64) []Difference {
	n := h.Total()
	if n == 0 {
		return nil
	}
	out := make([]Difference, len(h.Edges))
	count, p := 0, 0.0
	for i := range h.Edges {
		count += h.Counts[i]
		p = min(1, p+h.P[i])
		low, high := binomialBand(n, p, alpha/float64(len(h.Edges)))
		total := float64(n)
		out[i] = Difference{p, float64(count)/total - p, float64(low)/total - p, float64(high)/total - p}
	}
	return out
}

// PITBand returns the shares between which a bar of PIT lies with a probability of at least 1 - alpha where the law is right.
// The band is that of a binomial count; where atoms are spread over several bars these vary less.
func (h *Histogram) PITBand(parts int, alpha float64) (low, high float64) {
	n := h.Total()
	if n == 0 {
		return 0, 1
	}
	from, to := binomialBand(n, 1/float64(parts), alpha)
	return float64(from) / float64(n), float64(to) / float64(n)
}

// binomialBand returns the counts between which, both included, a binomial count of n lies with a probability of at least
// 1 - alpha, and below and above which it lies with at most alpha/2 each.
func binomialBand(n int, p, alpha float64) (low, high int) {
	if p <= 0 || p >= 1 {
		return int(p) * n, int(p) * n
	}
	b := distuv.Binomial{N: float64(n), P: p}
	low = sort.Search(n, func(k int) bool { return b.CDF(float64(k)) > alpha/2 })
	high = sort.Search(n, func(k int) bool { return 1-b.CDF(float64(k)) <= alpha/2 })
	return low, high
}
