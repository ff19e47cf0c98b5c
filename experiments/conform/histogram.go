package conform

import "breadboard/exact/weights"

// cells of a Histogram of log weights.
const histogramCells = 100

// Histogram counts values beside their exact law: cell i holds the values from Edges[i-1] to below Edges[i], and the first
// and the last are open. It is what PIT and rank plots, and figures of the law, are made of.
type Histogram struct {
	Name  string
	Edges []float64
	P     []float64 // the exact probability of each cell
	// Below has bounds on the probability of a value below each edge, the value of which is the sum of P up to it. It is nil
	// where P has no error but rounding.
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

// weightHistogram returns the histogram of log weights between quantiles of their law.
func weightHistogram(name string, law *weights.Law) *Histogram {
	low, high := law.Support()
	var edges []float64
	for i := 1; i < histogramCells; i++ {
		x := law.Quantile(float64(i) / histogramCells).Value
		if law.Spacing > 0 { // between two points, where no rounding decides on which side a log weight is
			x += law.Spacing / 2
		}
		if x > low && x <= high {
			edges = append(edges, x)
		}
	}
	return newWeightHistogram(name, law, edges, (high-low)/(4*histogramCells))
}

// newWeightHistogram returns the histogram of log weights between edges that are near the given ones, in increasing order.
// Where the law does not lie on a lattice, each edge is moved by up to reach to where P(log w < edge) has the narrowest
// bounds: there is no atom near it, and no rounding decides on which side a log weight is.
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
		p.Value = min(1, max(below, p.Value)) // no cell has a probability below zero, as far as the bounds allow for that
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

// narrowest returns the place up to reach from x at which P(log w < x) has the narrowest bounds, among some.
func narrowest(law *weights.Law, x, reach float64) float64 {
	const steps = 6
	best, width := x, law.Below(x).Error()
	for k := 1; k <= steps; k++ {
		for _, at := range []float64{x - reach*float64(k)/steps, x + reach*float64(k)/steps} {
			if e := law.Below(at).Error(); e < width {
				best, width = at, e
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
		low, high := 0, len(h.Edges)
		for low < high {
			if middle := (low + high) / 2; v >= h.Edges[middle] {
				low = middle + 1
			} else {
				high = middle
			}
		}
		h.Counts[low]++
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

// PIT returns the probability integral transform of the values in so many equal parts of (0, 1), each as a share of all
// values: 1/parts but for noise where the law is right. The values of a cell are spread evenly over the probabilities that
// the cell has under the law, so that laws with atoms need no random numbers.
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
