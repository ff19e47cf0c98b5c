package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legend names the series, and the columns of the vertical axis if there are several.
func (d *Drawing) legend() {
	most := d.nameLines()
	l := &d.Sheet.Legend
	if len(d.member) > 1 {
		l.Add(d.title(d.members[0]),
			&plotter.Line{LineStyle: draw.LineStyle{Color: KindGrey(), Width: vg.Points(0.6)}})
	}
	l.Head("")
	if len(l.entries) > 0 && l.entries[0].heading {
		l.Head("for comparison")
	}
	if d.plot.Spread != "" {
		l.Add("± "+d.title(d.parts[most].sides[0]), Swatch{pale(0)})
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

// nameLines names the lines of series and of columns in the legend, and returns the part with the
// most columns.
func (d *Drawing) nameLines() int {
	most := 0
	for k := range d.parts {
		if len(d.parts[k].ys) > len(d.parts[most].ys) {
			most = k
		}
	}
	l := &d.Sheet.Legend
	part := &d.parts[most]
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
				fmt.Sprintf("the legend names %d of %d lines, as no more can be told apart; the points in the CSV "+
					"of the figure have all names",
					MaxSeries, len(d.called)))
		}
		l.Head(Shorten(strings.Join(titles, ", "), longestName))
		for i, name := range d.legendNames() {
			if to, is := d.firstDrawn(i); d.alike[i] != i {
				continue
			} else if len(main) == 0 {
				l.Add(name, Swatch{pale(i)})
			} else if is {
				l.Add(name, d.key(d.drawn(to.part, i, to.column), d.parts[to.part].ys[to.column]))
			}
		}
		l.Head("quantity")
	}
	if len(main) > 1 || len(d.by) == 0 && d.plot.Kinds+d.plot.BandIs != "" {
		for k, name := range names[:min(len(names), len(main))] {
			if name == "" || name == d.plot.YLabel || !d.marked(k) {
				continue
			}
			m := d.drawn(most, 0, part.main()+k)
			if len(d.by) > 0 {
				m.Line.Color, m.Glyph.Color = KindGrey(), KindGrey()
			}
			l.Add(name, d.key(m, main[k]))
		}
	}
	return most
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

// same returns for each series the first whose lines coincide with its own in all panels. All of
// these look alike, and share a key.
func (d *Drawing) same() (first []int) {
	axes := map[[2]int]*Axis{} // of the panels
	for to, points := range d.points {
		panel := [2]int{to.part, to.facet}
		if axes[panel] == nil {
			axes[panel] = &Axis{low: math.Inf(1), high: math.Inf(-1)}
			for _, v := range d.plot.Across {
				axes[panel].extendTo(d.parts[to.part].yAxis.position(v))
			}
		}
		for _, point := range points {
			axes[panel].extendTo(point.Y)
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

// coincide reports whether the lines of two series are less than the width of a line apart.
func (d *Drawing) coincide(r, s int, axes map[[2]int]*Axis) (do bool) {
	const unseen = 0.01 // of the height of a panel
	for to, points := range d.points {
		if to.series != r && to.series != s || to.column < d.parts[to.part].main() {
			continue
		}
		axis := axes[[2]int{to.part, to.facet}]
		other := to
		other.series = r + s - to.series
		do = len(points) > 1 && len(d.bars[to])+len(d.around[to]) == 0
		if !do || !slices.EqualFunc(points, d.points[other], func(a, b plotter.XY) bool {
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
	at := slices.DeleteFunc(d.uprights(&d.parts[0], -1),
		func(at uprightAt) bool { return d.title(d.upright[at.column]) != title })
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

// firstDrawn returns where the first column with marks is of which anything is drawn of a series.
func (d *Drawing) firstDrawn(series int) (first at, is bool) {
	place := func(to at) int { return to.column - d.parts[to.part].main() }
	for to := range d.points {
		if to.series == series && to.member == 0 && place(to) >= 0 &&
			(!is || cmp.Or(place(to)-place(first), to.part-first.part) < 0) {
			first = to
			is = true
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
