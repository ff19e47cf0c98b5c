package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// drawing is a plot in preparation.
type drawing struct {
	plot    *columns.Plot
	table   *table.Table
	parts   []*part
	by      []int
	facetBy []int
	members []int
	barred  []int
	dots    []int
	beyond  []int
	upright []int
	rows    []at // the facet and the series of each row

	facets []string
	series []string // the values that By tells apart, as the data name them
	called []string // the same in the legend, numbers with few digits
	full   []string // the same with all digits
	member []string // of thin lines; the first is of rows that are no members
	levels []string // the titles of all levels, each once
	alike  []int    // the first of the series whose lines coincide with those of each

	curves map[at]*curve
	order  []*curve          // of curves
	lost   map[[2]int]string // why cells have no place, by row and column
	notes  []string          // what is too much for a picture
}

// kind is how a column is drawn.
type kind int

const (
	band kind = iota
	thin
	level
	main
	kinds
)

// at is where points belong: the part of the figure, the panel in it, the series, and the column.
type at struct {
	part, facet, series int
	kind                kind
	column, member      int
}

// curve has the points of a column, ascending along the horizontal axis.
type curve struct {
	at
	points []point
}

// point is a point, drawn over an interval of the horizontal axis, with the ends of its error bar.
type point struct {
	plotter.XY
	from, until float64
	low, high   float64 // NaN if there is no bar; low is minus infinity if it has no place
}

// xys returns the points of a curve, none of nil.
func (c *curve) xys() (points plotter.XYs) {
	if c != nil {
		for _, p := range c.points {
			points = append(points, p.XY)
		}
	}
	return points
}

// part is a part of a figure with axes of its own.
type part struct {
	columns.Part
	x, until, errors int // columns; -1 if there is none
	ys               [kinds][]int
	xAxis, yAxis     axis
	named            map[int]*axis // of the panels whose axes have names of their own
	// names stand along the vertical axis, the first at the top; levels are upright, and error bars
	// are along the other axis
	names bool
}

// numbers returns the axis of the numbers that errors and levels belong to.
func (q *part) numbers() *axis {
	if q.names {
		return &q.xAxis
	}
	return &q.yAxis
}

// Plot draws a plot of a table. The notes say what of the table it cannot show. It fails if the
// table lacks a column, if a column along the vertical axis has no numbers, and if nothing is left
// to draw. Rows are drawn in the order along the horizontal axis.
func Plot(t *table.Table, p columns.Plot) (*Figure, []string, error) {
	d, err := prepare(t, &p)
	if err != nil {
		return nil, nil, err
	}
	s, data := d.lay()
	f := New(p.Name, func(Style) *Sheet { return s })
	f.Title, f.Data, f.Notes = titleOf(s.panels()), data, d.notes
	return f, append(d.notes, d.omitted()...), nil
}

// prepare places what a plot shows of a table.
func prepare(t *table.Table, p *columns.Plot) (*drawing, error) {
	d := &drawing{plot: p, table: t, curves: map[at]*curve{}, lost: map[[2]int]string{}, member: []string{""}}
	if err := d.findColumns(); err != nil {
		return nil, err
	}
	return d, d.place()
}

// findColumns finds the columns.
func (d *drawing) findColumns() (err error) {
	find := func(list ...string) (places []int) {
		for i, name := range list {
			place, wrong := d.table.Place(name)
			if wrong == nil && slices.Contains(list[:i], name) {
				wrong = fmt.Errorf("the column %s is there twice in %s", name, strings.Join(list, "+"))
			}
			err, places = cmp.Or(err, wrong), append(places, place)
		}
		return places
	}
	one := func(name string) int {
		if name == "" {
			return -1
		}
		return find(name)[0]
	}
	p := d.plot
	d.members = find(p.Members...)
	find(p.Each.Always...)
	find(p.Each.Varying...)
	d.beyond, d.barred, d.dots, d.upright = find(p.Beyond...), find(p.Bars...), find(p.Dots...), find(p.Upright...)
	d.by, d.facetBy = d.varying(d.needed(p.By, find)), d.varying(d.needed(p.Panels, find))
	for _, given := range p.Parts {
		if first := p.Parts[0]; given.X == "" {
			given.X, given.XLabel, given.XScale, given.XUnit = first.X, first.XLabel, first.XScale, first.XUnit
		}
		q := &part{Part: given, x: one(given.X)}
		for _, name := range q.Band { // pairs may share ends
			q.ys[band] = append(q.ys[band], one(name))
		}
		q.ys[thin], q.ys[level], q.ys[main] = find(q.Thin...), find(q.Level...), find(q.Y...)
		q.errors, q.until = one(q.Errors), one(q.Until)
		if err != nil {
			return err
		}
		for _, y := range slices.Concat(q.ys[level], d.upright) {
			indexOf(&d.levels, d.title(y))
		}
		texts := func(i int) bool {
			return d.table.Columns[i].Type == table.String || d.table.Columns[i].Type == table.Bool
		}
		for _, y := range slices.Concat(q.ys[:]...) {
			if !texts(y) {
				continue
			}
			q.names = slices.Equal(q.ys[main], []int{y}) && q.Band == nil && q.Thin == nil && !texts(q.x)
			if !q.names {
				return errs.New("the column %s has no numbers, which y needs; it can stand along x, tell lines apart "+
					"by by=%[1]s, or have panels=%[1]s", cmp.Or(d.table.Columns[y].Name, d.title(y)))
			}
		}
		d.parts = append(d.parts, q)
	}
	return err
}

// varying returns those of several columns that are not the same in all rows, and the first if none
// is left.
func (d *drawing) varying(places []int) []int {
	if out := slices.DeleteFunc(slices.Clone(places), func(i int) bool { return !varies(d.table, i) }); len(out) > 0 {
		return out
	}
	return places[:min(1, len(places))]
}

// needed returns the places of columns without those that are implied and that the others
// determine.
func (d *drawing) needed(names []string, find func(...string) []int) []int {
	places := find(names...)
	implied := find(d.plot.Implied...)
	return slices.DeleteFunc(slices.Clone(places), func(i int) bool {
		others := slices.DeleteFunc(slices.Clone(places), func(k int) bool { return k == i })
		known := map[string]string{}
		return slices.Contains(implied, i) && !slices.ContainsFunc(d.table.Rows, func(row []any) bool {
			of, text := valueOf(d.table, row, others, dataText), dataText(row[i])
			before, is := known[of]
			known[of] = text
			return is && before != text
		})
	})
}

// varies reports whether a column is not the same in all rows.
func varies(t *table.Table, column int) bool {
	return slices.ContainsFunc(t.Rows, func(row []any) bool {
		first := t.Rows[0][column]
		text, is := row[column].(string)
		return (!is || first != text) && dataText(row[column]) != dataText(first)
	})
}

// makeAxes makes the axes of a part from the cells of its columns.
func (d *drawing) makeAxes(q *part) {
	var xs, ys []any
	for _, row := range d.table.Rows {
		xs = append(xs, row[q.x])
		for k, list := range q.ys {
			for _, y := range list {
				if v := number64(row[y]); q.names && kind(k) == main {
					ys = append(ys, row[y])
				} else if Finite(v) && !q.names {
					ys = append(ys, v)
				}
			}
		}
	}
	q.xAxis = newAxis(cmp.Or(q.XLabel, d.label([]int{q.x})), xs, q.XScale, q.XUnit)
	label := cmp.Or(q.YLabel, d.label(q.ys[main]))
	if slices.ContainsFunc(d.table.Rows, func(row []any) bool {
		return q.until >= 0 && Finite(number64(row[q.x])) && dataText(row[q.x]) == dataText(row[q.until])
	}) {
		label += q.StemsAre
	}
	q.yAxis = newAxis(label, ys, q.YScale, q.YUnit)
}

// label returns the label of an axis: the headings of the columns, which may share a unit.
func (d *drawing) label(places []int) string {
	var titles, units []string
	for _, i := range places {
		titles = append(titles, d.title(i))
		indexOf(&units, d.table.Columns[i].Unit)
	}
	text := selector.Listed(titles)
	if len(units) == 1 && units[0] != "" {
		text += " (" + units[0] + ")"
	}
	return text
}

// title returns what a column is called in the figure.
func (d *drawing) title(column int) string { return titleIn(d.table, column) }

func titleIn(t *table.Table, column int) string {
	return cmp.Or(t.Columns[column].Title, t.Columns[column].Name)
}

// valueOf names the values of a row of a table in some columns: texts as they are, and numbers with
// the name of their column.
func valueOf(t *table.Table, row []any, places []int, write func(cell any) string) string {
	var parts []string
	for _, i := range places {
		text := write(row[i])
		switch {
		case text == "":
			text = "no " + titleIn(t, i)
		case t.Columns[i].Type == table.Bool || !math.IsNaN(number64(row[i])):
			text = titleIn(t, i) + " = " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// findSeries returns the facet, the series and the member that a row belongs to.
func (d *drawing) findSeries(row []any) (to at) {
	to.facet = indexOf(&d.facets, valueOf(d.table, row, d.facetBy, cellText))
	to.series = indexOf(&d.series, valueOf(d.table, row, d.by, dataText))
	if to.series == len(d.called) {
		d.called = append(d.called, valueOf(d.table, row, d.by, shortText))
		d.full = append(d.full, valueOf(d.table, row, d.by, cellText))
	}
	if d.members != nil && cellText(row[d.members[0]]) != "" {
		to.member = indexOf(&d.member, valueOf(d.table, row, d.members, cellText))
	}
	return to
}

// place makes the axes of all parts, and places every point.
func (d *drawing) place() error {
	for k, q := range d.parts {
		d.makeAxes(q)
		for i, row := range d.table.Rows {
			to := d.findSeries(row)
			to.part = k
			d.rows = append(d.rows, to)
			d.placeRow(q, i, to)
		}
	}
	drawn := false
	for to, c := range d.curves {
		slices.SortStableFunc(c.points, func(a, b point) int { return cmp.Compare(a.X, b.X) })
		if d.plot.Joined && len(c.points) < 2 && !slices.Contains(d.dots, d.column(c)) {
			delete(d.curves, to)
			continue
		}
		drawn = drawn || to.kind != level
	}
	d.order = slices.SortedFunc(maps.Values(d.curves), func(a, b *curve) int {
		return cmp.Or(a.part-b.part, a.facet-b.facet, a.series-b.series, int(a.kind-b.kind), a.column-b.column,
			b.member-a.member) // members behind the line of their mean
	})
	for k, q := range d.parts {
		d.reach(q, k, -1)
		if drawn && !(q.xAxis.hasFiniteLength() && q.yAxis.hasFiniteLength()) {
			return errs.New("the numbers are further apart than an axis can be long; take log=xy")
		}
	}
	if !drawn {
		return cmp.Or[error](d.plot.Why, Nothing{d.plot})
	}
	d.alike = d.same()
	return nil
}

// column returns the column of the table that a curve shows.
func (d *drawing) column(c *curve) int { return d.parts[c.part].ys[c.kind][c.column] }

// placeRow places the points of row i of a part.
func (d *drawing) placeRow(q *part, i int, to at) {
	row := d.table.Rows[i]
	along, up := &q.xAxis, &q.yAxis
	if d.plot.Free && along.names != nil {
		along = q.ownNames(*along, to.facet, cellText(row[q.x]))
	}
	if d.plot.Free && q.names {
		up = q.ownNames(*up, to.facet, cellText(row[q.ys[main][0]]))
	}
	x, shown := d.locate(along, i, q.x)
	from, until := x, x
	if q.until >= 0 && shown {
		until, shown = d.locate(&q.xAxis, i, q.until)
		x = from + (until-from)/2
	}
	for k, list := range q.ys {
		for c, column := range list {
			to.kind, to.column = kind(k), c
			p := point{plotter.XY{X: x}, from, until, math.NaN(), math.NaN()}
			is := false
			if q.names && to.kind != main { // a level of numbers beside names is along the axis of these numbers
				p.X, is = d.locate(&q.xAxis, i, column)
				p.Y = up.position(row[q.ys[main][0]])
			} else {
				p.Y, is = d.locate(up, i, column)
			}
			if to.kind == band && math.IsInf(p.Y, 0) { // bands reach the edge
				delete(d.lost, [2]int{i, column})
				is = true
			}
			if is && shown {
				d.addPoint(q, to, row, p)
			}
		}
	}
}

// addPoint adds a point with its error bar. Over an interval a line that has steps has two points.
func (d *drawing) addPoint(q *part, to at, row []any, p point) {
	c := d.curves[to]
	if c == nil {
		c = &curve{at: to}
		d.curves[to] = c
	}
	if q.errors >= 0 && to.kind == main {
		v := number64(row[d.column(c)])
		if q.names {
			v = number64(row[q.x])
		}
		by := number64(row[q.errors])
		if high := q.numbers().position(v + by); by > 0 && Finite(high) {
			p.low, p.high = q.numbers().position(v-by), high
			if !Finite(p.low) {
				p.low = math.Inf(-1)
			}
		}
	}
	if d.plot.Steps && p.until > p.from && !slices.Contains(d.barred, d.column(c)) {
		first := p
		first.X = p.from
		c.points = append(c.points, first)
		p.X = p.until
	}
	c.points = append(c.points, p)
}

// ownNames returns the axis of a panel that has names of its own along it, among them a name.
func (q *part) ownNames(own axis, facet int, name string) *axis {
	if q.named == nil {
		q.named = map[int]*axis{}
	}
	if q.named[facet] == nil {
		own.names, q.named[facet] = []string{}, &own
	}
	if name != "" {
		indexOf(&q.named[facet].names, name)
	}
	return q.named[facet]
}

// reach makes the axes of a part reach all that is drawn in a panel, or in all of them if it is -1.
func (d *drawing) reach(q *part, k, facet int) {
	for _, c := range d.order {
		if c.part != k || facet >= 0 && c.facet != facet || slices.Contains(d.beyond, d.column(c)) {
			continue
		}
		for _, p := range c.points {
			q.xAxis.extendTo(p.X)
			q.yAxis.extendTo(p.Y)
			q.numbers().extendTo(p.low)
			q.numbers().extendTo(p.high)
			if slices.Contains(d.barred, d.column(c)) {
				q.xAxis.extendTo(p.from)
				q.xAxis.extendTo(p.until)
				if !q.yAxis.log {
					q.yAxis.extendTo(0)
				}
			}
		}
	}
	for _, at := range d.uprights(q, facet) {
		q.xAxis.extendTo(at.x)
	}
	for _, v := range d.plot.Across {
		q.numbers().extendTo(q.numbers().position(v))
	}
}

// empty is why a cell without a number has no place.
const empty = "empty or no number"

// locate returns where a cell stands on an axis, and remembers why if it has no place, which is
// then infinite or NaN.
func (d *drawing) locate(a *axis, row, column int) (place float64, shown bool) {
	cell := d.table.Rows[row][column]
	place = a.position(cell)
	if Finite(place) {
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

// omitted says how many cells have no place and why, a line for each column but those of bands that
// no row has.
func (d *drawing) omitted() (lines []string) {
	for i, c := range d.table.Columns {
		counts := map[string]int{}
		for cell, why := range d.lost {
			if cell[1] == i {
				counts[why]++
			}
		}
		if counts[empty] == len(d.table.Rows) &&
			slices.ContainsFunc(d.parts, func(q *part) bool { return slices.Contains(q.Band, c.Name) }) {
			continue
		}
		var parts []string
		for _, why := range slices.Sorted(maps.Keys(counts)) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[why], why))
		}
		if parts != nil {
			lines = append(lines, fmt.Sprintf("the figure leaves out cells of %s: %s",
				cmp.Or(c.Name, c.Title), strings.Join(parts, ", ")))
		}
	}
	return lines
}

// indexOf returns the place of a value in a list, and adds it if it is not there.
func indexOf[V comparable](list *[]V, name V) int {
	if i := slices.Index(*list, name); i >= 0 {
		return i
	}
	*list = append(*list, name)
	return len(*list) - 1
}
