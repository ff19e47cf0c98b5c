package figure

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// Bins is the number of bins of a histogram.
const Bins = 60

// Histogram returns the bars that show the shares of a sample in Bins bins of equal width from low to high. Numbers that are
// not finite are in no bin, but count as part of the sample.
func Histogram(sample []float64, low, high float64) *plotter.Histogram {
	width := (high - low) / Bins
	h := &plotter.Histogram{Width: width}
	for i := range Bins {
		h.Bins = append(h.Bins, plotter.HistogramBin{Min: low + float64(i)*width, Max: low + float64(i+1)*width})
	}
	for _, l := range sample {
		if !math.IsInf(l, 0) {
			h.Bins[min(Bins-1, int((l-low)/width))].Weight += 1 / float64(len(sample))
		}
	}
	return h
}
