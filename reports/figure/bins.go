package figure

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot/plotter"
)

// Lattice is a set of places at equal distances.
type Lattice struct{ Origin, Step float64 }

// Edges returns the lower end, the width and the number n of bins from low to high, about as many
// as bins says, each with the same number of places of the lattice in its middle.
func (l Lattice) Edges(low, high float64, bins int) (from, width float64, n int) {
	width = l.Step * max(1, math.Ceil((high-low)/float64(bins)/l.Step-1e-9))
	from = l.Origin + l.Step*(math.Round((low-l.Origin)/l.Step)-0.5)
	return from, width, max(1, int(math.Ceil((high-from)/width-1e-9)))
}

const (
	// fineCells is the number of cells in which the search for a lattice counts masses.
	fineCells = 4096
	// finestComb is the largest number of places of a lattice that is looked for.
	finestComb = 300
	// combContrast is how near to the places the masses must be: the size of the mean of exp(2 pi i
	// x / step), which is one where all masses are on the lattice and zero if they are spread
	// evenly.
	combContrast = 0.25
)

// NearLattice looks for a lattice such that masses lie near its places, as those of a distribution
// of log weights often do even if it is not on a lattice. Bins of another width would have
// different numbers of places in them, and show dips that are not in the distribution. It finds no
// lattice if the masses are spread smoothly. It takes about 1e7 operations.
func NearLattice(values, masses []float64) (l Lattice, found bool) {
	low := math.Inf(1)
	high := math.Inf(-1)
	total := 0.0
	for i, v := range values {
		if !math.IsInf(v, 0) && masses[i] > 0 {
			low = min(low, v)
			high = max(high, v)
			total += masses[i]
		}
	}
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) {
		return l, false
	}
	// The masses are counted in fine cells by their mean place, so that the search takes the same
	// time for any number of values.
	mass := make([]float64, fineCells)
	place := make([]float64, fineCells)
	for i, v := range values {
		if !math.IsInf(v, 0) && masses[i] > 0 {
			k := min(fineCells-1, int((v-low)/span*fineCells))
			mass[k] += masses[i] / total
			place[k] += masses[i] / total * (v - low) / span
		}
	}
	var xs, ps []float64
	mean := 0.0
	square := 0.0
	for k := range mass {
		if mass[k] > 0 {
			x := place[k] / mass[k]
			xs, ps = append(xs, x), append(ps, mass[k])
			mean += mass[k] * x
			square += mass[k] * x * x
		}
	}
	sd := math.Sqrt(max(0, square-mean*mean))
	contrast := func(f float64) (size, phase float64) {
		re, im := 0.0, 0.0
		for i, x := range xs {
			sin, cos := math.Sincos(2 * math.Pi * f * x)
			re, im = re+ps[i]*cos, im+ps[i]*sin
		}
		return math.Hypot(re, im), math.Atan2(im, re)
	}
	// Below this frequency the mean is large for any distribution of such a standard deviation.
	first := max(1, 1.2/max(sd, 1e-3))
	const fine = 0.125 // of 1/span, in which the mean hardly varies
	best := 0.0
	at := 0.0
	for f := first; f <= finestComb; f += fine {
		size, _ := contrast(f)
		if size > best*1.15 { // a multiple of the frequency is no better but by chance
			best = size
			at = f
		}
	}
	if best < combContrast {
		return l, false
	}
	for width := fine; width > 1e-6; width /= 2 { // the top of the peak
		for _, f := range []float64{at - width, at + width} {
			if size, _ := contrast(f); size > best {
				best = size
				at = f
			}
		}
	}
	_, phase := contrast(at)
	step := span / at
	return Lattice{Origin: low + phase/(2*math.Pi)*step, Step: step}, true
}

// Distinct returns the finite values of a sample, each once and in ascending order, with its share
// of the whole sample, or nil if there are more than most. Values that differ only by rounding are
// one.
func Distinct(sample []float64, most int) plotter.XYs {
	sorted := slices.DeleteFunc(slices.Clone(sample), func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) })
	sort.Float64s(sorted)
	if len(sorted) == 0 {
		return nil
	}
	same := 1e-10 * (sorted[len(sorted)-1] - sorted[0] + math.Abs(sorted[0]))
	var out plotter.XYs
	for _, v := range sorted {
		if len(out) == 0 || v-out[len(out)-1].X > same {
			if len(out) == most {
				return nil
			}
			out = append(out, plotter.XY{X: v})
		}
		out[len(out)-1].Y += 1 / float64(len(sample))
	}
	return out
}

// Histogram returns the bars that show the shares of a sample in bins of equal width from low to
// high. Numbers that are not finite are in no bin, but count as part of the sample.
func Histogram(sample []float64, low, high float64, bins int) []Bar {
	width := (high - low) / float64(bins)
	bars := make([]Bar, bins)
	for i := range bars {
		bars[i] = Bar{From: low + float64(i)*width, To: low + float64(i+1)*width}
	}
	for _, v := range sample {
		if !math.IsInf(v, 0) {
			bars[max(0, min(bins-1, int((v-low)/width)))].Height += 1 / float64(len(sample))
		}
	}
	return bars
}
