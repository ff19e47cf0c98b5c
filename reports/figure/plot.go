package figure

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/reports/table"
)

// plotKeys are the parts of a plot that a user may name.
func plotKeys() []string { return []string{"x", "y", "by", "panels", "band", "log"} }

// ParsePlot reads what a figure shows, as in "x=T, y=J+B, by=toy, panels=kernel, log=xy".
func ParsePlot(text string) (p columns.Plot, err error) {
	parts := map[string]*string{"x": &p.X, "y": &p.Y, "by": &p.By, "panels": &p.Panels, "band": &p.Band, "log": &p.Log}
	for part := range strings.SplitSeq(text, ",") {
		key, value, is := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		to := parts[key]
		switch {
		case !is || value == "":
			return p, fmt.Errorf("%q says nothing; write what a figure shows as in \"x=T, y=J+B, by=toy, panels=kernel, log=xy\"", strings.TrimSpace(part))
		case to == nil:
			return p, selector.UnknownError("part of a plot", key, plotKeys())
		case *to != "":
			return p, fmt.Errorf("%s is there twice; several columns have + between them, as in y=J+B", key)
		}
		*to = value
	}
	if p.X == "" || p.Y == "" {
		return p, errors.New("name the columns along both axes, as in \"x=T, y=J\"")
	}
	for _, key := range plotKeys() {
		for name := range strings.SplitSeq(strings.ReplaceAll(*parts[key], "|", "+"), "+") {
			if strings.TrimSpace(name) == "" && *parts[key] != "" {
				return p, fmt.Errorf("%s=%s: a name is missing beside + or |", key, *parts[key])
			}
		}
	}
	for part := range strings.SplitSeq(p.Band, "|") {
		if len(columns.NamesIn(part))%2 != 0 {
			return p, fmt.Errorf("band=%s: a band is between two columns, as in band=low+high", p.Band)
		}
	}
	if !slices.Contains([]string{"", "x", "y", "xy", "none"}, p.Log) {
		return p, selector.UnknownError("choice of logarithmic axes", p.Log, []string{"x", "y", "xy", "none"})
	}
	return p, nil
}

// Nothing is the error of a plot of a table that has its columns and no numbers in them.
type Nothing struct {
	y, x   string
	joined bool
}

// Error says what there is no number for.
func (n Nothing) Error() string {
	if n.joined {
		return fmt.Sprintf("nothing to draw: %s has no numbers at two values of %s", n.y, partOf(n.x, 0))
	}
	return fmt.Sprintf("nothing to draw: no row has numbers for %s against %s", n.y, n.x)
}

// Apart returns the first columns of texts that tell rows apart which a plot would join by a line. They stand before all numbers that are drawn: what
// stands behind these is an answer, or a note.
func Apart(t *table.Table, p columns.Plot) (names []string) {
	d := &Drawing{table: t}
	var places []int
	for _, name := range append(columns.NamesIn(p.By), columns.NamesIn(p.Panels)...) {
		if i, err := t.Place(name); err == nil {
			places = append(places, i)
		}
	}
	drawn := columns.NamesIn(p.Y)
	for i, c := range t.Columns {
		if slices.Contains(drawn, c.Name) {
			break
		}
		if c.Type != table.String || c.Prose || c.Name == "note" || slices.Contains(p.Columns(), c.Name) {
			continue
		}
		first := map[string]string{}
		if slices.ContainsFunc(t.Rows, func(row []any) bool {
			line, text := d.valueOf(row, places, dataText), dataText(row[i])
			before, is := first[line]
			first[line] = text
			return is && before != text
		}) {
			names, places = append(names, c.Name), append(places, i)
		}
	}
	return names
}

// Part is what one of the figures of a plot shows.
type Part struct {
	Table *table.Table
	Plot  columns.Plot
}

// Each returns what the figures of a plot show: the rows of each value of its columns Each, which the name and the title of the figure have.
func Each(t *table.Table, p columns.Plot) (parts []Part) {
	d := &Drawing{table: t}
	var places []int
	always, more, _ := strings.Cut(p.Each, "|")
	for i, name := range append(columns.NamesIn(always), columns.NamesIn(more)...) {
		place, err := t.Place(name)
		if err == nil && (i < len(columns.NamesIn(always)) || d.varies(place)) {
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return []Part{{t, p}}
	}
	apart := slices.DeleteFunc(slices.Clone(places), func(i int) bool { return !d.varies(i) })
	var values []string
	for _, row := range t.Rows {
		value := d.valueOf(row, places, dataText)
		if i := slices.Index(values, value); i >= 0 {
			parts[i].Table.Rows = append(parts[i].Table.Rows, row)
			continue
		}
		values = append(values, value)
		own, of := p, *t
		own.Title, own.Of = own.Title+": "+value, d.valueOf(row, apart, cellText)
		for _, i := range places {
			own.Name += "_"
			if !math.IsNaN(number64(row[i])) {
				own.Name += d.title(i)
			}
			own.Name += dataText(row[i])
		}
		of.Rows = [][]any{row}
		parts = append(parts, Part{&of, own})
	}
	return parts
}

// Most of what can be told apart in one figure.
const (
	MaxSeries = 28
	MaxPanels = 36
)

// Drawing is a plot at work. A view may add to its panels what no column has, and change the sheet, before it takes the Figure.
type Drawing struct {
	Sheet  Sheet
	Notes  []string // what of the table cannot be shown, and why
	Series []string // the values that By tells apart, in the order in which they come

	points map[at]plotter.XYs
	bars   map[at][]Bar // of columns that are drawn as bars, beside their points

	plot    columns.Plot
	table   *table.Table
	parts   []plotPart
	facets  []string
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
	called  []string // the series in the legend
}

// at is where points belong: the part of the figure, the panel in it, the series, and the column.
type at struct{ part, facet, series, column, member int }

// plotPart is a part of a figure with axes of its own. Of its columns along the vertical axis those of the band come first, then the thin ones and
// the levels. Those of what lies on either side of a number follow from the others.
type plotPart struct {
	x, until          int // until is -1 where rows have a place and no interval
	ys                []int
	xAxis             Axis
	yAxis             Axis
	band, thin, level int   // how many columns are of each kind
	sides             []int // the column of what lies on either side of numbers, if any
	names             bool  // names stand along the vertical axis, the first at the top; levels are upright, and what lies on either side is along the other axis
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

// Order returns the numbers of the rows of the table by panel, series and place along the horizontal axis of the first part.
func (d *Drawing) Order() []int {
	order := make([]int, len(d.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		a, b := d.rows[i], d.rows[k]
		return cmp.Or(cmp.Compare(a.facet, b.facet), cmp.Compare(a.series, b.series), cmp.Compare(a.x, b.x))
	})
	return order
}

// Draw places what a plot shows of a table. It fails where the table lacks a column, where a column along the vertical axis has no numbers, and
// where nothing is left to draw. Rows are drawn in the order along the horizontal axis.
func Draw(t *table.Table, p columns.Plot) (*Drawing, error) {
	d := &Drawing{plot: p, table: t, points: map[at]plotter.XYs{}, bars: map[at][]Bar{}, around: map[at][]segment{}, lost: map[[2]int]string{}}
	for _, step := range []func() error{d.choose, d.place, d.lay} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Plot draws a plot of a table, with notes about what of the table it cannot show.
func Plot(t *table.Table, p columns.Plot) (*Figure, []string, error) {
	d, err := Draw(t, p)
	if err != nil {
		return nil, nil, err
	}
	return d.Figure(), d.Notes, nil
}

// choose finds the columns.
func (d *Drawing) choose() (err error) {
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
	xs, ys := strings.Split(d.plot.X, "|"), strings.Split(d.plot.Y, "|")
	if err == nil && len(xs) != len(ys) && min(len(xs), len(ys)) > 1 {
		return fmt.Errorf("x=%s has %d parts and y=%s has %d; one of both serves all parts of the other, and else they are as many", d.plot.X, len(xs), d.plot.Y, len(ys))
	}
	for i := range max(len(xs), len(ys)) {
		pairs = partOf(d.plot.Band, i)
		x, band, thin, level, main := find(partOf(d.plot.X, i)), find(pairs), find(partOf(d.plot.Thin, i)), find(partOf(d.plot.Level, i)), find(partOf(d.plot.Y, i))
		switch {
		case err != nil:
			return err
		case len(x) != 1 || len(main)+len(band) == 0:
			return errors.New("a part of the plot has one column along x and at least one along y")
		}
		part := plotPart{x: x[0], until: -1, ys: slices.Concat(band, thin, level, main), band: len(band), thin: len(thin), level: len(level), sides: find(partOf(cmp.Or(d.plot.Spread, d.plot.Errors), i))}
		for _, until := range find(partOf(d.plot.Until, i)) {
			part.until = until
		}
		for _, y := range slices.Concat(level, d.upright) {
			indexOf(&d.levels, d.title(y))
		}
		for _, y := range part.ys {
			if c := d.table.Columns[y]; (c.Type == table.String || c.Type == table.Bool) && !d.named(&part, y) {
				return fmt.Errorf("the column %s has no numbers, which y needs; it can stand along x, tell lines apart by by=%[1]s, or have panels=%[1]s", cmp.Or(c.Name, c.Title))
			}
		}
		d.parts = append(d.parts, part)
	}
	return nil
}

// named reports whether a column has names that can stand along the vertical axis: it is alone there, and numbers are along the other.
func (d *Drawing) named(q *plotPart, y int) bool {
	q.names = len(q.ys)-q.main() == 1 && q.ys[q.main()] == y && q.band+q.thin == 0 && d.table.Columns[q.x].Type != table.String && d.table.Columns[q.x].Type != table.Bool
	return q.names
}

// partOf returns what a list says of a part: the last of it serves all that follow.
func partOf(list string, part int) string {
	parts := strings.Split(list, "|")
	return parts[min(part, len(parts)-1)]
}

// varying returns those of several columns that are not the same in all rows, and the first where none is left.
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
	return slices.ContainsFunc(d.table.Rows, func(row []any) bool { return dataText(row[column]) != dataText(d.table.Rows[0][column]) })
}

// place makes the axes of all parts, and places every point.
func (d *Drawing) place() error {
	drawn := false
	for k := range d.parts {
		part := &d.parts[k]
		xs, ys := make([]any, len(d.table.Rows)), []any(nil)
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
		for i, row := range d.table.Rows {
			to := at{part: k, facet: indexOf(&d.facets, d.valueOf(row, d.facetBy, cellText)), series: indexOf(&d.Series, d.valueOf(row, d.by, dataText))}
			if to.series == len(d.called) {
				d.called = append(d.called, d.valueOf(row, d.by, cellText))
			}
			if d.members != nil && cellText(row[d.members[0]]) != "" {
				to.member = indexOf(&d.member, d.valueOf(row, d.members, cellText))
			}
			x, shown := d.locate(&part.xAxis, i, part.x)
			from, until := x, x
			if part.until >= 0 && shown {
				until, shown = d.locate(&part.xAxis, i, part.until)
				x = from + (until-from)/2
			}
			if k == 0 {
				d.rows = append(d.rows, rowPlace{to.facet, to.series, x})
			}
			for c := range part.ys {
				to.column = c
				if at, is := d.spot(part, i, c, x); is && shown {
					d.put(to, at, from, until)
					d.aside(part, to, row, at)
				}
			}
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
		d.reach(&d.parts[k], k, -1)
	}
	d.tell()
	if !drawn {
		return cmp.Or[error](d.plot.Why, Nothing{d.plot.Y, d.plot.X, d.plot.Joined})
	}
	for k := range d.parts {
		if x, y := &d.parts[k].xAxis, &d.parts[k].yAxis; !x.bounded() || !y.bounded() {
			return errors.New("the numbers are further apart than an axis can be long; take log=xy")
		}
	}
	return nil
}

// put adds a point of a column, which is drawn over an interval if that has a width.
func (d *Drawing) put(to at, point plotter.XY, from, until float64) {
	switch column := d.parts[to.part].ys[to.column]; {
	case slices.Contains(d.barred, column):
		d.bars[to] = append(d.bars[to], Bar{from, until, point.Y})
	case d.plot.Steps && until > from:
		d.points[to] = append(d.points[to], plotter.XY{X: from, Y: point.Y})
		point.X = until
	}
	d.points[to] = append(d.points[to], point)
}

// needless takes the levels out of a part all of whose points stand at one place along the horizontal axis: there is no line across it.
func (d *Drawing) needless(part int) {
	low, high := math.Inf(1), math.Inf(-1)
	for to, points := range d.points {
		if to.part == part {
			low, high = min(low, points[0].X), max(high, points[len(points)-1].X)
		}
	}
	if low == high && !d.parts[part].names {
		maps.DeleteFunc(d.points, func(to at, _ plotter.XYs) bool { return to.part == part && d.parts[part].isLevel(to.column) })
	}
}

// reach makes the axes of a part reach all that is drawn in a panel, or in all of them.
func (d *Drawing) reach(q *plotPart, part, facet int) {
	for to, points := range d.points {
		if to.part != part || facet >= 0 && to.facet != facet || slices.Contains(d.beyond, q.ys[to.column]) {
			continue
		}
		for _, point := range points {
			q.xAxis.include(point.X)
			q.yAxis.include(point.Y)
		}
		for _, b := range d.bars[to] {
			q.xAxis.include(b.From)
			q.xAxis.include(b.To)
			if !q.yAxis.log {
				q.yAxis.include(0)
			}
		}
		for _, s := range d.around[to] {
			q.numbers().include(s.low)
			q.numbers().include(s.high)
		}
	}
	for _, at := range d.uprights(q, facet) {
		q.xAxis.include(at.X)
	}
	for _, v := range d.plot.Across {
		if a := q.numbers(); Finite(a.place(v)) {
			a.include(a.place(v))
		}
	}
}

// uprightAt is a place along the horizontal axis at which a line stands, and the number of its column among them.
type uprightAt struct {
	X      float64
	column int
}

// uprights returns where lines stand in the panels of a facet, or in all, each once.
func (d *Drawing) uprights(q *plotPart, facet int) (list []uprightAt) {
	for i, row := range d.table.Rows {
		for k, c := range d.upright {
			if at := q.xAxis.place(row[c]); Finite(at) && (facet < 0 || d.rows[i].facet == facet) {
				indexOf(&list, uprightAt{at, k})
			}
		}
	}
	return list
}

// segment is a line along the axis of numbers at a place of the other axis.
type segment struct{ at, low, high float64 }

// aside notes what lies on either side of a number. Where the lower end has no place on a logarithmic axis it is the number itself.
func (d *Drawing) aside(part *plotPart, to at, row []any, point plotter.XY) {
	if part.sides == nil || to.column < part.main() {
		return
	}
	column, at, by := part.ys[to.column], point.X, number64(row[part.sides[0]])
	if part.names {
		column, at = part.x, point.Y
	}
	a, v := part.numbers(), number64(row[column])
	s := segment{at, a.place(v - by), a.place(v + by)}
	if !Finite(s.low) {
		s.low = a.place(v)
	}
	if by > 0 && Finite(s.high) {
		d.around[to] = append(d.around[to], s)
	}
}

// spot returns where a column of a row is drawn, and whether it has a place. A level of numbers beside names is along the axis of these numbers.
func (d *Drawing) spot(part *plotPart, row, column int, x float64) (point plotter.XY, is bool) {
	if part.names && column < part.main() {
		x, is = d.locate(&part.xAxis, row, part.ys[column])
		return plotter.XY{X: x, Y: part.yAxis.place(d.table.Rows[row][part.ys[part.main()]])}, is
	}
	y, is := d.locate(&part.yAxis, row, part.ys[column])
	return plotter.XY{X: x, Y: y}, is
}

// logged returns what the plot says of an axis of a part: "log", "linear", or nothing.
func (d *Drawing) logged(axis rune, part int) string {
	switch log := partOf(d.plot.Log, part); {
	case log == "":
		return ""
	case strings.ContainsRune(strings.ReplaceAll(log, "none", ""), axis):
		return "log"
	}
	return "linear"
}

// locate returns where a cell stands on an axis, and remembers why where it has no place.
func (d *Drawing) locate(a *Axis, row, column int) (place float64, shown bool) {
	cell := d.table.Rows[row][column]
	place = a.place(cell)
	if shown = Finite(place); shown {
		return place, true
	}
	why := "not above zero, which a logarithmic axis does not have"
	if v := number64(cell); math.IsNaN(v) {
		why = "empty or no number"
	} else if math.IsInf(v, 0) {
		why = "infinite"
	}
	d.lost[[2]int{row, column}] = why
	return 0, false
}

// tell notes how many cells have no place and why, a line for each column.
func (d *Drawing) tell() {
	for i, c := range d.table.Columns {
		counts := map[string]int{}
		for cell, why := range d.lost {
			if cell[1] == i {
				counts[why]++
			}
		}
		var parts []string
		for _, why := range slices.Sorted(maps.Keys(counts)) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[why], why))
		}
		if parts != nil {
			d.Notes = append(d.Notes, fmt.Sprintf("the figure leaves out cells of %s: %s", cmp.Or(c.Name, c.Title), strings.Join(parts, ", ")))
		}
	}
}

// label returns the label of an axis: that of the plot, or the headings of the columns, which share a unit.
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
	text := strings.Join(titles, ", ")
	if unit != "" {
		text += " (" + unit + ")"
	}
	return text
}

// title returns what a column is called in the figure.
func (d *Drawing) title(column int) string {
	c := d.table.Columns[column]
	return cmp.Or(c.Label, c.Title, c.Name)
}

// valueOf names the values of a row in some columns: texts as they are, and numbers with the name of their column.
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

// lay makes the panels: a row for each part and a column for each facet, or where there is one of either all beside each other. What has no point has
// no panel.
func (d *Drawing) lay() error {
	has := func(part, facet int) bool {
		for to := range d.points {
			if !d.parts[to.part].isLevel(to.column) && (part < 0 || to.part == part) && (facet < 0 || to.facet == facet) {
				return true
			}
		}
		return false
	}
	panels := 0
	for k := range d.parts {
		if !has(k, -1) {
			continue
		}
		var row []*Panel
		for i := range d.facets {
			if has(k, i) {
				row = append(row, d.panel(k, i))
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
	}
	if q := &d.parts[0]; q.names {
		d.Sheet.Width, d.Sheet.Height = 9*vg.Centimeter, vg.Length(2.5+0.55*float64(len(q.yAxis.names)))*vg.Centimeter
		d.Sheet.Least, d.Sheet.Lines = 24, true
	}
	d.legend()
	return nil
}

// legend names the series, and the columns of the vertical axis where there are several.
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
			d.Notes = append(d.Notes, fmt.Sprintf("the legend names %d of %d lines, as no more can be told apart; the points in the CSV of the figure have all names", MaxSeries, len(d.called)))
		}
		for i, name := range d.called[:min(len(d.called), MaxSeries)] {
			short := shorten(name, longestName)
			alike := func(other string) bool { return shorten(other, longestName) == short && other != name }
			if !slices.ContainsFunc(d.called, alike) {
				name = short
			}
			if k := d.first(i); len(main) == 0 {
				l.Add(name, Swatch{pale(i)})
			} else if k >= 0 {
				l.Add(name, d.key(d.drawn(most, i, part.main()+min(k, len(main)-1)), main[min(k, len(main)-1)]))
			}
		}
		if len(l.entries) > 0 {
			l.Title = shorten(strings.Join(titles, ", "), longestName)
		}
	}
	if len(main) > 1 || len(d.by) == 0 && d.plot.Kinds != "" {
		for k, name := range names[:min(len(names), len(main))] {
			if !d.marked(k) {
				continue
			}
			m := d.drawn(most, 0, part.main()+k)
			if len(d.by) > 0 {
				m.Line.Color, m.Glyph.Color = KindGrey(), KindGrey()
			}
			l.Add(name, d.key(m, main[k]))
		}
	}
	if d.plot.Spread != "" {
		l.Add(d.title(part.sides[0]), Swatch{pale(0)})
	}
	for i, title := range d.levels {
		if d.shown(title) {
			l.Add(title, &plotter.Line{LineStyle: levelStyle(i)})
		}
	}
	if d.plot.BandIs != "" {
		for k, is := range strings.Split(d.plot.BandIs, "|") {
			if series := d.shaded(k); series >= 0 {
				l.Add(is, Swatch{shade(Color(series), k)})
			}
		}
	}
	if len(d.member) > 1 {
		l.Add(d.title(d.members[0]), &plotter.Line{LineStyle: draw.LineStyle{Color: KindGrey(), Width: vg.Points(0.6)}})
	}
	if d.plot.AcrossIs != "" {
		l.Add(d.plot.AcrossIs, &plotter.Line{LineStyle: GreyLine()})
	}
}

// shown reports whether a level of a title is drawn.
func (d *Drawing) shown(title string) bool {
	for to := range d.points {
		if q := &d.parts[to.part]; q.isLevel(to.column) && d.title(q.ys[to.column]) == title {
			return true
		}
	}
	return slices.ContainsFunc(d.uprights(&d.parts[0], -1), func(at uprightAt) bool { return d.title(d.upright[at.column]) == title })
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

// shaded returns the first series of which there is a band between the columns of the k-th pair, and -1 if there is none.
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

// first returns the place among the columns with marks of the first of which anything is drawn of a series, in whatever part; -1 if nothing is.
func (d *Drawing) first(series int) int {
	first := -1
	for to := range d.points {
		if k := to.column - d.parts[to.part].main(); to.series == series && to.member == 0 && k >= 0 && (first < 0 || k < first) {
			first = k
		}
	}
	return first
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

// drawn returns how a column of a series is drawn: without a line where names stand along the axis, between which nothing lies, and where its points
// are told to stand alone.
func (d *Drawing) drawn(part, series, column int) Mark {
	q := &d.parts[part]
	m := d.mark(series, column-q.main())
	if slices.Contains(d.barred, q.ys[column]) {
		m.Line.Width = vg.Points(0.8)
	} else if slices.Contains(d.dots, q.ys[column]) {
		m.Line.Width, m.Glyph.Radius, m.Glyph.Shape = 0, vg.Points(2.6), FullIn(m.Line.Color, column-q.main()).Glyph.Shape
	} else if q.xAxis.names != nil || q.names {
		m.Line.Width = 0
	} else if d.plot.Lines {
		m.Glyph.Radius = 0
	}
	if d.plot.Bold != "" && series < len(d.called) && strings.HasPrefix(d.called[series], d.plot.Bold) {
		m.Line.Width *= 1.7
	}
	return m
}

// levelStyle is that of the lines across a panel, by which others are read: the first is dashed.
func levelStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: [][]vg.Length{Dashes(), nil, {vg.Points(1.5), vg.Points(2)}}[i%3]}
}

// mark returns the mark of a column of a series: a colour for each series, and where there is one series for each column.
func (d *Drawing) mark(series, column int) Mark {
	if len(d.by) == 0 {
		series, column = series+column, max(0, column-1) // so that the third line does not hide the second
	}
	patterns := [][]vg.Length{nil, Dashes(), {vg.Points(1.5), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}
	m := Full(series)
	m.Line.Dashes = patterns[series/Colors%len(patterns)]
	return kindMark(m, column)
}

// kindMark tells the columns of a series apart: the first is full, the second open with dashes, and so on with other dashes.
func kindMark(m Mark, column int) Mark {
	if column == 0 {
		return m
	}
	m = m.Open()
	m.Line.Dashes = [][]vg.Length{Dashes(), {vg.Points(1.5), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}[(column-1)%3]
	return m
}

// titleOf returns what stands above the panels of a facet: nothing if it is the only one.
func (d *Drawing) titleOf(facet int) string {
	if d.plot.Of != "" && d.facets[facet] != "" {
		return d.plot.Of + ", " + d.facets[facet]
	}
	return d.facets[facet]
}

// panel draws one panel.
func (d *Drawing) panel(part, facet int) *Panel {
	q := &d.parts[part]
	if d.plot.Free {
		own := *q
		if q = &own; q.xAxis.names == nil {
			q.xAxis.low, q.xAxis.high = math.Inf(1), math.Inf(-1)
		}
		q.yAxis.low, q.yAxis.high = math.Inf(1), math.Inf(-1)
		d.reach(q, part, facet)
	}
	p := NewPanel(shorten(d.titleOf(facet), longestTitle), "", "")
	d.guides(p, q, part, facet)
	for s := range d.Series {
		d.background(p, q, at{part, facet, s, 0, 0})
		for c := q.main(); c < len(q.ys); c++ {
			d.lines(p, q, at{part, facet, s, c, 0})
		}
	}
	q.xAxis.style(&p.X, roomX)
	q.yAxis.style(&p.Y, roomY)
	if d.barred != nil && !q.yAxis.log && slices.ContainsFunc(q.ys, func(y int) bool { return slices.Contains(d.barred, y) }) {
		p.Y.Min = 0 // on which bars stand
	}
	for _, at := range d.uprights(q, facet) {
		title := d.title(d.upright[at.column])
		p.Record(title, plotter.XYs{{X: at.X, Y: math.NaN()}})
		Guide(p, plotter.XY{X: at.X, Y: p.Y.Min}, plotter.XY{X: at.X, Y: p.Y.Max}, levelStyle(slices.Index(d.levels, title)))
	}
	for _, v := range d.plot.Across {
		if at := q.numbers().place(v); q.names {
			Guide(p, plotter.XY{X: at, Y: p.Y.Min}, plotter.XY{X: at, Y: p.Y.Max}, GreyLine())
		} else if Finite(at) {
			Across(p, at)
		}
	}
	if q.xAxis.names != nil && len(strings.Join(q.xAxis.names, "")) > 36 {
		p.slanted()
	}
	return p
}

// lines draws a column of a series, behind it its members and what lies on either side.
func (d *Drawing) lines(p *Panel, q *plotPart, to at) {
	m, name := d.drawn(to.part, to.series, to.column), d.nameOf(q, to.series, to.column)
	if bars := d.bars[to]; len(bars) > 0 {
		d.barsOf(p, name, bars, m)
		return
	}
	for to.member = len(d.member) - 1; to.member > 0; to.member-- {
		if points := d.points[to]; len(points) > 0 {
			p.Record(name+", "+d.member[to.member], points)
			p.Add(&plotter.Line{XYs: points, LineStyle: draw.LineStyle{Color: Translucent(m.Line.Color), Width: vg.Points(0.6)}})
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

// barsOf draws the bars of a series, or stems if they have no width.
func (d *Drawing) barsOf(p *Panel, name string, bars []Bar, m Mark) {
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
		low, high = append(low, from), append(high, until)
		if d.plot.Errors != "" {
			Guide(p, from, until, draw.LineStyle{Color: c, Width: vg.Points(0.8)})
		}
	}
	if d.plot.Errors == "" && len(low) > 1 {
		slices.SortStableFunc(low, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		slices.SortStableFunc(high, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		band := Band(high, low)
		band.Color = pale(to.series)
		p.Add(band)
		p.Record(name+" - "+d.title(d.parts[to.part].sides[0]), low)
		p.Record(name+" + "+d.title(d.parts[to.part].sides[0]), high)
	}
}

// guides draws the lines across a panel: one where all series have the same number at each place, and else one for each. Of one that is the same
// everywhere the data have the two ends, and one that is known at one place alone is drawn around it.
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

// isFunction reports whether no two points stand above one another. A line through points that do would show what is not there.
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

// background draws what stands behind the lines of a series: a band, or bars where nothing lies between the places, and thin lines. Each end of a
// band is recorded for itself.
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
		if q.xAxis.names == nil && len(low) > 1 {
			band := Band(high, low)
			band.Color = shade(Color(to.series), k/2)
			p.Add(band)
			continue
		}
		for i := range low {
			Guide(p, low[i], high[i], draw.LineStyle{Color: shade(Color(to.series), k/2), Width: vg.Points(5)})
		}
	}
	for k := range q.thin {
		to.column = q.band + k
		points := d.points[to]
		p.Record(d.nameOf(q, to.series, to.column), points)
		style := draw.LineStyle{Color: Color(to.series), Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(float64(1 + k%4)), vg.Points(2)}}
		if q.xAxis.names == nil && len(points) > 1 {
			p.Add(&plotter.Line{XYs: points, LineStyle: style})
		} else if len(points) > 0 {
			p.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: style.Color, Radius: vg.Points(1.5), Shape: draw.RingGlyph{}}})
		}
	}
}

// paired returns those of two lists of points, which ascend along the horizontal axis, that stand above one another.
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

// shade returns a colour for the bands of the k-th pair of columns: those of the second are darker than those of the first.
func shade(of color.Color, k int) color.Color {
	c := color.NRGBAModel.Convert(of).(color.NRGBA)
	c.A = []uint8{0x38, 0x70}[k%2]
	return c
}

// Figure returns the figure. Where there are more panels than anybody can tell apart it has the first of them.
func (d *Drawing) Figure() *Figure {
	s := d.Sheet
	s.Rows = slices.Clone(s.Rows)
	for i, row := range s.Rows {
		s.Rows[i] = row[:min(len(row), max(1, MaxPanels/len(s.Rows)))]
	}
	f := s.Figure()
	f.Data = dataOf(slices.DeleteFunc(slices.Concat(d.Sheet.Rows...), func(p *Panel) bool { return p == nil }))
	return f
}

// The lengths of the longest names along an axis, in legends, and above panels.
const (
	longestTick  = 32
	longestName  = 48
	longestTitle = 72
)

// shorten cuts a name that is longer than most.
func shorten(name string, most int) string {
	if r := []rune(name); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return name
}

// indexOf returns the place of a value in a list, and adds it where it is not there.
func indexOf[V comparable](list *[]V, name V) int {
	if i := slices.Index(*list, name); i >= 0 {
		return i
	}
	*list = append(*list, name)
	return len(*list) - 1
}
