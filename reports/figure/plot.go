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
	"breadboard/reports/columns"
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
			d.plot.X,
			len(xs),
			d.plot.Y,
			len(ys),
		)
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
					cmp.Or(c.Name, c.Title),
				)
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
			d.lack = append(d.lack, fmt.Sprintf("the figure leaves out cells of %s: %s",
				cmp.Or(c.Name, c.Title), strings.Join(parts, ", ")))
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
