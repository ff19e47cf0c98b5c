package sweeps

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/figure"
)

// SweepPlot says what to draw of a sweep: a measure against a parameter, a line for each combination of the series
// and a panel for each value of the facet.
type SweepPlot struct {
	X      string   // a parameter; "" is T where it varies, and else the last that does
	Y      string   // a value of the study; "" is its MainValue
	Series []string // parameters; nil is every other that varies
	Facet  string   // a parameter; "" is one panel
	Over   string   // a parameter whose values are summed up at every point; "" is none
	// Statistics are what a plot over a parameter draws, in the words of StatisticForms; nil is DefaultStatistics.
	Statistics []string
	Where      map[string][]string // rows to draw: the values that a parameter may have
}

// Most of what can be told apart in one figure.
const (
	maxSeries = 28
	maxPanels = 36
)

// Report returns the report of the plot: its figure, and notes about what could not be drawn. It fails as Figure does.
func (o SweepPlot) Report(m *sweep.Merged) (*reports.Report, error) {
	d, err := o.drawing(m)
	if err != nil {
		return nil, err
	}
	r := &reports.Report{}
	for _, n := range d.notes {
		r.Note("%s", n)
	}
	if d.over != nil {
		r.Add(reports.Table{Name: "sweep_plot", Table: d.overTable()})
	}
	r.Add(reports.Figure{Title: d.Y + " against " + d.X, Draw: func() (*figure.Figure, error) { return d.figure(), nil }})
	return r, nil
}

// Figure draws the plot. An axis is logarithmic where its numbers are positive and span a factor of ten or more. It
// also returns notes about what could not be drawn: cells that failed, numbers that are not finite. It fails on
// unknown names, where a parameter varies along a line, and where nothing is left.
func (o SweepPlot) Figure(m *sweep.Merged) (*figure.Figure, []string, error) {
	d, err := o.drawing(m)
	if err != nil {
		return nil, nil, err
	}
	return d.figure(), d.notes, nil
}

// drawing places what the figure draws.
func (o SweepPlot) drawing(m *sweep.Merged) (*sweepDrawing, error) {
	d := &sweepDrawing{SweepPlot: o}
	if err := d.choose(m); err != nil {
		return nil, err
	}
	return d, d.collect()
}

// sweepDrawing is a SweepPlot at work.
type sweepDrawing struct {
	SweepPlot
	study   *experiments.Study
	measure experiments.Value
	rows    []sweep.Row
	notes   []string
	x, y    sweepAxis
	series  []string // labels
	facets  []string
	points  map[[2]int]plotter.XYs // by panel and series
	over    *over                  // nil where no parameter is summed up
}

// choose checks the names, and takes the rows to draw.
func (d *sweepDrawing) choose(m *sweep.Merged) error {
	d.study = m.Sweep.Study()
	names, measured := experiments.Names(d.study.Parameters), d.study.ValueNames()
	d.X = cmp.Or(d.X, d.usualX(m.Sweep))
	d.Y = cmp.Or(d.Y, d.study.MainValue())
	i := slices.Index(measured, d.Y)
	if i < 0 {
		return chains.NewAdvice("{y} %s: %v", d.Y, selector.UnknownError("measure", d.Y, measured))
	}
	d.measure = d.study.Values[i]
	for _, asked := range []struct {
		option string
		names  []string
	}{{"x", []string{d.X}}, {"series", d.Series}, {"facet", []string{d.Facet}}, {"over", []string{d.Over}}} {
		for _, name := range asked.names {
			if name != "" && !slices.Contains(names, name) {
				return chains.NewAdvice("{"+asked.option+"} %s: %v", name, selector.UnknownError("parameter", name, names))
			}
		}
	}
	if d.Over == "" && d.Statistics != nil {
		return chains.NewAdvice("statistics are of the values of a parameter; say over which, as in {over} toy")
	}
	if d.Over != "" && (d.Over == d.X || d.Over == d.Facet || slices.Contains(d.Series, d.Over)) {
		return chains.NewAdvice("{over} %s: %s is drawn already, and cannot be summed up; give another parameter", d.Over, d.Over)
	}
	if err := d.chooseWhere(m.Sweep); err != nil {
		return err
	}
	failed := 0
	for _, r := range m.Rows {
		switch {
		case !d.wanted(r):
		case r.Error != "":
			failed++
		default:
			d.rows = append(d.rows, r)
		}
	}
	if failed > 0 {
		d.notes = append(d.notes, fmt.Sprintf("left out %d cells that failed", failed))
	}
	return d.chooseSeries()
}

// chooseWhere refuses what no cell has, and writes numbers as the sweep does.
func (d *sweepDrawing) chooseWhere(s *sweep.Sweep) error {
	names, chosen := experiments.Names(d.study.Parameters), map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(d.Where)) {
		for _, v := range d.Where[name] {
			known := s.Values(name)
			among := func(v string) int {
				return slices.IndexFunc(known, func(k string) bool { return k == v || shownValue(d.parameter(name), k) == v || sameNumber(k, v) })
			}
			at, parts := among(v), strings.Split(v, ",")
			measure := func(m experiments.Value) bool { return m.Name == name }
			switch {
			case !slices.Contains(names, name) && slices.ContainsFunc(d.study.Values, measure):
				return chains.NewAdvice("{where} %s=%s: %s is a measure, and cells are chosen by their parameters: %s", name, v, name, strings.Join(names, ", "))
			case !slices.Contains(names, name):
				return chains.NewAdvice("{where} %s=%s: %v", name, v, selector.UnknownError("parameter", name, names))
			case at < 0 && len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return among(part) < 0 }):
				return chains.NewAdvice("{where} %s=%s: it takes one value; repeat it for several, as in {where} %s=%s {where} %s=%s", name, v, name, parts[0], name, parts[1])
			case at < 0:
				return chains.NewAdvice("{where} %s=%s: %v", name, v, selector.UnknownError(name, v, known))
			}
			chosen[name] = append(chosen[name], known[at])
		}
	}
	d.Where = chosen
	return nil
}

// sameNumber reports whether two texts are one number, as 100 and 1e2 are.
func sameNumber(a, b string) bool {
	x, errX := selector.ParseNumber(a)
	y, errY := selector.ParseNumber(b)
	return errX == nil && errY == nil && x == y
}

// usualX returns the parameter that is drawn along the horizontal axis where none is named: T where it varies over the rows to draw, and else
// the last parameter that does and is not drawn otherwise. Where none varies it is T, or the last of a study without T.
func (d *sweepDrawing) usualX(s *sweep.Sweep) string {
	names := experiments.Names(d.study.Parameters)
	usual := names[len(names)-1]
	if slices.Contains(names, "T") {
		usual = "T"
		names = append(names, "T") // the last one has the first say
	}
	for _, name := range slices.Backward(names) {
		drawn := name == d.Facet || name == d.Over || slices.Contains(d.Series, name)
		varies := len(s.Values(name)) > 1 && len(d.Where[name]) != 1
		if varies && !drawn {
			return name
		}
	}
	return usual
}

func (d *sweepDrawing) parameter(name string) experiments.Parameter {
	p, _ := experiments.Find(d.study.Parameters, name)
	return p
}

func (d *sweepDrawing) wanted(r sweep.Row) bool {
	for name, values := range d.Where {
		value := r.Cell.Get(name)
		if !slices.Contains(values, value) {
			return false
		}
	}
	return true
}

// chooseSeries takes every parameter that varies, or finds that those asked for are not enough.
func (d *sweepDrawing) chooseSeries() error {
	asked := d.Series != nil
	for _, name := range experiments.ColumnOrder(experiments.Names(d.study.Parameters)) {
		if name == d.X || name == d.Facet || name == d.Over || slices.Contains(d.Series, name) || len(d.values(name)) < 2 {
			continue
		}
		if asked {
			return chains.NewAdvice("%s takes %d values along a line; add it to {series} or {facet}, sum it up with {over}, or fix it, as in {where} %s=%s", name, len(d.values(name)), name, d.values(name)[0])
		}
		d.Series = append(d.Series, name)
	}
	return nil
}

func (d *sweepDrawing) values(name string) (values []string) {
	seen := map[string]bool{}
	for _, r := range d.rows {
		if v := r.Cell.Get(name); !seen[v] {
			seen[v] = true
			values = append(values, v)
		}
	}
	return values
}

// collect places every point.
func (d *sweepDrawing) collect() error {
	d.x = parameterAxis(d.parameter(d.X), d.values(d.X))
	place := d.collectEach
	if d.Over != "" {
		place = d.collectOver
	}
	if err := place(); err != nil {
		return err
	}
	if len(d.series) > maxSeries {
		return chains.NewAdvice("%d lines cannot be told apart; choose some with {where}, make panels with {facet}, or sum a parameter up with {over}", len(d.series))
	}
	if len(d.facets) > maxPanels {
		return chains.NewAdvice("%d panels are too many; choose some with {where}", len(d.facets))
	}
	for at := range d.points {
		slices.SortStableFunc(d.points[at], func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	}
	return nil
}

// collectEach places a point for each cell.
func (d *sweepDrawing) collectEach() error {
	var finite []sweep.Row
	var values []float64
	for _, r := range d.rows {
		if v := r.Get(d.measure.Name); figure.Finite(v) {
			finite, values = append(finite, r), append(values, v)
		}
	}
	if lost := len(d.rows) - len(finite); lost > 0 {
		d.notes = append(d.notes, fmt.Sprintf("left out %d cells whose %s is not finite", lost, d.Y))
	}
	if d.rows = finite; len(finite) == 0 {
		return fmt.Errorf("nothing to draw: no cell has a finite %s", d.Y)
	}
	d.y = numberAxis(measureLabel(valueColumn(d.measure)), values)
	d.points = map[[2]int]plotter.XYs{}
	for i, r := range finite {
		at := [2]int{indexOf(&d.facets, r.Cell.Get(d.Facet)), indexOf(&d.series, d.seriesName(r.Cell))}
		d.points[at] = append(d.points[at], plotter.XY{X: d.x.places[r.Cell.Get(d.X)], Y: d.y.place(values[i])})
	}
	return nil
}

func (d *sweepDrawing) seriesName(c sweep.Cell) string {
	var parts []string
	for _, name := range d.Series {
		v := shownValue(d.parameter(name), c.Get(name))
		if d.parameter(name).Number != nil {
			v = name + " = " + v
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, ", ")
}

// indexOf returns the place of a name in a list, and adds it where it is not there.
func indexOf(list *[]string, name string) int {
	if i := slices.Index(*list, name); i >= 0 {
		return i
	}
	*list = append(*list, name)
	return len(*list) - 1
}
