package conform

import (
	"math"

	"breadboard/exact/weights"
)

const (
	// lawCells is about the number of cells into which the range of an exact law is cut.
	lawCells = 60
	// lawTail is the probability of the law beyond either end of its range.
	lawTail = 1e-3
	// lawBeside is the number of cells beyond either end of the range, for log weights that are wrong.
	lawBeside = lawCells
	// lawWidth is the least length of a cell relative to a log weight, so that no two edges are the same number.
	lawWidth = 1e-12
	// lawReach is how far an edge may be moved, relative to the length of a cell.
	lawReach = 0.25
)

// lawHistogram returns the histogram of log weights in cells of about equal length, on a lattice with the same number of
// points each, for figures of the law. The cells cover the law but for its tails, and as much again on either side. Where all
// weights of the law are the same it has cells around them.
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

// finiteQuantile is a quantile, or the end of the support where that is infinite.
func finiteQuantile(l *weights.Law, q float64) float64 {
	low, high := l.Support()
	return max(low, min(high, l.Quantile(q).Value))
}

// addEqual counts log weights in a histogram of cells of about equal length. It goes to the cell that would be right if they
// were the same, and from there to the right one.
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
