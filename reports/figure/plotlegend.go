package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend names the series, the columns of the vertical axis if there are several, and what stands
// beside them for comparison.
func (d *drawing) legend() (l legend) {
	most := slices.MaxFunc(d.parts, func(a, b *part) int { return len(a.ys[main]) - len(b.ys[main]) })
	quantity := ""
	if len(d.by) > 0 {
		quantity = "quantity"
		var titles []string
		for _, i := range d.by {
			titles = append(titles, d.title(i))
		}
		heading := Shorten(strings.Join(titles, ", "), longestName)
		for i, name := range d.legendNames() {
			first := slices.IndexFunc(d.order, func(c *curve) bool { return c.series == i && c.kind == main && c.member == 0 })
			if d.alike[i] != i {
				continue
			} else if len(most.ys[main]) == 0 {
				l.add(heading, name, area(shade(Color(i), 0), nil))
			} else if first >= 0 {
				l.add(heading, name, d.key(d.order[first], i))
			}
		}
	}
	names := d.plot.Kinds
	if names == nil {
		for _, y := range most.ys[main] {
			names = append(names, d.title(y))
		}
	}
	if len(most.ys[main]) > 1 || len(d.by) == 0 && d.plot.Kinds != nil || len(d.by) == 0 && d.plot.BandIs != nil {
		for k, name := range names[:min(len(names), len(most.ys[main]))] {
			shown := slices.IndexFunc(d.order, func(c *curve) bool { return c.kind == main && c.column == k && d.parts[c.part] == most })
			if name != "" && name != most.YLabel && shown >= 0 {
				l.add(quantity, name, d.key(d.order[shown], -1))
			}
		}
	}
	if len(d.member) > 1 {
		l.add(quantity, d.title(d.members[0]),
			&plotter.Line{LineStyle: draw.LineStyle{Color: KindGrey(), Width: vg.Points(0.6)}})
	}
	d.compare(&l)
	return l
}

// compare adds what stands beside the series for comparison.
func (d *drawing) compare(l *legend) {
	other := ""
	if len(*l) > 0 && (*l)[0].key == nil {
		other = "for comparison"
	}
	for _, title := range d.thinTitles() {
		l.add(other, title, &plotter.Line{LineStyle: thinStyle(KindGrey())})
	}
	for i, title := range d.levels {
		if style, is := d.levelKey(i, title); is {
			l.add(other, title, &plotter.Line{LineStyle: style})
		}
	}
	for k, is := range d.plot.BandIs {
		for _, c := range d.order {
			if c.column/2 == k && visible(d.ends(c)) {
				l.add(other, is, area(d.bandColor(c), nil))
			}
		}
	}
	if d.plot.AcrossIs != "" {
		l.add(other, d.plot.AcrossIs, &plotter.Line{LineStyle: greyLine()})
	}
}

// thinTitles returns the titles of the thin lines that are drawn.
func (d *drawing) thinTitles() (titles []string) {
	for _, c := range d.order {
		if title := d.title(d.column(c)); c.kind == thin && !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return titles
}

// visible reports whether the ends of a band are so far apart that it has an area to the eye.
func visible(low, high plotter.XYs) bool {
	return slices.ContainsFunc(low, func(at plotter.XY) bool {
		i := slices.IndexFunc(high, func(end plotter.XY) bool { return end.X == at.X })
		return !(high[i].Y <= at.Y*1.03) || at.Y <= 0 && high[i].Y > at.Y
	})
}

// levelKey returns how a level of a title is drawn, and whether it is. It has the colour of a kind
// if it is drawn in the colours of the series.
func (d *drawing) levelKey(i int, title string) (style draw.LineStyle, is bool) {
	style = levelStyle(i)
	is = slices.ContainsFunc(d.order, func(c *curve) bool { return c.kind == level && d.title(d.column(c)) == title })
	for _, at := range d.uprights(d.parts[0], -1) {
		if d.title(d.upright[at.column]) != title {
			continue
		}
		is = true
		if at.series >= 0 {
			style.Color, style.Width = KindGrey(), vg.Points(1.5)
		}
	}
	return style, is
}

// legendNames returns the names of as many series as the legend can tell apart. Their numbers have
// few digits, and all if two names are alike without them.
func (d *drawing) legendNames() []string {
	if more := len(d.called) - MaxSeries; more > 0 {
		d.notes = append(d.notes, fmt.Sprintf("the legend names %d of %d lines, as no more can be told apart; the "+
			"points in the CSV of the figure have all names", MaxSeries, len(d.called)))
	}
	names := slices.Clone(d.called)
	for i, name := range d.called {
		if slices.Index(d.called, name) != i || slices.Contains(d.called[i+1:], name) {
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

// key returns the picture of a curve in the legend: an area if it has bars. Without a series it is
// that of the column in any colour.
func (d *drawing) key(c *curve, series int) plot.Thumbnailer {
	m := d.mark(c.part, max(series, 0), c.column)
	if series < 0 && len(d.by) > 0 {
		m.Line.Color, m.Glyph.Color = KindGrey(), KindGrey()
	}
	if slices.Contains(d.barred, d.column(c)) && c.points[0].from < c.points[0].until {
		return area(translucent(m.Line.Color), nil)
	}
	return m
}
