package conform

import (
	"math"
	"sort"

	"breadboard/exact/weights"
	"breadboard/experiments/verdicts"
)

// cells of a Histogram of log weights.
const histogramCells = 100

// Histogram has counts of values with their exact distribution: cell i holds the values from
// Edges[i-1] to below Edges[i], and the first and the last are open. PIT and rank plots, and
// figures of the distribution, derive from it.
//
// With edges e_1 < e_2 < ..., the probabilities are P(v < e_1), P(e_1 <= v < e_2), ..., and Below
// bounds P(v < e_i).
type Histogram struct {
	Name  string
	Edges []float64
	P     []float64 // the exact probability of each cell
	// Below bounds the probability of a value below each edge, the sum of P up to it. It is nil if
	// P has no error but rounding.
	Below  []weights.Bracket
	Counts []int
}

// stateHistogram returns the histogram of states, in the order of their numbers.
func stateHistogram(name string, p []float64) *Histogram {
	h := &Histogram{Name: name, P: p, Counts: make([]int, len(p))}
	for x := 1; x < len(p); x++ {
		h.Edges = append(h.Edges, float64(x))
	}
	return h
}

// weightHistogram returns the histogram of log weights between quantiles of their distribution.
func weightHistogram(name string, law *weights.Law) *Histogram {
	low, high := law.Support()
	var edges []float64
	for i := 1; i < histogramCells; i++ {
		x := law.Quantile(float64(i) / histogramCells).Value
		if law.Spacing > 0 { // between two points, if no rounding decides on which side a log weight is
			x += law.Spacing / 2
		}
		if x > low && x <= high {
			edges = append(edges, x)
		}
	}
	return newWeightHistogram(name, law, edges, (high-low)/(4*histogramCells))
}

// newWeightHistogram returns the histogram of log weights between edges that are near the given
// ones, in increasing order. If the distribution does not lie on a lattice, each edge is moved
// by up to reach to where P(log w < edge) has the narrowest bounds: there is no atom near it, and
// no rounding decides on which side a log weight is.
func newWeightHistogram(name string, law *weights.Law, edges []float64, reach float64) *Histogram {
	h := &Histogram{Name: name}
	below := 0.0
	for i, x := range edges {
		if i > 0 && x == edges[i-1] {
			continue
		}
		if law.Spacing == 0 {
			x = narrowest(law, x, reach)
		}
		if n := len(h.Edges); n > 0 && x <= h.Edges[n-1] {
			continue
		}
		p := law.Below(x)
		// no cell has a probability below zero, as far as the bounds allow for that
		p.Value = min(1, max(below, p.Value))
		if p.Value < p.Low || p.Value > p.High {
			continue
		}
		h.Edges = append(h.Edges, x)
		h.Below = append(h.Below, p)
		h.P = append(h.P, p.Value-below)
		below = p.Value
	}
	h.P = append(h.P, 1-below)
	h.Counts = make([]int, len(h.P))
	return h
}

// narrowest returns the place up to reach from x at which P(log w < x) has the narrowest bounds,
// among some.
func narrowest(law *weights.Law, x, reach float64) float64 {
	const steps = 6
	best := x
	width := law.Below(x).Error()
	for k := 1; k <= steps; k++ {
		for _, at := range []float64{x - reach*float64(k)/steps, x + reach*float64(k)/steps} {
			if e := law.Below(at).Error(); e < width {
				best = at
				width = e
			}
		}
	}
	return best
}

func (h *Histogram) addStates(states []int32) {
	for _, x := range states {
		h.Counts[x]++
	}
}

func (h *Histogram) addWeights(logw []float64) {
	for _, v := range logw {
		h.Counts[sort.Search(len(h.Edges), func(i int) bool { return !(v >= h.Edges[i]) })]++
	}
}

// empty returns a histogram of the same cells without any values.
func (h *Histogram) empty() *Histogram {
	other := *h
	other.Counts = make([]int, len(h.Counts))
	return &other
}

// Total returns the number of values.
func (h *Histogram) Total() int {
	total := 0
	for _, c := range h.Counts {
		total += c
	}
	return total
}

// PIT returns the probability integral transform of the values in that many equal parts of (0, 1),
// each as a share of all values: 1/parts apart from noise if the distribution is right. The values
// of a cell are spread evenly over the probabilities of the cell, so that distributions with atoms
// need no random numbers.
//
// Source: Czado, Gneiting and Held 2009, "Predictive model assessment for count data", section 2.1.
func (h *Histogram) PIT(parts int) []float64 {
	out := make([]float64, parts)
	total := float64(max(1, h.Total()))
	below := 0.0
	for i, c := range h.Counts {
		from, to := below, below+h.P[i]
		below += h.P[i]
		if c == 0 {
			continue
		}
		if to <= from { // an impossible cell: all of it at its place
			out[min(parts-1, int(from*float64(parts)))] += float64(c) / total
			continue
		}
		for k := range parts {
			a, b := max(from, float64(k)/float64(parts)), min(to, float64(k+1)/float64(parts))
			if b > a {
				out[k] += float64(c) / total * (b - a) / (to - from)
			}
		}
	}
	return out
}

// Difference is how far the share of values below an edge is from its probability.
type Difference struct {
	P         float64 // the exact probability below the edge
	Value     float64 // the share of the values below it, less P
	Low, High float64 // the envelope of Value
}

// Differences returns the empirical distribution function minus the exact one at every edge, with
// an envelope that correct values leave anywhere with a probability of at most alpha. The number of
// values below an edge is binomial, with or without atoms; alpha is divided equally among the
// edges, so that the envelope is somewhat wide. It allows for the bounds on the exact
// probabilities.
//
// Source: Saeilynoja, Buerkner and Vehtari 2022, "Graphical test for discrete uniformity and its
// applications in goodness of fit evaluation and multiple sample comparison", for the plot; they
// choose the share of an edge by simulation.
func (h *Histogram) Differences(alpha float64) []Difference {
	n := h.Total()
	if n == 0 {
		return nil
	}
	out := make([]Difference, len(h.Edges))
	count := 0
	total := float64(n)
	for i, p := range h.boundsBelow() {
		count += h.Counts[i]
		share := alpha / float64(len(h.Edges))
		low, _ := verdicts.BinomialBand(n, p.Low, share)
		_, high := verdicts.BinomialBand(n, p.High, share)
		out[i] = Difference{p.Value, float64(count)/total - p.Value, float64(low)/total - p.Value,
			float64(high)/total - p.Value}
	}
	return out
}

// boundsBelow returns bounds on the probability of a value below each edge.
func (h *Histogram) boundsBelow() []weights.Bracket {
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

// PITBand returns the shares between which each bar of PIT lies with a probability of about 1 -
// alpha if the distribution is right: the band of a binomial count. Atoms that are spread over
// several bars vary less. The band allows for the error of the exact probability at either edge of
// a cell.
func (h *Histogram) PITBand(parts int, alpha float64) (low, high []float64) {
	n := h.Total()
	edges := h.boundsBelow()
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
		from, _ := verdicts.BinomialBand(n, 1/float64(parts)-slack, alpha)
		_, to := verdicts.BinomialBand(n, 1/float64(parts)+slack, alpha)
		low, high = append(low, float64(from)/float64(max(1, n))),
			append(high, float64(to)/float64(max(1, n)))
	}
	return low, high
}

const (
	lawCells  = 60       // about the number of cells into which the range of an exact distribution is cut
	lawTail   = 1e-3     // the probability of the distribution beyond either end of its range
	lawBeside = lawCells // the number of cells beyond either end of the range, for log weights that are wrong
	// the least length of a cell relative to a log weight, so that no two edges are the same number
	lawWidth = 1e-12
	lawReach = 0.25 // how far an edge may be moved, relative to the length of a cell
)

// lawHistogram returns the histogram of log weights in cells of about equal length, on a lattice
// with the same number of points each, for figures of the distribution. The cells cover the
// distribution but for its tails, and as much again on either side. If all weights of the
// distribution are the same it has cells around them.
func lawHistogram(name string, law *weights.Law) *Histogram {
	low, high := finiteQuantile(law, lawTail), finiteQuantile(law, 1-lawTail)
	width := max((high-low)/lawCells, lawWidth*max(math.Abs(low), math.Abs(high)))
	if low == high {
		width = 0.01 * max(1, math.Abs(low))
	}
	from := low - width/2
	if law.Spacing > 0 { // edges half way between two points
		width = law.Spacing * math.Ceil(width/law.Spacing*(1-1e-9))
		from = low - law.Spacing/2
	}
	cells := max(1, int(math.Ceil((high-from)/width)))
	var edges []float64
	for k := -lawBeside; k <= cells+lawBeside; k++ {
		edges = append(edges, from+float64(k)*width)
	}
	return newWeightHistogram(name, law, edges, lawReach*width)
}

// finiteQuantile is a quantile, or the end of the support if that is infinite.
func finiteQuantile(l *weights.Law, q float64) float64 {
	low, high := l.Support()
	return max(low, min(high, l.Quantile(q).Value))
}

// addEqual counts log weights in a histogram of cells of about equal length. It goes to the cell
// that would be right if they were the same, and from there to the right one.
func (h *Histogram) addEqual(logw []float64) {
	last := len(h.Edges)
	if last < 2 {
		h.addWeights(logw)
		return
	}
	low := h.Edges[0]
	each := float64(last-1) / (h.Edges[last-1] - low)
	for _, v := range logw {
		i := int(max(0, min(float64(last), 1+math.Floor((v-low)*each))))
		for i > 0 && v < h.Edges[i-1] {
			i--
		}
		for i < last && v >= h.Edges[i] {
			i++
		}
		h.Counts[i]++
	}
}
