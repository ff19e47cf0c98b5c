package conform

import (
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/exact/weights"
)

// Difference is how far the share of values below an edge is from its probability.
type Difference struct {
	P         float64 // the exact probability below the edge
	Value     float64 // the share of the values below it, less P
	Low, High float64 // the envelope of Value
}

// Differences returns the empirical distribution function less the exact one at every edge, with an envelope that right
// values leave anywhere with a probability of at most alpha. The number of values below an edge is binomial, atoms or not; the
// edges share alpha alike, so that the envelope is somewhat wide. It allows for the bounds on the exact probabilities.
//
// Source: Saeilynoja, Buerkner and Vehtari 2022, "Graphical test for discrete uniformity and its applications in goodness of
// fit evaluation and multiple sample comparison", for the plot; they choose the share of an edge by simulation.
func (h *Histogram) Differences(alpha float64) []Difference {
	n := h.Total()
	if n == 0 {
		return nil
	}
	out := make([]Difference, len(h.Edges))
	count, total := 0, float64(n)
	for i, p := range h.below() {
		count += h.Counts[i]
		share := alpha / float64(len(h.Edges))
		low, _ := binomialBand(n, p.Low, share)
		_, high := binomialBand(n, p.High, share)
		out[i] = Difference{p.Value, float64(count)/total - p.Value, float64(low)/total - p.Value, float64(high)/total - p.Value}
	}
	return out
}

// below returns bounds on the probability of a value below each edge.
func (h *Histogram) below() []weights.Bracket {
	if h.Below != nil {
		return h.Below
	}
	out := make([]weights.Bracket, len(h.Edges))
	p := 0.0
	for i := range out {
		p += h.P[i]
		out[i] = weights.Bracket{Low: p, Value: p, High: p}
	}
	return out
}

// PITBand returns the shares between which each bar of PIT lies with a probability of about 1 - alpha where the law is right.
// The band is that of a binomial count; where atoms are spread over several bars these vary less. It allows for the bounds on
// the exact probabilities: PIT takes a probability for what may be off by the error at either edge of the cell that it is in.
func (h *Histogram) PITBand(parts int, alpha float64) (low, high []float64) {
	n := h.Total()
	edges := h.below()
	errorAt := func(u float64) float64 { // of the probability below a place in a cell
		if u <= 0 || u >= 1 {
			return 0
		}
		i := sort.Search(len(edges), func(i int) bool { return edges[i].Value >= u })
		e := 0.0
		for _, k := range []int{i - 1, i} {
			if k >= 0 && k < len(edges) {
				e = max(e, edges[k].Error())
			}
		}
		return e
	}
	for k := range parts {
		slack := errorAt(float64(k)/float64(parts)) + errorAt(float64(k+1)/float64(parts))
		from, _ := binomialBand(n, 1/float64(parts)-slack, alpha)
		_, to := binomialBand(n, 1/float64(parts)+slack, alpha)
		low, high = append(low, float64(from)/float64(max(1, n))), append(high, float64(to)/float64(max(1, n)))
	}
	return low, high
}

// binomialBand returns the counts between which, both included, a binomial count of n lies with a probability of at least
// 1 - alpha, and below and above which it lies with at most alpha/2 each. A probability below zero counts as zero, and one
// above one as one.
func binomialBand(n int, p, alpha float64) (low, high int) {
	switch {
	case n == 0 || p <= 0:
		return 0, 0
	case p >= 1:
		return n, n
	}
	b := distuv.Binomial{N: float64(n), P: p}
	low = sort.Search(n, func(k int) bool { return b.CDF(float64(k)) > alpha/2 })
	high = sort.Search(n, func(k int) bool { return 1-b.CDF(float64(k)) <= alpha/2 })
	return low, high
}
