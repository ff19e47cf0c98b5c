package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports/table"
)

const (
	// MaxSeries and MaxPanels are the largest numbers of series and panels that can be
	// distinguished in one figure.
	MaxSeries = 28
	MaxPanels = 36
	// manyPanels is the number of panels beyond which they are small, so that all are seen at once.
	manyPanels = 12
	// longestTick, longestName and longestTitle are the lengths of the longest names along an axis,
	// in legends, and above panels.
	longestTick  = 32
	longestName  = 48
	longestTitle = 72
	// roomX and roomY are the parts of its length by which an axis reaches beyond what is drawn.
	roomX = 0.03
	roomY = 0.04
	// manyDots is the number of points from which on dots are small, if no line joins them.
	manyDots = 60
	// manyPoints is the number of points from which on a line has no shapes.
	manyPoints = 200
)

// lay makes the panels, and the table of all that is drawn: a row for each part and a column for
// each facet, or if there is one of either all beside each other. What has no point has no panel.
// If there are more panels than a reader can distinguish the sheet has the first of them.
func (d *drawing) lay() (*Sheet, *table.Table) {
	has := func(part, facet int) bool {
		return slices.ContainsFunc(d.order, func(c *curve) bool {
			return c.kind != level && (part < 0 || c.part == part) && (facet < 0 || c.facet == facet)
		})
	}
	titles := slices.Clone(d.facets) // which are empty if there is only one
	for i := range titles {
		if d.plot.Of != "" && titles[i] != "" {
			titles[i] = d.plot.Of + ", " + titles[i]
		}
	}
	short := ShortNames(titles, longestTitle)
	s := &Sheet{Width: 11 * vg.Centimeter, Height: 8.5 * vg.Centimeter}
	for k := range d.parts {
		if !has(k, -1) {
			continue
		}
		var row []*Panel
		for i := range d.facets {
			if has(k, i) {
				p := d.panel(k, i)
				p.Title.Text, p.short = titles[i], short[i]
				row = append(row, p)
			} else if has(-1, i) {
				row = append(row, nil)
			}
		}
		s.Rows = append(s.Rows, row)
	}
	if facets := len(s.Rows[0]); facets == 1 {
		s.Rows = [][]*Panel{slices.Concat(s.Rows...)}
	} else {
		s.Columns = int(math.Ceil(math.Sqrt(float64(min(facets, MaxPanels)))))
		if len(s.Rows) > 1 {
			s.Columns = max(s.Columns, 4)
		}
	}
	all := s.panels()
	switch {
	case len(all) > manyPanels:
		s.Width, s.Height = 5.6*vg.Centimeter, 5.2*vg.Centimeter
	case len(all) > 1:
		s.Width, s.Height = 8*vg.Centimeter, 6.5*vg.Centimeter
	}
	if len(all) > MaxPanels {
		d.notes = append(d.notes,
			fmt.Sprintf("the picture has %d of %d panels; the points in the CSV of the figure are of all",
				MaxPanels, len(all)))
	}
	if q := d.parts[0]; q.names {
		longest, lines := 0, 0 // some names have two lines
		for _, name := range q.yAxis.names {
			longest = max(longest, len(name))
			lines += 1 + len(name)/longestTick
		}
		s.Width = vg.Length(6.5+0.15*float64(min(longest, longestTitle))) * vg.Centimeter
		s.Height = vg.Length(2.5+0.55*float64(lines)) * vg.Centimeter
		s.Least = 24
		s.Lines = true
	}
	s.legend = d.legend()
	for i, row := range s.Rows {
		s.Rows[i] = row[:min(len(row), max(1, MaxPanels/len(s.Rows)))]
	}
	return s, dataOf(all)
}

// panel draws one panel.
func (d *drawing) panel(k, facet int) *Panel {
	q := *d.parts[k]
	if d.plot.Free {
		q.xAxis.low, q.xAxis.high = math.Inf(1), math.Inf(-1)
		q.yAxis.low, q.yAxis.high = math.Inf(1), math.Inf(-1)
		switch {
		case q.names:
			q.yAxis = *q.named[facet]
		case q.xAxis.names != nil:
			q.xAxis = *q.named[facet]
		}
		d.reach(&q, k, facet)
		if d.plot.Asked == "" { // a short axis is linear, though those of other panels are not
			q.xAxis.log = q.xAxis.log && q.xAxis.high >= 10*q.xAxis.low
			q.yAxis.log = q.yAxis.log && q.yAxis.high >= 10*q.yAxis.low
		}
	}
	p := NewPanel("", "", "")
	q.xAxis.applyTo(&p.X, roomX, longestTick)
	q.yAxis.applyTo(&p.Y, roomY, longestTitle)
	if q.names { // the first at the top
		p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	}
	if !q.yAxis.log && slices.ContainsFunc(q.ys[main], func(y int) bool { return slices.Contains(d.barred, y) }) {
		p.Y.Min = 0 // on which bars stand
	}
	for _, v := range d.plot.Across {
		if q.names {
			p.upright(v, greyLine())
		} else if v >= p.Y.Min && v <= p.Y.Max {
			p.line(greyLine(), plotter.XY{X: p.X.Min, Y: v}, plotter.XY{X: p.X.Max, Y: v})
		}
	}
	each := func(kinds []kind, draw func(p *Panel, q *part, c *curve)) {
		for _, c := range d.order {
			if c.part == k && c.facet == facet && slices.Contains(kinds, c.kind) {
				draw(p, &q, c)
			}
		}
	}
	each([]kind{band, thin}, d.background)
	each([]kind{main}, d.bars)
	d.levelsOf(p, &q, k, facet)
	each([]kind{main}, d.lines)
	for _, at := range d.uprights(&q, facet) {
		title := d.title(d.upright[at.column])
		p.record(title, plotter.XYs{{X: at.x, Y: math.NaN()}})
		style := levelStyle(slices.Index(d.levels, title))
		if at.series >= 0 {
			style.Color, style.Width = Color(at.series), vg.Points(1.5)
		}
		p.upright(at.x, style)
	}
	return p
}

// upright draws a line from the lower to the upper end of a panel.
func (p *Panel) upright(x float64, style draw.LineStyle) {
	p.line(style, plotter.XY{X: x, Y: p.Y.Min}, plotter.XY{X: x, Y: p.Y.Max})
}

// uprightAt is a place along the horizontal axis at which a line stands, and the number of its
// column among them. The series is that of the only rows with a line there, or -1.
type uprightAt struct {
	x              float64
	column, series int
}

// uprights returns where lines stand in the panels of a facet, or in all, each once.
func (d *drawing) uprights(q *part, facet int) (list []uprightAt) {
	for k, c := range d.upright {
		from := len(list)
		for i, row := range d.table.Rows {
			at := uprightAt{q.xAxis.position(row[c]), k, d.rows[i].series}
			if !Finite(at.x) || facet >= 0 && d.rows[i].facet != facet {
				continue
			}
			if same := slices.IndexFunc(list[from:], func(o uprightAt) bool { return o.x == at.x }); same < 0 {
				list = append(list, at)
			} else if list[from+same].series != at.series {
				list[from+same].series = -1
			}
		}
		if len(list) == from+1 {
			list[from].series = -1
		}
	}
	return list
}

// mark returns how a column of a series is drawn: a colour for each series, and if there is one
// series for each column. There is no line where names stand along the axis, between which nothing
// lies, and where points stand alone.
func (d *drawing) mark(k, series, column int) mark {
	q := d.parts[k]
	series = d.alike[series]
	m := full(series).open(column)
	if len(d.by) == 0 { // so that the third line does not hide the second
		m = full(series + column).open(max(0, column-1))
		if len(q.ys[main]) == 1 && slices.ContainsFunc(d.parts, func(o *part) bool { return len(o.ys[main]) > 1 }) {
			m = full(NearBlack) // another quantity than those that the legend names
		}
	}
	switch y := q.ys[main][column]; {
	case slices.Contains(d.barred, y):
		m.Line.Width = vg.Points(0.8)
	case slices.Contains(d.dots, y):
		m.Line.Width = 0
		m.Glyph.Radius = vg.Points(2.6)
		m.Glyph.Shape = full(column).Glyph.Shape
	case q.xAxis.names != nil || q.names:
		m.Line.Width = 0
	case d.plot.Lines:
		m.Glyph.Radius = 0
		if len(d.by) > 0 && column == 0 && !d.dashed() { // so that dashes tell apart what has no marks
			m.Line.Dashes = dashesOf(series)
		}
	}
	return m
}

// dashed reports whether dashes tell the lines of columns apart, and so cannot tell series apart.
func (d *drawing) dashed() bool {
	return slices.ContainsFunc(d.parts, func(q *part) bool {
		return len(slices.DeleteFunc(slices.Clone(q.ys[main]),
			func(y int) bool { return slices.Contains(d.dots, y) || slices.Contains(d.barred, y) })) > 1
	})
}

// nameOf returns the name of the points of a column in the data of the figure.
func (d *drawing) nameOf(q *part, c *curve) string {
	switch name := d.series[c.series]; {
	case len(slices.Concat(q.ys[:]...)) == 1 && !d.plot.Named:
		return name
	case name == "":
		return d.title(d.column(c))
	default:
		return name + ", " + d.title(d.column(c))
	}
}

// background draws what stands behind the lines of a series: a band, or bars if nothing lies
// between the places, and thin lines. Each end of a band is recorded for itself.
func (d *drawing) background(p *Panel, q *part, c *curve) {
	points := c.xys()
	if c.kind == thin {
		p.record(d.nameOf(q, c), points)
		style := thinStyle(Color(d.alike[c.series]))
		if q.xAxis.names == nil && len(points) > 1 {
			p.line(style, points...)
			return
		}
		ring := draw.GlyphStyle{Color: style.Color, Radius: vg.Points(1.5), Shape: draw.RingGlyph{}}
		p.Add(&plotter.Scatter{XYs: points, GlyphStyle: ring})
		return
	}
	if !slices.Contains(slices.Concat(q.ys[thin:]...), d.column(c)) { // what is drawn for itself is recorded there
		p.record(d.nameOf(q, c), points)
	}
	low, high := d.ends(c)
	for i := range low { // an end without a place is at the edge
		low[i].Y, high[i].Y = max(low[i].Y, p.Y.Min), min(high[i].Y, p.Y.Max)
	}
	fill := d.bandColor(c)
	if q.xAxis.names == nil && len(low) > 1 {
		p.Add(between(high, low, fill))
		return
	}
	for i := range low {
		p.line(draw.LineStyle{Color: fill, Width: vg.Points(5)}, low[i], high[i])
	}
}

// ends returns the ends of a band that stand above one another, for the curve of its upper ends,
// and none for other curves.
func (d *drawing) ends(c *curve) (lows, highs plotter.XYs) {
	if c.kind != band || c.column%2 == 0 {
		return nil, nil
	}
	to := c.at
	to.column--
	low, high := d.curves[to].xys(), c.xys()
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

// bandColor returns the colour of a band: a grey behind bars, which are translucent areas too.
func (d *drawing) bandColor(c *curve) color.Color {
	if d.barred != nil {
		return shade(KindGrey(), c.column/2)
	}
	return shade(Color(d.alike[c.series]), c.column/2)
}

// bars draws the bars of a column of a series, or stems if they have no width.
func (d *drawing) bars(p *Panel, q *part, c *curve) {
	if !slices.Contains(d.barred, d.column(c)) {
		return
	}
	m := d.mark(c.part, c.series, c.column)
	if c.points[0].from < c.points[0].until {
		p.addBars(d.nameOf(q, c), c.bars(), m.Line.Color)
		return
	}
	points := c.xys()
	for _, at := range points {
		p.line(m.Line, plotter.XY{X: at.X, Y: p.Y.Min}, at)
	}
	p.dots(points, m)
	p.record(d.nameOf(q, c), points)
}

// bars returns the points of a curve as bars.
func (c *curve) bars() (bars []Bar) {
	for _, at := range c.points {
		bars = append(bars, Bar{at.from, at.until, at.Y})
	}
	return bars
}

// dots draws shapes, which are small if there are many.
func (p *Panel) dots(points plotter.XYs, m mark) {
	if m.Line.Width < 1 && len(points) > manyDots {
		m.Glyph.Radius = vg.Points(1)
	}
	p.Add(&plotter.Scatter{XYs: points, GlyphStyle: m.Glyph})
}

// lines draws a column of a series, behind it its members and its error bars.
func (d *drawing) lines(p *Panel, q *part, c *curve) {
	if slices.Contains(d.barred, d.column(c)) {
		return
	}
	m := d.mark(c.part, c.series, c.column)
	name := d.nameOf(q, c)
	points := c.xys()
	if c.member > 0 {
		thin := draw.LineStyle{Color: m.Line.Color, Width: vg.Points(0.6)}
		if slices.ContainsFunc(d.order, func(o *curve) bool { return o.facet == c.facet && o.kind == main && o.member == 0 }) {
			thin.Color = translucent(m.Line.Color) // thick lines, which members must not hide
		}
		p.record(name+", "+d.member[c.member], points)
		p.line(thin, points...)
		return
	}
	for _, at := range c.points {
		low, high := at.XY, at.XY
		if q.names {
			low.X, high.X = max(at.low, p.X.Min), at.high
		} else {
			low.Y, high.Y = max(at.low, p.Y.Min), at.high
		}
		if !math.IsNaN(at.high) {
			p.line(draw.LineStyle{Color: m.Line.Color, Width: vg.Points(0.8)}, low, high)
		}
	}
	p.record(name, points)
	joined := m.Line.Width > 0 && len(points) > 1 && (d.plot.Steps || isFunction(points))
	if joined {
		p.line(m.Line, p.thinned(points)...)
	}
	if m.Glyph.Radius > 0 && len(points) < manyPoints || !joined {
		p.dots(points, m)
	}
}

// levelsOf draws the lines across a panel: one if all series have the same number at each place,
// and else one for each. Of one that is the same everywhere the data have the two ends, and one
// that is known at one place alone is drawn around it.
func (d *drawing) levelsOf(p *Panel, q *part, k, facet int) {
	for column, y := range slices.Backward(q.ys[level]) { // the first, a thin line, is above the others
		var curves []*curve
		var all plotter.XYs
		for _, c := range d.order {
			if c.part == k && c.facet == facet && c.kind == level && c.column == column && c.member == 0 {
				curves = append(curves, c)
				all = append(all, c.xys()...)
			}
		}
		slices.SortStableFunc(all, func(a, b plotter.XY) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
		all = slices.Compact(all)
		lines := []plotter.XYs{all}
		if !q.names && !isFunction(all) {
			lines = nil
			for _, c := range curves {
				lines = append(lines, slices.Compact(c.xys()))
			}
		}
		for i, points := range lines {
			if len(points) == 0 {
				continue
			}
			if !slices.ContainsFunc(points, func(at plotter.XY) bool { return at.Y != points[0].Y }) && len(points) > 2 {
				points = plotter.XYs{points[0], points[len(points)-1]}
			}
			p.record(d.nameOf(q, curves[i]), points)
			if len(points) == 1 {
				points = plotter.XYs{{X: points[0].X - 0.1, Y: points[0].Y}, {X: points[0].X + 0.1, Y: points[0].Y}}
			}
			p.line(levelStyle(slices.Index(d.levels, d.title(y))), points...)
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

// same returns for each series the first whose lines coincide with its own in all panels. All of
// these look alike, and share a key.
func (d *drawing) same() (first []int) {
	for s := range d.series {
		first = append(first, s)
		for r := range s {
			if s < MaxSeries && first[s] == s && d.coincide(r, s) {
				first[s] = first[r]
			}
		}
	}
	return first
}

// coincide reports whether the lines of two series are less than the width of a line apart.
func (d *drawing) coincide(r, s int) (do bool) {
	const unseen = 0.01 // of the height of a panel
	for _, c := range d.order {
		if c.series != r && c.series != s || c.kind != main {
			continue
		}
		axis := &d.parts[c.part].yAxis
		to := c.at
		to.series = r + s - c.series
		do = len(c.points) > 1 && d.parts[c.part].errors < 0 && !slices.Contains(d.barred, d.column(c))
		if !do || !slices.EqualFunc(c.xys(), d.curves[to].xys(), func(a, b plotter.XY) bool {
			apart := math.Abs(axis.place(a.Y) - axis.place(b.Y))
			return a.X == b.X && apart <= unseen*(axis.place(axis.high)-axis.place(axis.low))
		}) {
			return false
		}
	}
	return do
}
