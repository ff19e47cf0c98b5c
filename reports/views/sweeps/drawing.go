package sweeps

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/number"
	"breadboard/experiments"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// figure draws the panels, and the names of the series beside them.
func (d *sweepDrawing) figure() *figure.Figure {
	columns := int(math.Ceil(math.Sqrt(float64(len(d.facets)))))
	sheet := figure.Sheet{Name: reports.FileName("sweep_plot_" + d.Y + "_against_" + d.X), Columns: columns, Width: 11 * vg.Centimeter, Height: 8.5 * vg.Centimeter, Beside: true}
	if len(d.facets) > 1 {
		sheet.Width, sheet.Height = 8*vg.Centimeter, 6.5*vg.Centimeter
	}
	var panels []*figure.Panel
	for k := range d.facets {
		panels = append(panels, d.panel(k))
	}
	sheet.Rows = [][]*figure.Panel{panels}
	if len(d.Series) > 0 {
		sheet.Legend.Title = shorten(strings.Join(d.Series, ", "))
		for i, name := range d.series {
			mark := seriesMark(i)
			if d.x.names != nil {
				mark.Line.Width = 0
			}
			sheet.Legend.Add(shorten(name), mark)
		}
	}
	return sheet.Figure()
}

// panel returns the plot of one facet.
func (d *sweepDrawing) panel(k int) *figure.Panel {
	p := figure.NewPanel("", "", "")
	for i := range d.series {
		p.Add(d.bands(p, k, i)...)
		points := d.points[[2]int{k, i}]
		if len(points) == 0 {
			continue
		}
		name := d.series[i]
		if d.over != nil {
			name = d.bandName(i, d.over.statistics[d.over.main].name)
		}
		p.Record(name, points)
		if d.x.names == nil { // else nothing lies between the points
			p.Add(&plotter.Line{XYs: points, LineStyle: seriesMark(i).Line})
		}
		p.Add(&plotter.Scatter{XYs: points, GlyphStyle: seriesMark(i).Glyph})
	}
	d.x.style(&p.X)
	d.y.style(&p.Y)
	if d.x.names != nil && len(strings.Join(d.x.names, "")) > 36 {
		p.Slanted()
	}
	if d.Facet != "" {
		p.Title.Text = d.Facet + " = " + shorten(shownValue(d.parameter(d.Facet), d.facets[k]))
	}
	return p
}

func seriesMark(i int) figure.Mark {
	patterns := [][]vg.Length{nil, figure.Dashes(), {vg.Points(1.5), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}
	mark := figure.Full(i)
	mark.Line.Dashes = patterns[i/figure.Colors%len(patterns)]
	return mark
}

func shorten(name string) string {
	const most = 32
	if r := []rune(name); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return name
}

// bands returns what is drawn behind a line of a plot over a parameter: shaded bands, or bars where nothing lies between the places,
// and thin lines. There is nothing where the plot is over none. What is drawn is recorded in the panel, each end of a band for itself.
func (d *sweepDrawing) bands(p *figure.Panel, panel, series int) (out []plot.Plotter) {
	if d.over == nil {
		return nil
	}
	here := [2]int{panel, series}
	for _, band := range d.over.bands {
		var low, high plotter.XYs
		for _, s := range d.over.summaries {
			a, b := d.over.ends(band, s)
			if s.at == here && figure.Finite(a) && figure.Finite(b) {
				x := d.placeOf(s)
				low, high = append(low, plotter.XY{X: x, Y: d.y.place(a)}), append(high, plotter.XY{X: x, Y: d.y.place(b)})
			}
		}
		bottom, top := d.over.endNames(band)
		p.Record(d.bandName(series, bottom), low)
		p.Record(d.bandName(series, top), high)
		if d.x.names != nil || len(low) == 1 {
			for i := range low {
				out = append(out, &plotter.Line{XYs: plotter.XYs{low[i], high[i]}, LineStyle: draw.LineStyle{Color: pale(series), Width: vg.Points(5)}})
			}
		} else if len(low) > 1 {
			out = append(out, shaded(low, high, series))
		}
	}
	for k, i := range d.over.lines {
		var points plotter.XYs
		for _, s := range d.over.summaries {
			if s.at == here && figure.Finite(s.stats[i]) {
				points = append(points, plotter.XY{X: d.placeOf(s), Y: d.y.place(s.stats[i])})
			}
		}
		p.Record(d.bandName(series, d.over.statistics[i].name), points)
		style := draw.LineStyle{Color: figure.Color(series), Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(float64(1 + k%4)), vg.Points(2)}}
		if d.x.names == nil && len(points) > 1 {
			out = append(out, &plotter.Line{XYs: points, LineStyle: style})
		} else if len(points) > 0 {
			out = append(out, &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: style.Color, Radius: vg.Points(1.5), Shape: draw.RingGlyph{}}})
		}
	}
	return out
}

// bandName returns the name of a statistic of a series in the data of the figure.
func (d *sweepDrawing) bandName(series int, statistic string) string {
	if d.series[series] == "" {
		return statistic
	}
	return d.series[series] + ", " + statistic
}

func shaded(low, high plotter.XYs, series int) plot.Plotter {
	around := slices.Clone(high)
	for _, at := range slices.Backward(low) {
		around = append(around, at)
	}
	return &plotter.Polygon{XYs: []plotter.XYs{around}, Color: pale(series)}
}

// pale returns the colour of a series for areas, through which lines and other areas show.
func pale(series int) color.Color {
	r, g, b, _ := figure.Color(series).RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0x38}
}

// sweepAxis turns values into places on an axis.
type sweepAxis struct {
	label    string
	log      bool
	names    []string           // of the places 0, 1, ... of values that are no numbers
	places   map[string]float64 // of the values of a parameter
	min, max float64
}

// measureLabel returns the label of the axis of a measure, with what it is counted in.
func measureLabel(c table.Column) string {
	c.Title = measureTitle(c)
	return c.Heading()
}

func measureTitle(c table.Column) string {
	if c.Title != "" {
		return c.Title
	}
	if divergence, is := map[string]string{"kl_q_p": "KL(q||p)", "kl_p_q": "KL(p||q)"}[c.Name]; is {
		return divergence
	}
	return strings.ReplaceAll(c.Name, "_", " ")
}

// parameterAxis places the values of a parameter: by number where they are numbers, or selectors with one name and
// a number behind it, as in power:2; else one beside the other.
func parameterAxis(p experiments.Parameter, values []string) sweepAxis {
	name := p.Name
	var numbers []float64
	prefix := ""
	for i, v := range values {
		head, argument, has := strings.Cut(v, ":")
		if p.Number != nil {
			head, argument, has = "", v, true
		}
		n, err := strconv.ParseFloat(argument, 64)
		if err != nil || !has || i > 0 && head != prefix {
			numbers = nil
			break
		}
		prefix = head
		numbers = append(numbers, n)
	}
	a := sweepAxis{label: name, places: map[string]float64{}}
	if numbers == nil {
		for i, v := range values {
			a.places[v] = float64(i)
			a.names = append(a.names, shownValue(p, v))
		}
		a.min, a.max = -0.3, float64(len(values))-0.7
		return a
	}
	label := strings.TrimSpace(name + " " + prefix)
	if name == "T" {
		label = "number of distributions T"
	}
	a = numberAxis(label, numbers)
	a.places = map[string]float64{}
	for i, v := range values {
		a.places[v] = a.place(numbers[i])
	}
	return a
}

// numberAxis returns the axis of numbers, logarithmic where that is sensible.
func numberAxis(label string, values []float64) sweepAxis {
	low, high := slices.Min(values), slices.Max(values)
	a := sweepAxis{label: label, log: low > 0 && high >= 10*low}
	a.min, a.max = a.place(low), a.place(high)
	pad := 0.04 * (a.max - a.min)
	if size := max(math.Abs(a.min), math.Abs(a.max)); pad <= sameDigits*size {
		pad = max(size/2, sameDigits) // one number, but for rounding
	}
	a.min, a.max = a.min-pad, a.max+pad
	return a
}

// sameDigits is how near to one another numbers are that an axis shows as one.
const sameDigits = 1e-9

func (a sweepAxis) place(v float64) float64 {
	if a.log {
		return number.Log10(v)
	}
	return v
}

// maxNames is the largest number of names along an axis.
const maxNames = 20

// nameTicks returns a tick for each name, or for one in so many that there are no more than maxNames of them.
func (a sweepAxis) nameTicks() []plot.Tick {
	every := (len(a.names) + maxNames - 1) / maxNames
	var ticks []plot.Tick
	for i := 0; i < len(a.names); i += every {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: shorten(a.names[i])})
	}
	return ticks
}

// style sets up the axis of a plot.
func (a sweepAxis) style(axis *plot.Axis) {
	axis.Label.Text, axis.Min, axis.Max = a.label, a.min, a.max
	switch {
	case a.names != nil:
		axis.Tick.Marker = plot.ConstantTicks(a.nameTicks())
	case a.log:
		axis.Tick.Marker = figure.Decades{}
	}
}
