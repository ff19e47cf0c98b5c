package sweeps

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SweepPlot says what to draw of a sweep: a measure against a parameter, a line for each
// combination of the series and a panel for each value of the facet.
type SweepPlot struct {
	X      string   // a parameter; "" is T where it varies, and else the last that does
	Y      string   // a value of the study; "" is its MainValue
	Series []string // parameters; nil is every other that varies
	Facet  string   // a parameter; "" is one panel
	Over   string   // a parameter whose values are summed up at every point; "" is none
	// Statistics are what a plot over a parameter draws, in the words of StatisticForms; nil is
	// DefaultStatistics.
	Statistics []string
	Where      map[string][]string // rows to draw: the values that a parameter may have
}

// Report returns the report of the plot: its figure, with a table if a parameter is summed up, and
// notes about what could not be drawn: cells that failed, numbers that are not finite. It fails for
// unknown names, if a parameter varies along a line, and if nothing is left.
func (o SweepPlot) Report(m *sweep.Merged) (*reports.Report, error) {
	d := &sweepDrawing{SweepPlot: o}
	if err := d.choose(m); err != nil {
		return nil, err
	}
	place := d.each
	if d.Over != "" {
		place = d.summedUp
	}
	t, p, err := place(m)
	if err != nil {
		return nil, err
	}
	p.Name = reports.FileName("sweep_plot_" + d.Y + "_against_" + d.X)
	p.X, p.By, p.Panels, p.XLabel = d.X, strings.Join(d.Series, "+"), d.Facet, d.X
	if d.X == "T" {
		p.XLabel = "number of distributions T"
	}
	drawn, err := figure.Draw(t, p)
	switch {
	case err != nil:
		return nil, err
	case len(drawn.Series) > figure.MaxSeries:
		return nil, chains.NewAdvice("%d lines cannot be told apart; choose some with {where}, make panels with {facet}, or sum a parameter up with {over}",
			len(drawn.Series))
	case len(drawn.Sheet.Rows[0]) > figure.MaxPanels:
		return nil, chains.NewAdvice("%d panels are too many; choose some with {where}", len(drawn.Sheet.Rows[0]))
	}
	r := &reports.Report{}
	for _, n := range d.notes {
		r.Note("%s", n)
	}
	if d.over != nil {
		r.Add(reports.Table{Name: "sweep_plot", Table: d.overTable(drawn.Order())})
	}
	r.Add(reports.Figure{Title: d.Y + " against " + d.X, Draw: func() (*figure.Figure, error) { return drawn.Figure(), nil }})
	return r, nil
}

// sweepDrawing is a SweepPlot at work.
type sweepDrawing struct {
	SweepPlot
	study   *subject.Question
	measure subject.Value
	rows    []sweep.Row
	notes   []string
	over    *over // nil if no parameter is summed up
}

// choose checks the names, and takes the rows to draw.
func (d *sweepDrawing) choose(m *sweep.Merged) error {
	d.study = m.Sweep.Study()
	names, measured := subject.Names(d.study.Parameters), d.study.ValueNames()
	d.X = cmp.Or(d.X, d.usualX(m.Sweep))
	d.Y = cmp.Or(d.Y, d.study.MainValue())
	i := slices.Index(measured, d.Y)
	if i < 0 {
		return chains.NewAdvice("{y} %s: %v", d.Y, columns.Unknown("measure", d.Y, measured))
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
		d.notes = append(d.notes, fmt.Sprintf("left out %s that failed", selector.Count(failed, "cell")))
	}
	return d.chooseSeries()
}

// chooseWhere refuses what no cell has, and writes numbers as the sweep does.
func (d *sweepDrawing) chooseWhere(s *sweep.Sweep) error {
	names, chosen := subject.Names(d.study.Parameters), map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(d.Where)) {
		for _, v := range d.Where[name] {
			known := s.Values(name)
			among := func(v string) int {
				return slices.IndexFunc(known, func(k string) bool { return k == v || shownValue(d.parameter(name), k) == v || sameNumber(k, v) })
			}
			at, parts := among(v), strings.Split(v, ",")
			measure := func(m subject.Value) bool { return m.Name == name }
			switch {
			case !slices.Contains(names, name) && slices.ContainsFunc(d.study.Values, measure):
				return chains.NewAdvice("{where} %s=%s: %s is a measure, and cells are chosen by their parameters: %s", name, v, name, strings.Join(names, ", "))
			case !slices.Contains(names, name):
				return chains.NewAdvice("{where} %s=%s: %v", name, v, selector.UnknownError("parameter", name, names))
			case at < 0 && len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return among(part) < 0 }):
				return chains.NewAdvice("{where} %s=%s: it takes one value; repeat it for several, as in {where} %s=%s {where} %s=%s", name, v, name, parts[0],
					name, parts[1])
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

// usualX returns the parameter that is drawn along the horizontal axis if none is named: T where it
// varies over the rows to draw, and else the last parameter that does and is not drawn otherwise.
// If none varies it is T, or the last of a study without T.
func (d *sweepDrawing) usualX(s *sweep.Sweep) string {
	names := subject.Names(d.study.Parameters)
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

func (d *sweepDrawing) parameter(name string) subject.Parameter {
	p, _ := subject.Find(d.study.Parameters, name)
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
	for _, name := range subject.ColumnOrder(subject.Names(d.study.Parameters)) {
		if name == d.X || name == d.Facet || name == d.Over || slices.Contains(d.Series, name) || len(d.values(name)) < 2 {
			continue
		}
		if asked {
			return chains.NewAdvice("%s takes %d values along a line; add it to {series} or {facet}, sum it up with {over}, or fix it, as in {where} %s=%s",
				name, len(d.values(name)), name, d.values(name)[0])
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

// each returns the table of the cells that are drawn, a point each.
func (d *sweepDrawing) each(*sweep.Merged) (*table.Table, columns.Plot, error) {
	all := len(d.rows)
	d.rows = slices.DeleteFunc(d.rows, func(r sweep.Row) bool { return !figure.Finite(r.Get(d.measure.Name)) })
	if lost := all - len(d.rows); lost > 0 {
		d.notes = append(d.notes, fmt.Sprintf("left out %s whose %s is not finite", selector.Count(lost, "cell"), d.Y))
	}
	if len(d.rows) == 0 {
		return nil, columns.Plot{}, fmt.Errorf("nothing to draw: no cell has a finite %s", d.Y)
	}
	fields := slices.Concat(d.placed(), valueFields(d.study))
	return table.New(fields, d.rows), columns.Plot{Y: d.Y, YLabel: measureLabel(valueColumn(d.measure))}, nil
}

// placed returns the columns of the parameters, of which lines have the names that people see, and
// a text above a panel that of its parameter too.
func (d *sweepDrawing) placed() columns.List {
	fields := columns.Lift(parameterFields(d.study), func(r *sweep.Row) *sweep.Cell { return &r.Cell })
	for i := range fields {
		f := &fields[i]
		p, before := d.parameter(f.Name), ""
		if f.Name == d.Facet {
			before = f.Name + " = "
		}
		if p.Number == nil && f.Name != d.X {
			f.Of = columns.Cells(func(r *sweep.Row) any { return before + shownValue(p, r.Cell.Get(p.Name)) })
		}
	}
	return fields
}

// measureLabel returns the label of the axis of a measure, with what it is counted in.
func measureLabel(c table.Column) string {
	c.Title = measureTitle(c)
	return c.Heading()
}

func measureTitle(c table.Column) string {
	if c.Title != "" {
		return c.Title
	}
	if divergence, is := map[string]string{"kl_q_p": "KL(q||p)", "kl_p_q": "KL(p||q)"}[c.Name]; is {
		return divergence
	}
	return strings.ReplaceAll(c.Name, "_", " ")
}
