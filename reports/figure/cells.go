package figure

import (
	"image/color"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// FillCells fills a box with cells of equal size, rows from the top, in the colours of the function
// shade. Neighbours of one colour are one shape, and each shape reaches a little under the shapes
// drawn after it at its right and below it, so that no viewer shows seams.
func FillCells(c draw.Canvas, box vg.Rectangle, rows, columns int, shade func(row, column int) color.Color) {
	if k := inkOf(c); k != nil {
		k.mapped = true
	}
	width, height := box.Size().X/vg.Length(columns), box.Size().Y/vg.Length(rows)
	under := min(vg.Points(0.6), width/2, height/2)
	for i := range rows {
		for from := 0; from < columns; {
			until := from + 1
			for until < columns && shade(i, until) == shade(i, from) {
				until++
			}
			cell := vg.Rectangle{
				Min: vg.Point{X: box.Min.X + width*vg.Length(from), Y: box.Max.Y - height*vg.Length(i+1)},
				Max: vg.Point{X: box.Min.X + width*vg.Length(until), Y: box.Max.Y - height*vg.Length(i)},
			}
			if until < columns {
				cell.Max.X += under
			}
			if i < rows-1 {
				cell.Min.Y -= under
			}
			c.FillPolygon(shade(i, from), Corners(cell))
			from = until
		}
	}
}

// Corners returns the corners of a box, in their order around it.
func Corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// ColourScale is a scale of colours from Low to High, with labels at round numbers.
type ColourScale struct {
	Low, High float64
	Ticks     plot.Ticker
	At        func(float64) float64 // the place of a number, from 0 to 1
	Back      func(float64) float64 // the number at a place
	Shade     func(float64) color.Color
	Letters   float64 // the size of the labels, in points of the zero Style
}

// Draw draws the scale upwards in a box, with its labels at the right.
func (o ColourScale) Draw(c draw.Canvas, s Style, box vg.Rectangle) {
	const steps = 64
	FillCells(c, box, steps, 1,
		func(row, _ int) color.Color { return o.Shade(o.Back((steps - 0.5 - float64(row)) / steps)) })
	style := Label(s.Size(o.Letters), draw.XLeft, draw.YCenter)
	last := box.Min.Y - box.Size().Y
	labels := 0
	for _, t := range o.Ticks.Ticks(o.Low, o.High) {
		y := box.Min.Y + box.Size().Y*vg.Length(o.At(t.Value))
		if t.Label == "" || y < last+style.Font.Size {
			continue
		}
		last = y
		labels += 1
		c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: vg.Points(0.5)}, box.Max.X,
			y, box.Max.X+0.05*vg.Centimeter, y)
		c.FillText(style, vg.Point{X: box.Max.X + 0.12*vg.Centimeter, Y: y + style.FontExtents().Descent}, t.Label)
	}
	AddScale(c, labels)
}

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
