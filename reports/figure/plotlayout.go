package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// lay makes the panels: a row for each part and a column for each facet, or if there is one of
// either all beside each other. What has no point has no panel.
func (d *Drawing) lay() error {
	d.alike = d.same()
	has := func(part, facet int) bool {
		return slices.ContainsFunc(d.keys[[2]int{part, facet}], func(to at) bool { return !d.parts[to.part].isLevel(to.column) })
	}
	titles := slices.Clone(d.facets) // which are empty if there is only one
	for i := range titles {
		if d.plot.Of != "" && titles[i] != "" {
			titles[i] = d.plot.Of + ", " + titles[i]
		}
	}
	short, panels := ShortNames(titles, longestTitle), 0
	for k := range d.parts {
		if !has(k, -1) {
			continue
		}
		var row []*Panel
		for i := range d.facets {
			if has(k, i) {
				row = append(row, d.panel(k, i))
				row[len(row)-1].Title.Text, row[len(row)-1].short = titles[i], short[i]
				panels++
			} else if has(-1, i) {
				row = append(row, nil)
			}
		}
		d.Sheet.Rows = append(d.Sheet.Rows, row)
	}
	if facets := len(d.Sheet.Rows[0]); facets == 1 {
		d.Sheet.Rows = [][]*Panel{slices.Concat(d.Sheet.Rows...)}
	} else {
		d.Sheet.Columns = int(math.Ceil(math.Sqrt(float64(min(facets, MaxPanels)))))
		if len(d.Sheet.Rows) > 1 {
			d.Sheet.Columns = max(d.Sheet.Columns, 4)
		}
	}
	if panels > MaxPanels {
		d.Notes = append(d.Notes, fmt.Sprintf("the picture has %d of %d panels; the points in the CSV of the figure are of all", MaxPanels, panels))
	}
	d.Sheet.Name, d.Sheet.Beside = d.plot.Name, true
	d.Sheet.Width, d.Sheet.Height = 11*vg.Centimeter, 8.5*vg.Centimeter
	if panels > 1 {
		d.Sheet.Width, d.Sheet.Height = 8*vg.Centimeter, 6.5*vg.Centimeter
		if panels > manyPanels {
			d.Sheet.Width, d.Sheet.Height = 5.6*vg.Centimeter, 5.2*vg.Centimeter
		}
	}
	if q := &d.parts[0]; q.names {
		d.Sheet.Width, d.Sheet.Height = 9*vg.Centimeter, vg.Length(2.5+0.55*float64(len(q.yAxis.names)))*vg.Centimeter
		d.Sheet.Least, d.Sheet.Lines = 24, true
	}
	d.legend()
	return nil
}

// manyPanels is the number of panels beyond which they are small, so that all are seen at once.
const manyPanels = 12

// legend names the series, and the columns of the vertical axis if there are several.
func (d *Drawing) legend() {
	most := 0 // the part with the most columns
	for k := range d.parts {
		if len(d.parts[k].ys) > len(d.parts[most].ys) {
			most = k
		}
	}
	l, part := &d.Sheet.Legend, &d.parts[most]
	names := strings.Split(d.plot.Kinds, "|")
	main := part.ys[part.main():]
	if d.plot.Kinds == "" {
		names = nil
		for _, y := range main {
			names = append(names, d.title(y))
		}
	}
	if len(d.by) > 0 {
		var titles []string
		for _, i := range d.by {
			titles = append(titles, d.title(i))
		}
		if more := len(d.called) - MaxSeries; more > 0 {
			d.Notes = append(d.Notes,
				fmt.Sprintf("the legend names %d of %d lines, as no more can be told apart; the points in the CSV of the figure have all names", MaxSeries, len(d.called)))
		}
		l.Head(Shorten(strings.Join(titles, ", "), longestName))
		for i, name := range d.legendNames() {
			if to, is := d.first(i); d.alike[i] != i {
				continue
			} else if len(main) == 0 {
				l.Add(name, Swatch{pale(i)})
			} else if is {
				l.Add(name, d.key(d.drawn(to.part, i, to.column), d.parts[to.part].ys[to.column]))
			}
		}
		l.Head("kind of mark")
	}
	if len(main) > 1 || len(d.by) == 0 && d.plot.Kinds+d.plot.BandIs != "" {
		for k, name := range names[:min(len(names), len(main))] {
			if name == "" || !d.marked(k) {
				continue
			}
			m := d.drawn(most, 0, part.main()+k)
			if len(d.by) > 0 {
				m.Line.Color, m.Glyph.Color = KindGrey(), KindGrey()
			}
			l.Add(name, d.key(m, main[k]))
		}
	}
	if len(d.member) > 1 {
		l.Add(d.title(d.members[0]), &plotter.Line{LineStyle: draw.LineStyle{Color: KindGrey(), Width: vg.Points(0.6)}})
	}
	if l.Head(""); len(l.entries) > 0 && l.entries[0].heading {
		l.Head("for comparison")
	}
	if d.plot.Spread != "" {
		l.Add("± "+d.title(part.sides[0]), Swatch{pale(0)})
	}
	for i, title := range d.levels {
		if style := levelStyle(i); d.shown(title, &style) {
			l.Add(title, &plotter.Line{LineStyle: style})
		}
	}
	if d.plot.BandIs != "" {
		for k, is := range strings.Split(d.plot.BandIs, "|") {
			if series := d.shaded(k); series >= 0 {
				l.Add(is, Swatch{d.bandColor(series, k)})
			}
		}
	}
	if d.plot.AcrossIs != "" {
		l.Add(d.plot.AcrossIs, &plotter.Line{LineStyle: GreyLine()})
	}
}

// legendNames returns the names of as many series as the legend can tell apart. Their numbers have
// few digits, and all if two names are alike without them.
func (d *Drawing) legendNames() []string {
	times := map[string]int{}
	for _, name := range d.called {
		times[name]++
	}
	names := slices.Clone(d.called)
	for i, name := range names {
		if times[name] > 1 {
			names[i] = d.full[i]
		}
	}
	names = ShortNames(names, longestName)[:min(len(names), MaxSeries)]
	for i := range names {
		if first := d.alike[i]; first != i {
			names[first] += "; " + names[i]
		}
	}
	return names
}

// same returns for each series the first whose lines coincide with its own in all panels, or are as
// near to them as Near says. All of these look alike, and share a key.
func (d *Drawing) same() (first []int) {
	axes := map[[2]int]*Axis{} // of the panels
	for to, points := range d.points {
		panel := [2]int{to.part, to.facet}
		if axes[panel] == nil {
			axes[panel] = &Axis{low: math.Inf(1), high: math.Inf(-1)}
			for _, v := range d.plot.Across {
				axes[panel].include(d.parts[to.part].yAxis.place(v))
			}
		}
		for _, point := range points {
			axes[panel].include(point.Y)
		}
	}
	for s := range d.Series {
		first = append(first, s)
		for r := range s {
			if s < MaxSeries && first[s] == s && d.coincide(r, s, axes) {
				first[s] = first[r]
			}
		}
	}
	return first
}

// coincide reports whether the lines of two series are less than the width of a line apart, or than
// Near if neither is bold.
func (d *Drawing) coincide(r, s int, axes map[[2]int]*Axis) (do bool) {
	unseen := 0.01 // of the height of a panel
	if !d.bold(r) && !d.bold(s) {
		unseen = max(unseen, d.plot.Near)
	}
	for to, points := range d.points {
		if to.series != r && to.series != s || to.column < d.parts[to.part].main() {
			continue
		}
		axis, other := axes[[2]int{to.part, to.facet}], to
		other.series = r + s - to.series
		if do = len(points) > 1 && len(d.bars[to])+len(d.around[to]) == 0; !do || !slices.EqualFunc(points, d.points[other], func(a, b plotter.XY) bool {
			return a.X == b.X && math.Abs(a.Y-b.Y) <= unseen*(axis.high-axis.low)
		}) {
			return false
		}
	}
	return do
}

// shown reports whether a level of a title is drawn, and makes its style that of a kind if it is
// drawn in the colours of the series.
func (d *Drawing) shown(title string, style *draw.LineStyle) bool {
	for to := range d.points {
		if q := &d.parts[to.part]; q.isLevel(to.column) && d.title(q.ys[to.column]) == title {
			return true
		}
	}
	at := slices.DeleteFunc(d.uprights(&d.parts[0], -1), func(at uprightAt) bool { return d.title(d.upright[at.column]) != title })
	if slices.ContainsFunc(at, func(at uprightAt) bool { return at.series >= 0 }) {
		style.Color, style.Width = KindGrey(), vg.Points(1.5)
	}
	return len(at) > 0
}

// marked reports whether anything is drawn of the k-th column with marks of a part.
func (d *Drawing) marked(k int) bool {
	for to := range d.points {
		if to.column-d.parts[to.part].main() == k {
			return true
		}
	}
	return false
}

// shaded returns the first series of which there is a band between the columns of the k-th pair,
// and -1 if there is none.
func (d *Drawing) shaded(k int) int {
	first := -1
	for to, low := range d.points {
		if to.column == 2*k && to.column < d.parts[to.part].band && (first < 0 || to.series < first) {
			to.column++
			if both, _ := paired(low, d.points[to]); len(both) > 0 {
				first = to.series
			}
		}
	}
	return first
}

// first returns where the first column with marks is of which anything is drawn of a series.
func (d *Drawing) first(series int) (first at, is bool) {
	place := func(to at) int { return to.column - d.parts[to.part].main() }
	for to := range d.points {
		if to.series == series && to.member == 0 && place(to) >= 0 && (!is || cmp.Or(place(to)-place(first), to.part-first.part) < 0) {
			first, is = to, true
		}
	}
	return first, is
}

// key returns the picture of a mark in the legend: an area if the column has bars.
func (d *Drawing) key(m Mark, column int) plot.Thumbnailer {
	for to, bars := range d.bars {
		if d.parts[to.part].ys[to.column] == column && bars[0].From < bars[0].To {
			return Swatch{Translucent(m.Line.Color)}
		}
	}
	return m
}

// drawn returns how a column of a series is drawn: without a line where names stand along the axis,
// between which nothing lies, and where its points are marked to stand alone.
func (d *Drawing) drawn(part, series, column int) Mark {
	q := &d.parts[part]
	series = d.alike[series]
	m := d.mark(series, column-q.main())
	if len(d.by) == 0 && len(q.ys) == q.main()+1 && slices.ContainsFunc(d.parts, func(o plotPart) bool { return len(o.ys) > o.main()+1 }) {
		m = FullIn(Color(NearBlack), 0) // another quantity than those that the legend names
	}
	if slices.Contains(d.barred, q.ys[column]) {
		m.Line.Width = vg.Points(0.8)
	} else if slices.Contains(d.dots, q.ys[column]) {
		m.Line.Width, m.Glyph.Radius, m.Glyph.Shape = 0, vg.Points(2.6), FullIn(m.Line.Color, column-q.main()).Glyph.Shape
	} else if q.xAxis.names != nil || q.names {
		m.Line.Width = 0
	} else if d.plot.Lines {
		m.Glyph.Radius = 0
		if len(d.by) > 0 && column == q.main() && !d.dashed() { // so that dashes tell apart what has no marks
			m.Line.Dashes = dashesOf(series)
		}
	}
	if d.bold(series) {
		m.Line.Width *= 1.7
	}
	return m
}

// bold reports whether the lines of a series are wide.
func (d *Drawing) bold(series int) bool {
	return d.plot.Bold != "" && series < len(d.called) && strings.HasPrefix(d.called[series], d.plot.Bold)
}

// dashed reports whether dashes tell the lines of columns apart, and so cannot tell series apart.
func (d *Drawing) dashed() bool {
	return slices.ContainsFunc(d.parts, func(q plotPart) bool {
		lines := slices.DeleteFunc(slices.Clone(q.ys[q.main():]), func(y int) bool { return slices.Contains(d.dots, y) || slices.Contains(d.barred, y) })
		return len(lines) > 1
	})
}

// levelStyle is that of the lines across a panel, by which others are read: greys of their own, as
// dashes tell columns apart.
func levelStyle(i int) draw.LineStyle {
	return []draw.LineStyle{{Color: color.Gray{0x60}, Width: vg.Points(1)}, {Color: color.Gray{0xb0}, Width: vg.Points(2.2)}, {Color: color.Gray{0x78}, Width: vg.Points(0.5)}}[i%3]
}

// mark returns the mark of a column of a series: a colour for each series, and if there is one
// series for each column.
func (d *Drawing) mark(series, column int) Mark {
	if len(d.by) == 0 {
		series, column = series+column, max(0, column-1) // so that the third line does not hide the second
	}
	m := Full(series)
	m.Line.Dashes = dashesOf(series / Colors)
	return kindMark(m, column)
}

// dashesOf returns the i-th pattern of lines, the first of which is full. Those of the first eleven
// differ also without colours.
func dashesOf(i int) []vg.Length {
	patterns := [][]vg.Length{nil, Dashes(), {1.5, 2}, {8, 2, 2, 2}, nil, {10, 2}, {3, 1.5}, {12, 2, 2, 2}, {5, 1.5, 1.5, 1.5}, {14, 3}, {6, 1.5}}
	return patterns[i%len(patterns)]
}

// kindMark tells the columns of a series apart: the first is full, the second open with dashes, and
// so on with other dashes.
func kindMark(m Mark, column int) Mark {
	if column == 0 {
		return m
	}
	m = m.Open()
	m.Line.Dashes = dashesOf(1 + (column-1)%3)
	return m
}

// panel draws one panel.
func (d *Drawing) panel(part, facet int) *Panel {
	q := &d.parts[part]
	if d.plot.Free {
		own := *q
		if q = &own; q.xAxis.names == nil {
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
		q.xAxis.style(&p.X, roomX)
		q.yAxis.style(&p.Y, roomY)
		if d.barred != nil && !q.yAxis.log && slices.ContainsFunc(q.ys, func(y int) bool { return slices.Contains(d.barred, y) }) {
			p.Y.Min = 0 // on which bars stand
		}
	}
	bounded()
	for _, v := range d.plot.Across {
		if at := q.numbers().place(v); q.names {
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
				moved = append(moved, map[bool]*float64{true: &d.points[to][i].X, false: &d.points[to][i].Y}[axis == &q.xAxis])
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
			if axis.log = false; Finite(*v) {
				*v = withDigits(math.Pow(10, *v))
			}
		}
	}
}

// lines draws a column of a series, behind it its members and what lies on either side.
func (d *Drawing) lines(p *Panel, q *plotPart, to at) {
	m, name := d.drawn(to.part, to.series, to.column), d.nameOf(q, to.series, to.column)
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
	m, name, bars := d.drawn(to.part, to.series, to.column), d.nameOf(q, to.series, to.column), d.bars[to]
	if len(bars) == 0 {
		return
	}
	slices.SortStableFunc(bars, func(a, b Bar) int { return cmp.Compare(a.From, b.From) })
	if bars[0].From < bars[0].To {
		AddBars(p, name, &Bars{Bars: bars, Fill: Translucent(m.Line.Color), Edge: draw.LineStyle{Color: m.Line.Color, Width: vg.Points(0.6)}})
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
		from, until := plotter.XY{X: s.at, Y: s.low}, plotter.XY{X: s.at, Y: s.high}
		if d.parts[to.part].names {
			from, until = plotter.XY{X: s.low, Y: s.at}, plotter.XY{X: s.high, Y: s.at}
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
		each, all := make([]plotter.XYs, len(d.Series)), plotter.XYs(nil)
		for s := range d.Series {
			each[s] = d.points[at{part, facet, s, c, 0}]
			all = append(all, each[s]...)
		}
		slices.SortStableFunc(all, func(a, b plotter.XY) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
		if all = slices.Compact(all); q.names || isFunction(all) {
			clear(each)
			each[0] = all
		}
		for s, points := range each {
			if points = slices.Compact(slices.Clone(points)); len(points) == 0 {
				continue
			}
			if last := len(points) - 1; !slices.ContainsFunc(points, func(at plotter.XY) bool { return at.Y != points[0].Y }) {
				points = plotter.XYs{points[0], points[last]}[:min(2, last+1)]
			}
			p.Record(d.nameOf(q, s, c), points)
			if len(points) == 1 {
				points = plotter.XYs{{X: points[0].X - 0.1, Y: points[0].Y}, {X: points[0].X + 0.1, Y: points[0].Y}}
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
		style := draw.LineStyle{Color: Color(d.alike[to.series]), Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(float64(1 + k%4)), vg.Points(2)}}
		if q.xAxis.names == nil && len(points) > 1 {
			p.Add(&plotter.Line{XYs: points, LineStyle: style})
		} else if len(points) > 0 {
			p.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: style.Color, Radius: vg.Points(1.5), Shape: draw.RingGlyph{}}})
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

// pale returns the colour of a series for areas, through which lines and other areas show.
func pale(series int) color.Color { return shade(Color(series), 0) }

// shade returns a colour for the bands of the k-th pair of columns: those of the second are darker
// than those of the first.
func shade(of color.Color, k int) color.Color {
	c := color.NRGBAModel.Convert(of).(color.NRGBA)
	c.A = []uint8{0x38, 0x70}[k%2]
	return c
}

// bandColor returns the colour of the band of the k-th pair of columns of a series: a grey behind
// bars, which are translucent areas too.
func (d *Drawing) bandColor(series, k int) color.Color {
	if d.barred != nil {
		return shade(KindGrey(), k)
	}
	return shade(Color(d.alike[series]), k)
}

// Figure returns the figure. If there are more panels than a reader can distinguish it has the
// first of them.
func (d *Drawing) Figure() *Figure {
	s := d.Sheet
	s.Rows = slices.Clone(s.Rows)
	for i, row := range s.Rows {
		s.Rows[i] = row[:min(len(row), max(1, MaxPanels/len(s.Rows)))]
	}
	f := s.Figure()
	f.Notes = d.Notes
	f.Data = dataOf(slices.DeleteFunc(slices.Concat(d.Sheet.Rows...), func(p *Panel) bool { return p == nil }))
	return f
}

// The lengths of the longest names along an axis, in legends, and above panels.
const (
	longestTick  = 32
	longestName  = 48
	longestTitle = 72
)

// indexOf returns the place of a value in a list, and adds it if it is not there.
func indexOf[V comparable](list *[]V, name V) int {
	if i := slices.Index(*list, name); i >= 0 {
		return i
	}
	*list = append(*list, name)
	return len(*list) - 1
}
