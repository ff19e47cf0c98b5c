package figure

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
)

// rowPlace is where a row of the table is drawn.
type rowPlace struct {
	facet, series int
	x             float64
}

// findSeries returns the facet, the series and the member that row i of part k belongs to.
func (d *Drawing) findSeries(k, i int) at {
	row := d.table.Rows[i]
	to := at{
		part:   k,
		facet:  indexOf(&d.facets, d.valueOf(row, d.facetBy, cellText)),
		series: indexOf(&d.Series, d.valueOf(row, d.by, dataText)),
	}
	if to.series == len(d.called) {
		d.called = append(d.called, d.valueOf(row, d.by, shortText))
		d.full = append(d.full, d.valueOf(row, d.by, cellText))
	}
	if d.members != nil && cellText(row[d.members[0]]) != "" {
		to.member = indexOf(&d.member, d.valueOf(row, d.members, cellText))
	}
	return to
}

// placeRow places the points of row i of part k.
func (d *Drawing) placeRow(k, i int) {
	part := &d.parts[k]
	row := d.table.Rows[i]
	to := d.findSeries(k, i)
	axis := &part.xAxis
	if d.plot.Free && axis.names != nil {
		axis = part.ownNames(to.facet, cellText(row[part.x]))
	}
	x, shown := d.locate(axis, i, part.x)
	from := x
	until := x
	if part.until >= 0 && shown {
		until, shown = d.locate(&part.xAxis, i, part.until)
		x = from + (until-from)/2
	}
	if k == 0 {
		d.rows = append(d.rows, rowPlace{to.facet, to.series, x})
	}
	for c := range part.ys {
		to.column = c
		at, is := d.spot(part, i, c, x)
		if c < part.band && math.IsInf(at.Y, 0) { // bands reach the edge
			delete(d.lost, [2]int{i, part.ys[c]})
			is = true
		}
		if is && shown {
			d.addPoint(to, at, from, until)
			d.aside(part, to, row, at)
		}
	}
}

// placePoints makes the axes of all parts, and places every point.
func (d *Drawing) placePoints() error {
	drawn := false
	for k := range d.parts {
		d.makeAxes(k)
		for i := range d.table.Rows {
			d.placeRow(k, i)
		}
	}
	for to, points := range d.points {
		slices.SortStableFunc(points, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		if d.plot.Joined && len(points) < 2 && !slices.Contains(d.dots, d.parts[to.part].ys[to.column]) {
			delete(d.points, to)
			delete(d.around, to)
			continue
		}
		drawn = drawn || !d.parts[to.part].isLevel(to.column)
	}
	for k := range d.parts {
		d.needless(k)
	}
	for to := range d.points {
		for _, of := range [][2]int{{to.part, to.facet}, {to.part, -1}, {-1, to.facet}} {
			d.keys[of] = append(d.keys[of], to)
		}
	}
	for k := range d.parts {
		d.reach(&d.parts[k], k, -1)
	}
	d.noteOmitted()
	if !drawn {
		return cmp.Or[error](d.plot.Why, Nothing{d.plot.Y, d.plot.X, d.plot.Joined})
	}
	for k := range d.parts {
		if x, y := &d.parts[k].xAxis, &d.parts[k].yAxis; !x.hasFiniteLength() || !y.hasFiniteLength() {
			return errors.New("the numbers are further apart than an axis can be long; take log=xy")
		}
	}
	return nil
}

// ownNames returns the axis of a panel that has names of its own along it, among them a name.
func (p *plotPart) ownNames(facet int, name string) *Axis {
	if p.named == nil {
		p.named = map[int]*Axis{}
	}
	if p.named[facet] == nil {
		own := p.xAxis
		own.names, p.named[facet] = []string{}, &own
	}
	if name != "" {
		indexOf(&p.named[facet].names, name)
	}
	return p.named[facet]
}

// addPoint adds a point of a column, which is drawn over an interval if that has a width.
func (d *Drawing) addPoint(to at, point plotter.XY, from, until float64) {
	switch column := d.parts[to.part].ys[to.column]; {
	case slices.Contains(d.barred, column):
		d.bars[to] = append(d.bars[to], Bar{from, until, point.Y})
	case d.plot.Steps && until > from:
		d.points[to] = append(d.points[to], plotter.XY{X: from, Y: point.Y})
		point.X = until
	}
	d.points[to] = append(d.points[to], point)
}

// needless takes the levels out of a part all of whose points stand at one place along the
// horizontal axis: there is no line across it.
func (d *Drawing) needless(part int) {
	low, high := math.Inf(1), math.Inf(-1)
	for to, points := range d.points {
		if to.part == part {
			low, high = min(low, points[0].X), max(high, points[len(points)-1].X)
		}
	}
	if low == high && !d.parts[part].names {
		maps.DeleteFunc(d.points,
			func(to at, _ plotter.XYs) bool { return to.part == part && d.parts[part].isLevel(to.column) })
	}
}

// reach makes the axes of a part reach all that is drawn in a panel, or in all of them.
func (d *Drawing) reach(q *plotPart, part, facet int) {
	for _, to := range d.keys[[2]int{part, facet}] {
		if slices.Contains(d.beyond, q.ys[to.column]) {
			continue
		}
		for _, point := range d.points[to] {
			q.xAxis.extendTo(point.X)
			q.yAxis.extendTo(point.Y)
		}
		for _, b := range d.bars[to] {
			q.xAxis.extendTo(b.From)
			q.xAxis.extendTo(b.To)
			if !q.yAxis.log {
				q.yAxis.extendTo(0)
			}
		}
		for _, s := range d.around[to] {
			if Finite(s.low) {
				q.numbers().extendTo(s.low)
			}
			q.numbers().extendTo(s.high)
		}
	}
	for _, at := range d.uprights(q, facet) {
		q.xAxis.extendTo(at.X)
	}
	for _, v := range d.plot.Across {
		if a := q.numbers(); Finite(a.position(v)) {
			a.extendTo(a.position(v))
		}
	}
}

// uprightAt is a place along the horizontal axis at which a line stands, and the number of its
// column among them. The series is that of the only row with a line there, or -1.
type uprightAt struct {
	X              float64
	column, series int
}

// uprights returns where lines stand in the panels of a facet, or in all, each once.
func (d *Drawing) uprights(q *plotPart, facet int) (list []uprightAt) {
	for k, c := range d.upright {
		from := len(list)
		for i, row := range d.table.Rows {
			at := uprightAt{q.xAxis.position(row[c]), k, d.rows[i].series}
			if !Finite(at.X) || facet >= 0 && d.rows[i].facet != facet {
				continue
			}
			if same := slices.IndexFunc(list[from:], func(o uprightAt) bool { return o.X == at.X }); same < 0 {
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

// segment is a line along the axis of numbers at a place of the other axis.
type segment struct{ at, low, high float64 }

// aside notes what lies on either side of a number. The lower end is minus infinity if it has no
// place on a logarithmic axis.
func (d *Drawing) aside(part *plotPart, to at, row []any, point plotter.XY) {
	if part.sides == nil || to.column < part.main() {
		return
	}
	column := part.ys[to.column]
	at := point.X
	by := number64(row[part.sides[0]])
	if part.names {
		column = part.x
		at = point.Y
	}
	a := part.numbers()
	v := number64(row[column])
	s := segment{at, a.position(v - by), a.position(v + by)}
	if !Finite(s.low) {
		s.low = math.Inf(-1)
	}
	if by > 0 && Finite(s.high) {
		d.around[to] = append(d.around[to], s)
	}
}

// spot returns where a column of a row is drawn, and whether it has a place. A level of numbers
// beside names is along the axis of these numbers.
func (d *Drawing) spot(part *plotPart, row, column int, x float64) (point plotter.XY, is bool) {
	if part.names && column < part.main() {
		x, is = d.locate(&part.xAxis, row, part.ys[column])
		return plotter.XY{X: x, Y: part.yAxis.position(d.table.Rows[row][part.ys[part.main()]])}, is
	}
	y, is := d.locate(&part.yAxis, row, part.ys[column])
	return plotter.XY{X: x, Y: y}, is
}

// logged returns what the plot says of an axis of a part: "log", "linear", or nothing.
func (d *Drawing) logged(axis rune, part int) string {
	switch log := partOf(d.plot.Log, part); {
	case log == "":
		return ""
	case strings.Contains(log, string(axis)+"?"):
		return "zeros"
	case strings.ContainsRune(strings.ReplaceAll(log, "none", ""), axis):
		return map[bool]string{true: "log", false: "decade"}[d.plot.Asked]
	}
	return "linear"
}

// empty is why a cell without a number has no place.
const empty = "empty or no number"

// locate returns where a cell stands on an axis, and remembers why if it has no place, which is
// then infinite or NaN.
func (d *Drawing) locate(a *Axis, row, column int) (place float64, shown bool) {
	cell := d.table.Rows[row][column]
	place = a.position(cell)
	shown = Finite(place)
	if shown {
		return place, true
	}
	why := "not above zero, which a logarithmic axis does not have"
	if v := number64(cell); math.IsNaN(v) {
		why = empty
	} else if math.IsInf(v, 0) {
		why = "infinite"
	}
	d.lost[[2]int{row, column}] = why
	return place, false
}
