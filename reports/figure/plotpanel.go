package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel draws one panel.
func (d *Drawing) panel(part, facet int) *Panel {
	q := &d.parts[part]
	if d.plot.Free {
		own := *q
		q = &own
		if q.xAxis.names == nil {
			q.xAxis.low, q.xAxis.high = math.Inf(1), math.Inf(-1)
		} else {
			q.xAxis = *q.named[facet]
		}
		q.yAxis.low, q.yAxis.high = math.Inf(1), math.Inf(-1)
		d.reach(q, part, facet)
		d.unlog(q, part, facet)
	}
	p := NewPanel("", "", "")
	bounded := func() {
		q.xAxis.applyTo(&p.X, roomX)
		q.yAxis.applyTo(&p.Y, roomY)
		if d.barred != nil && !q.yAxis.log &&
			slices.ContainsFunc(q.ys, func(y int) bool { return slices.Contains(d.barred, y) }) {
			p.Y.Min = 0 // on which bars stand
		}
	}
	bounded()
	for _, v := range d.plot.Across {
		if at := q.numbers().position(v); q.names {
			Guide(p, plotter.XY{X: at, Y: p.Y.Min}, plotter.XY{X: at, Y: p.Y.Max}, GreyLine())
		} else if Finite(at) {
			Across(p, at)
		}
	}
	for s := range d.Series {
		d.background(p, q, at{part, facet, s, 0, 0})
	}
	each := func(draw func(*Panel, *plotPart, at)) {
		for s := range d.Series {
			for c := q.main(); c < len(q.ys); c++ {
				draw(p, q, at{part, facet, s, c, 0})
			}
		}
	}
	each(d.barsOf)
	d.guides(p, q, part, facet)
	each(d.lines)
	bounded() // levels may have moved the ends
	for _, at := range d.uprights(q, facet) {
		title := d.title(d.upright[at.column])
		p.Record(title, plotter.XYs{{X: at.X, Y: math.NaN()}})
		style := levelStyle(slices.Index(d.levels, title))
		if at.series >= 0 {
			style.Color, style.Width = Color(at.series), vg.Points(1.5)
		}
		Guide(p, plotter.XY{X: at.X, Y: p.Y.Min}, plotter.XY{X: at.X, Y: p.Y.Max}, style)
	}
	return p
}

// unlog makes those axes of a panel linear that span less than a decade, though those of other
// panels do not, and moves what is drawn there. No plot has bars or names on such axes.
func (d *Drawing) unlog(q *plotPart, part, facet int) {
	for _, axis := range []*Axis{&q.xAxis, &q.yAxis} {
		if d.plot.Asked || d.barred != nil || q.names || !axis.log || axis.high >= axis.low+1 {
			continue
		}
		moved := []*float64{&axis.low, &axis.high}
		for _, to := range d.keys[[2]int{part, facet}] {
			for i := range d.points[to] {
				moved = append(moved,
					map[bool]*float64{true: &d.points[to][i].X, false: &d.points[to][i].Y}[axis == &q.xAxis])
			}
			for i := range d.around[to] {
				if s := &d.around[to][i]; axis == &q.xAxis {
					moved = append(moved, &s.at)
				} else {
					moved = append(moved, &s.low, &s.high)
				}
			}
		}
		for _, v := range moved {
			axis.log = false
			if Finite(*v) {
				*v = withDigits(math.Pow(10, *v))
			}
		}
	}
}

// lines draws a column of a series, behind it its members and what lies on either side.
func (d *Drawing) lines(p *Panel, q *plotPart, to at) {
	m := d.drawn(to.part, to.series, to.column)
	name := d.nameOf(q, to.series, to.column)
	if len(d.bars[to]) > 0 {
		return
	}
	thin := draw.LineStyle{Color: m.Line.Color, Width: vg.Points(0.6)}
	for _, other := range d.keys[[2]int{to.part, to.facet}] {
		if other.member == 0 && other.column >= q.main() { // thick lines, which members must not hide
			thin.Color = Translucent(m.Line.Color)
		}
	}
	for to.member = len(d.member) - 1; to.member > 0; to.member-- {
		if points := d.points[to]; len(points) > 0 {
			p.Record(name+", "+d.member[to.member], points)
			p.Add(&plotter.Line{XYs: points, LineStyle: thin})
		}
	}
	points := d.points[to]
	if len(points) == 0 {
		return
	}
	d.sides(p, name, to, m.Line.Color)
	p.Record(name, points)
	joined := m.Line.Width > 0 && len(points) > 1 && (d.plot.Steps || isFunction(points))
	if joined {
		p.Add(&plotter.Line{XYs: simplified(points), LineStyle: m.Line})
	}
	if m.Line.Width == 0 && len(points) > manyDots {
		m.Glyph.Radius = vg.Points(1)
	}
	if m.Glyph.Radius > 0 && len(points) < manyPoints || !joined {
		p.Add(&plotter.Scatter{XYs: points, GlyphStyle: m.Glyph})
	}
}

// barsOf draws the bars of a column of a series, or stems if they have no width.
func (d *Drawing) barsOf(p *Panel, q *plotPart, to at) {
	m := d.drawn(to.part, to.series, to.column)
	name := d.nameOf(q, to.series, to.column)
	bars := d.bars[to]
	if len(bars) == 0 {
		return
	}
	slices.SortStableFunc(bars, func(a, b Bar) int { return cmp.Compare(a.From, b.From) })
	if bars[0].From < bars[0].To {
		AddBars(p, name, &Bars{
			Bars: bars,
			Fill: Translucent(m.Line.Color),
			Edge: draw.LineStyle{Color: m.Line.Color, Width: vg.Points(0.6)},
		})
		return
	}
	stems := &Stems{Mark: m}
	for _, b := range bars {
		stems.XYs = append(stems.XYs, plotter.XY{X: b.From, Y: b.Height})
	}
	p.Add(stems)
	p.Record(name, stems.XYs)
}

// manyDots is the number of points of a line from which on dots are small, if no line joins them.
const manyDots = 60

// sides draws what lies on either side of the numbers of a line: an area, or bars.
func (d *Drawing) sides(p *Panel, name string, to at, c color.Color) {
	var low, high plotter.XYs
	for _, s := range d.around[to] {
		from := plotter.XY{X: s.at, Y: s.low}
		until := plotter.XY{X: s.at, Y: s.high}
		if d.parts[to.part].names {
			from = plotter.XY{X: s.low, Y: s.at}
			until = plotter.XY{X: s.high, Y: s.at}
		}
		if d.plot.Errors != "" {
			p.Add(errorBar{from, until, draw.LineStyle{Color: c, Width: vg.Points(0.8)}})
		} else if Finite(s.low) {
			low, high = append(low, from), append(high, until)
		}
	}
	if len(low) > 1 {
		slices.SortStableFunc(low, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		slices.SortStableFunc(high, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		band := Band(high, low)
		band.Color = pale(to.series)
		p.Add(band)
		p.Record(name+" - "+d.title(d.parts[to.part].sides[0]), low)
		p.Record(name+" + "+d.title(d.parts[to.part].sides[0]), high)
	}
}

// errorBar is a line between the ends of an interval. An end at minus infinity is drawn at the edge
// of the panel.
type errorBar struct {
	from, until plotter.XY
	style       draw.LineStyle
}

// Plot implements plot.Plotter.
func (b errorBar) Plot(c draw.Canvas, p *plot.Plot) {
	from := plotter.XY{X: max(b.from.X, p.X.Min), Y: max(b.from.Y, p.Y.Min)}
	(&plotter.Line{XYs: plotter.XYs{from, b.until}, LineStyle: b.style}).Plot(c, p)
}

// guides draws the lines across a panel: one if all series have the same number at each place, and
// else one for each. Of one that is the same everywhere the data have the two ends, and one that is
// known at one place alone is drawn around it.
func (d *Drawing) guides(p *Panel, q *plotPart, part, facet int) {
	for c := q.band + q.thin; c < q.main(); c++ {
		each := make([]plotter.XYs, len(d.Series))
		all := plotter.XYs(nil)
		for s := range d.Series {
			each[s] = d.points[at{part, facet, s, c, 0}]
			all = append(all, each[s]...)
		}
		slices.SortStableFunc(
			all,
			func(a, b plotter.XY) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) },
		)
		all = slices.Compact(all)
		if q.names || isFunction(all) {
			clear(each)
			each[0] = all
		}
		for s, points := range each {
			points = slices.Compact(slices.Clone(points))
			if len(points) == 0 {
				continue
			}
			if last := len(points) -
				1; !slices.ContainsFunc(points, func(at plotter.XY) bool { return at.Y != points[0].Y }) {
				points = plotter.XYs{points[0], points[last]}[:min(2, last+1)]
			}
			p.Record(d.nameOf(q, s, c), points)
			if len(points) == 1 {
				points = plotter.XYs{
					{X: points[0].X - 0.1, Y: points[0].Y}, {X: points[0].X + 0.1, Y: points[0].Y}}
			}
			p.Add(&plotter.Line{XYs: points, LineStyle: levelStyle(slices.Index(d.levels, d.title(q.ys[c])))})
		}
	}
}

// isFunction reports whether no two points stand above one another. A line through points that do
// would show what is not there.
func isFunction(points plotter.XYs) bool {
	for i := 1; i < len(points); i++ {
		if points[i].X == points[i-1].X {
			return false
		}
	}
	return true
}

// The parts of its length by which an axis reaches beyond what is drawn.
const (
	roomX = 0.03
	roomY = 0.04
)

// nameOf returns the name of the points of a column in the data of the figure.
func (d *Drawing) nameOf(q *plotPart, series, column int) string {
	switch name := d.Series[series]; {
	case len(q.ys) == 1 && !d.plot.Named:
		return name
	case name == "":
		return d.title(q.ys[column])
	default:
		return name + ", " + d.title(q.ys[column])
	}
}

// background draws what stands behind the lines of a series: a band, or bars if nothing lies
// between the places, and thin lines. Each end of a band is recorded for itself.
func (d *Drawing) background(p *Panel, q *plotPart, to at) {
	for k := 0; k < q.band; k += 2 {
		to.column = k
		low := d.points[to]
		to.column = k + 1
		high := d.points[to]
		for end, points := range []plotter.XYs{low, high} {
			if !slices.Contains(q.ys[q.band:], q.ys[k+end]) { // what is drawn for itself is recorded there
				p.Record(d.nameOf(q, to.series, k+end), points)
			}
		}
		low, high = paired(low, high)
		for i := range low { // an end without a place is at the edge
			low[i].Y, high[i].Y = max(low[i].Y, p.Y.Min), min(high[i].Y, p.Y.Max)
		}
		if q.xAxis.names == nil && len(low) > 1 {
			band := Band(high, low)
			band.Color = d.bandColor(to.series, k/2)
			p.Add(band)
			continue
		}
		for i := range low {
			Guide(p, low[i], high[i], draw.LineStyle{Color: d.bandColor(to.series, k/2), Width: vg.Points(5)})
		}
	}
	for k := range q.thin {
		to.column = q.band + k
		points := d.points[to]
		p.Record(d.nameOf(q, to.series, to.column), points)
		style := draw.LineStyle{
			Color:  Color(d.alike[to.series]),
			Width:  vg.Points(0.8),
			Dashes: []vg.Length{vg.Points(float64(1 + k%4)), vg.Points(2)},
		}
		if q.xAxis.names == nil && len(points) > 1 {
			p.Add(&plotter.Line{XYs: points, LineStyle: style})
		} else if len(points) > 0 {
			p.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{
				Color:  style.Color,
				Radius: vg.Points(1.5),
				Shape:  draw.RingGlyph{},
			}})
		}
	}
}

// paired returns those of two lists of points, which ascend along the horizontal axis, that stand
// above one another.
func paired(low, high plotter.XYs) (lows, highs plotter.XYs) {
	for i, k := 0, 0; i < len(low) && k < len(high); {
		switch {
		case low[i].X < high[k].X:
			i++
		case low[i].X > high[k].X:
			k++
		default:
			lows, highs = append(lows, low[i]), append(highs, high[k])
			i, k = i+1, k+1
		}
	}
	return lows, highs
}
