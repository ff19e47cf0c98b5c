package figure

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/reports/table"
)

// Drawing is a plot in preparation. A view may add to its panels what no column has, and change the
// sheet, before it calls Figure.
type Drawing struct {
	Sheet  Sheet
	Notes  []string // what is too much for a picture
	Series []string // the values that By tells apart, in the order in which they come

	points map[at]plotter.XYs
	keys   map[[2]int][]at // of points, by part and facet, each of which is -1 for all
	bars   map[at][]Bar    // of columns that are drawn as bars, beside their points

	plot    columns.Plot
	table   *table.Table
	parts   []plotPart
	facets  []string
	lack    []string          // notes about cells that have no place
	lost    map[[2]int]string // why cells have no place, by row and column
	rows    []rowPlace        // of the first part
	by      []int
	facetBy []int
	dots    []int
	barred  []int // the columns that are drawn as bars
	upright []int
	beyond  []int    // levels that axes need not reach
	levels  []string // the titles of all levels, each once
	members []int
	member  []string // of thin lines; the first is of rows that are no members
	around  map[at][]segment
	called  []string // the series in the legend, numbers with few digits
	full    []string // the same with all digits
	alike   []int    // the first of the series whose lines coincide with those of each
}

// at is where points belong: the part of the figure, the panel in it, the series, and the column.
type at struct{ part, facet, series, column, member int }

// plotPart is a part of a figure with axes of its own. Of its columns along the vertical axis those
// of the band come first, then the thin ones and the levels. Those of what lies on either side of a
// number follow from the others.
type plotPart struct {
	x, until          int // until is -1 where rows have a place and no interval
	ys                []int
	xAxis             Axis
	yAxis             Axis
	band, thin, level int           // how many columns are of each kind
	named             map[int]*Axis // of the panels whose axes have names of their own
	sides             []int         // the column of what lies on either side of numbers, if any
	// names stand along the vertical axis, the first at the top; levels are upright, and what lies
	// on either side is along the other axis
	names bool
}

// main returns the place of the first column that is drawn with marks.
func (p *plotPart) main() int { return p.band + p.thin + p.level }

// numbers returns the axis of the numbers that errors and levels belong to.
func (p *plotPart) numbers() *Axis {
	if p.names {
		return &p.xAxis
	}
	return &p.yAxis
}

// placed returns the columns whose cells have places along the vertical axis.
func (p *plotPart) placed() []int {
	if p.names {
		return p.ys[p.main():]
	}
	return p.ys
}

// isLevel reports whether a column is drawn across the panels, which alone is no figure.
func (p *plotPart) isLevel(column int) bool { return column >= p.band+p.thin && column < p.main() }

// rowPlace is where a row of the table is drawn.
type rowPlace struct {
	facet, series int
	x             float64
}

// Draw places what a plot shows of a table. It fails if the table lacks a column, if a column along
// the vertical axis has no numbers, and if nothing is left to draw. Rows are drawn in the order
// along the horizontal axis.
func Draw(t *table.Table, p columns.Plot) (*Drawing, error) {
	d := &Drawing{
		plot:   p,
		table:  t,
		points: map[at]plotter.XYs{},
		keys:   map[[2]int][]at{},
		bars:   map[at][]Bar{},
		around: map[at][]segment{},
		lost:   map[[2]int]string{},
	}
	for _, step := range []func() error{d.findColumns, d.placePoints, d.lay} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Plot draws a plot of a table. The notes say what of the table it cannot show.
func Plot(t *table.Table, p columns.Plot) (*Figure, []string, error) {
	d, err := Draw(t, p)
	if err != nil {
		return nil, nil, err
	}
	f := d.Figure()
	return f, append(f.Notes, d.lack...), nil
}

// findColumns finds the columns.
func (d *Drawing) findColumns() (err error) {
	pairs := "" // of the bands of a part, which may share ends
	find := func(list string) (places []int) {
		for _, name := range columns.NamesIn(list) {
			i, wrong := d.table.Place(name)
			if wrong == nil && list != pairs && slices.Contains(places, i) {
				wrong = fmt.Errorf("the column %s is there twice in %s", name, list)
			}
			err, places = cmp.Or(err, wrong), append(places, i)
		}
		return places
	}
	d.member, d.members = []string{""}, find(d.plot.Members)
	find(partOf(d.plot.Each, 0))
	find(partOf(d.plot.Each, 1))
	d.beyond, d.barred, d.upright = find(d.plot.Beyond), find(d.plot.Bars), find(d.plot.Upright)
	d.by, d.facetBy, d.dots = d.varying(find(d.plot.By)), d.varying(find(d.plot.Panels)), find(d.plot.Dots)
	xs := strings.Split(d.plot.X, "|")
	ys := strings.Split(d.plot.Y, "|")
	if err == nil && len(xs) != len(ys) && min(len(xs), len(ys)) > 1 {
		return fmt.Errorf(
			"x=%s has %d parts and y=%s has %d; one of both serves all parts of the other, and else they are as many",
			d.plot.X, len(xs),
			d.plot.Y, len(ys))
	}
	for i := range max(len(xs), len(ys)) {
		pairs = partOf(d.plot.Band, i)
		x := find(partOf(d.plot.X, i))
		band := find(pairs)
		thin := find(partOf(d.plot.Thin, i))
		level := find(partOf(d.plot.Level, i))
		main := find(partOf(d.plot.Y, i))
		switch {
		case err != nil:
			return err
		case len(x) != 1 || len(main)+len(band) == 0:
			return errors.New("a part of the plot has one column along x and at least one along y")
		}
		part := plotPart{
			x:     x[0],
			until: -1,
			ys:    slices.Concat(band, thin, level, main),
			band:  len(band),
			thin:  len(thin),
			level: len(level),
			sides: find(partOf(cmp.Or(d.plot.Spread, d.plot.Errors), i)),
		}
		for _, until := range find(partOf(d.plot.Until, i)) {
			part.until = until
		}
		for _, y := range slices.Concat(level, d.upright) {
			indexOf(&d.levels, d.title(y))
		}
		for _, y := range part.ys {
			if c := d.table.Columns[y]; (c.Type == table.String || c.Type == table.Bool) &&
				!d.namesFit(&part, y) {
				return fmt.Errorf(
					"the column %s has no numbers, which y needs; it can stand along x, tell lines apart "+
						"by by=%[1]s, or have panels=%[1]s",
					cmp.Or(c.Name, c.Title))
			}
		}
		d.parts = append(d.parts, part)
	}
	return nil
}

// namesFit reports whether a column has names that can stand along the vertical axis: it is alone
// there, and numbers are along the other.
func (d *Drawing) namesFit(q *plotPart, y int) bool {
	q.names = len(q.ys)-q.main() == 1 && q.ys[q.main()] == y && q.band+q.thin == 0 &&
		d.table.Columns[q.x].Type != table.String &&
		d.table.Columns[q.x].Type != table.Bool
	return q.names
}

// partOf returns what a list says of a part: the last of it serves all that follow.
func partOf(list string, part int) string {
	parts := strings.Split(list, "|")
	return parts[min(part, len(parts)-1)]
}

// varying returns those of several columns that are not the same in all rows, and the first if none
// is left.
func (d *Drawing) varying(places []int) (out []int) {
	for _, i := range places {
		if d.varies(i) {
			out = append(out, i)
		}
	}
	return append(out, places[:max(0, min(1, len(places))-len(out))]...)
}

// varies reports whether a column is not the same in all rows.
func (d *Drawing) varies(column int) bool {
	return slices.ContainsFunc(d.table.Rows, func(row []any) bool {
		first := d.table.Rows[0][column]
		text, is := row[column].(string)
		return (!is || first != text) && dataText(row[column]) != dataText(first)
	})
}

// makeAxes makes the axes of part k from the cells of its columns.
func (d *Drawing) makeAxes(k int) {
	part := &d.parts[k]
	xs := make([]any, len(d.table.Rows))
	ys := []any(nil)
	for i, row := range d.table.Rows {
		xs[i] = row[part.x]
		for _, y := range part.placed() {
			if v := number64(row[y]); part.names {
				ys = append(ys, row[y])
			} else if Finite(v) {
				ys = append(ys, v)
			}
		}
	}
	part.xAxis = newAxis(d.label(d.plot.XLabel, k, []int{part.x}), xs, d.logged('x', k))
	part.yAxis = newAxis(d.label(d.plot.YLabel, k, part.ys[part.main():]), ys, d.logged('y', k))
	part.xAxis.scale.Unit, part.yAxis.scale.Unit = d.plot.SignedX, d.plot.Signed
	slices.Reverse(part.yAxis.names)
	part.yAxis.all = true
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
			if same := slices.IndexFunc(
				list[from:], func(o uprightAt) bool { return o.X == at.X }); same < 0 {
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

// noteOmitted notes how many cells have no place and why, a line for each column but those of bands
// that no row has.
func (d *Drawing) noteOmitted() {
	bands := columns.NamesIn(strings.ReplaceAll(d.plot.Band, "|", "+"))
	for i, c := range d.table.Columns {
		counts := map[string]int{}
		for cell, why := range d.lost {
			if cell[1] == i {
				counts[why]++
			}
		}
		if counts[empty] == len(d.table.Rows) && slices.Contains(bands, c.Name) {
			continue
		}
		var parts []string
		for _, why := range slices.Sorted(maps.Keys(counts)) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[why], why))
		}
		if parts != nil {
			d.lack = append(d.lack, fmt.Sprintf(
				"the figure leaves out cells of %s: %s", cmp.Or(c.Name, c.Title), strings.Join(parts, ", ")))
		}
	}
}

// label returns the label of an axis: that of the plot, or the headings of the columns, which share
// a unit.
func (d *Drawing) label(given string, part int, places []int) string {
	if list := strings.Split(given, "|"); given != "" {
		return list[min(part, len(list)-1)]
	}
	var titles []string
	unit := d.table.Columns[places[0]].Unit
	for _, i := range places {
		titles = append(titles, d.title(i))
		if d.table.Columns[i].Unit != unit {
			unit = ""
		}
	}
	text := selector.Listed(titles)
	if unit != "" {
		text += " (" + unit + ")"
	}
	return text
}

// title returns what a column is called in the figure.
func (d *Drawing) title(column int) string {
	c := d.table.Columns[column]
	return cmp.Or(c.Title, c.Name)
}

// valueOf names the values of a row in some columns: texts as they are, and numbers with the name
// of their column.
func (d *Drawing) valueOf(row []any, places []int, write func(cell any) string) string {
	var parts []string
	for _, i := range places {
		text := write(row[i])
		switch {
		case text == "":
			text = "no " + d.title(i)
		case d.table.Columns[i].Type == table.Bool || !math.IsNaN(number64(row[i])):
			text = d.title(i) + " = " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}
