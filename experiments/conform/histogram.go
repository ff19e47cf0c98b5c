package conform

import (
	"math"

	"breadboard/exact/weights"
)

// cells of a Histogram of log weights.
const histogramCells = 100

// Histogram counts values beside their exact law: cell i holds the values from Edges[i-1] to below Edges[i], and the first
// and the last are open. It is what PIT and rank plots, and figures of the law, are made of.
type Histogram struct {
	Name   string
	Edges  []float64
	P      []float64 // the exact probability of each cell
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
	h := &Histogram{Name: name}
	below := 0.0
	add := func(x float64) {
		p := law.Below(x).Value
		if n := len(h.Edges); n > 0 && x <= h.Edges[n-1] || math.IsInf(x, 0) {
			return
		}
		h.Edges = append(h.Edges, x)
		h.P = append(h.P, max(0, p-below))
		below = max(below, p)
	}
	low, high := law.Support()
	for i := 1; i < histogramCells; i++ {
		x := law.Quantile(float64(i) / histogramCells).Value
		if law.Spacing > 0 { // between two points, where no rounding decides on which side a log weight is
			x += law.Spacing / 2
		}
		if x > low && x <= high {
			add(x)
		}
	}
	h.P = append(h.P, max(0, 1-below))
	h.Counts = make([]int, len(h.P))
	return h
}

// empty returns a histogram of the same cells without values.
func (h *Histogram) empty() *Histogram {
	return &Histogram{Name: h.Name, Edges: h.Edges, P: h.P, Counts: make([]int, len(h.Counts))}
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
