package sweeps

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// DefaultStatistics are what a plot over a parameter draws if nothing is said.
func DefaultStatistics() []string { return []string{"median", "q10", "q90"} }

// StatisticForms say how statistics are selected.
func StatisticForms() []string { return []string{"mean", "sd", "min", "max", "median", "qNN"} }

// statistic is a number that sums up others.
type statistic struct {
	name string
	of   func(sorted []float64) float64 // of numbers in ascending order, at least one
}

// sdName is the name of the statistic that is drawn as a band around the mean.
const sdName = "sd"

// parseStatistic returns the statistic of a selector: mean; sd, the standard deviation with divisor
// n - 1; min; max; median; or qNN, the quantile of NN percent, which is interpolated between the
// two values next to it as NumPy does.
func parseStatistic(text string) (statistic, error) {
	text = strings.TrimSpace(text)
	quantile := func(p float64) (statistic, error) {
		return statistic{text, func(sorted []float64) float64 { return diagnostics.Quantile(sorted, p) }}, nil
	}
	switch text {
	case "mean":
		return statistic{text, meanOf}, nil
	case sdName:
		return statistic{text, sdOf}, nil
	case "min":
		return quantile(0)
	case "max":
		return quantile(1)
	case "median":
		return quantile(0.5)
	}
	if digits, is := strings.CutPrefix(text, "q"); is {
		percent, err := selector.ParseNumber(digits)
		if err != nil || percent < 0 || percent > 100 {
			return statistic{}, fmt.Errorf("statistic %q: write a quantile as q and a percentage from 0 to 100, as in q10", text)
		}
		return quantile(percent / 100)
	}
	return statistic{}, selector.UnknownError("statistic", text, StatisticForms())
}

// meanOf returns the mean. It is infinite, or NaN, where numbers are.
func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v / float64(len(values)) // which no sum of large numbers overflows
	}
	return sum
}

// sdOf returns the standard deviation with divisor n - 1, and NaN for a single number.
func sdOf(values []float64) float64 {
	mean := meanOf(values)
	norm := 0.0
	for _, v := range values {
		norm = math.Hypot(norm, v-mean)
	}
	return norm / math.Sqrt(float64(len(values)-1))
}

// summary is what a plot over a parameter has for one place of a line: the statistics of all values
// of the parameter.
type summary struct {
	row    sweep.Row // the first of those that are summed up
	values []float64 // ascending
	stats  []float64 // in the order of the plot
}

// over is a plot over a parameter at work.
type over struct {
	statistics []statistic
	main       int      // the statistic that is drawn as a line, and -1 if there is none
	bands      [][2]int // pairs of statistics between which a band is drawn; -1 for one standard deviation below or above the mean
	lines      []int    // the others, which are drawn as thin lines
	summaries  []*summary
}

// newOver reads the statistics, and says how each is drawn: the first of mean and median as the
// line, two quantiles that are as far from the ends as a band, min and max likewise, and the
// standard deviation as a band around the mean.
func newOver(names []string) (*over, error) {
	if names == nil {
		names = DefaultStatistics()
	}
	o := &over{main: -1}
	for _, name := range names {
		s, err := parseStatistic(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(o.statistics, func(t statistic) bool { return t.name == s.name }) {
			return nil, fmt.Errorf("statistic %s is there twice; name it once", s.name)
		}
		o.statistics = append(o.statistics, s)
	}
	if len(o.statistics) == 0 {
		return nil, chains.NewAdvice("no statistic is named; give some, as in {stat} median,q10,q90")
	}
	used := make([]bool, len(o.statistics))
	for i, s := range o.statistics {
		switch {
		case used[i]:
			continue
		case s.name == sdName:
			mean := o.find("mean")
			if mean < 0 {
				return nil, errors.New("the standard deviation is drawn around the mean; add mean to the statistics")
			}
			o.bands, used[i] = append(o.bands, [2]int{mean, i}), true
		case o.main < 0 && (s.name == "mean" || s.name == "median" || s.name == "q50"):
			o.main, used[i] = i, true
		default:
			if j := o.find(opposite(s.name)); j >= 0 && !used[j] {
				o.bands = append(o.bands, [2]int{i, j})
				used[i], used[j] = true, true
			}
		}
	}
	for i := range used {
		if !used[i] {
			o.lines = append(o.lines, i)
		}
	}
	if o.main < 0 && len(o.lines) > 0 {
		o.main, o.lines = o.lines[0], o.lines[1:]
	}
	return o, nil
}

// find returns the place of a statistic, and -1 if it is not there.
func (o *over) find(name string) int {
	return slices.IndexFunc(o.statistics, func(s statistic) bool { return s.name == name })
}

// opposite returns the statistic that makes a band with another one, and nothing if there is none.
func opposite(name string) string {
	switch name {
	case "min":
		return "max"
	case "max":
		return "min"
	}
	digits, is := strings.CutPrefix(name, "q")
	percent, err := selector.ParseNumber(digits)
	if !is || err != nil || percent == 50 {
		return ""
	}
	return "q" + table.Shortest(100-percent)
}

// sum sums the rows up that differ in a parameter alone. It leaves out numbers that are missing.
func (o *over) sum(rows []sweep.Row, parameter, measure string) (missing int) {
	places := map[string]*summary{}
	for _, r := range rows {
		v := r.Get(measure)
		if math.IsNaN(v) {
			missing++
			continue
		}
		k := sweep.Cell(subject.Params(r.Cell).With(parameter, "")).String()
		s := places[k]
		if s == nil {
			s = &summary{row: r}
			places[k] = s
			o.summaries = append(o.summaries, s)
		}
		s.values = append(s.values, v)
	}
	for _, s := range o.summaries {
		sort.Float64s(s.values)
		for _, t := range o.statistics {
			s.stats = append(s.stats, t.of(s.values))
		}
	}
	return missing
}

// ends returns the lower and the upper end of a band at a summary.
func (o *over) ends(band [2]int, s *summary) (low, high float64) {
	a, b := s.stats[band[0]], s.stats[band[1]]
	if o.statistics[band[1]].name == sdName {
		return a - b, a + b
	}
	return min(a, b), max(a, b)
}

// endNames returns the names of the lower and the upper end of a band.
func (o *over) endNames(band [2]int) (low, high string) {
	a, b := o.statistics[band[0]], o.statistics[band[1]]
	if b.name == sdName {
		return a.name + " - " + sdName, a.name + " + " + sdName
	}
	if few := []float64{0, 1}; a.of(few) > b.of(few) {
		a, b = b, a
	}
	return a.name, b.name
}

// maxStatisticsText is the length of the longest text that fits behind the name of a measure along
// an axis.
const maxStatisticsText = 34

// text says what is drawn, for the label of an axis. If there is much of it, only the table names
// it.
func (o *over) text(parameter string) string {
	var parts []string
	if o.main >= 0 {
		parts = append(parts, o.statistics[o.main].name)
	}
	for _, band := range o.bands {
		a, b := o.statistics[band[0]].name, o.statistics[band[1]].name
		if b == sdName {
			parts = append(parts, "one sd around it")
		} else {
			parts = append(parts, a+" to "+b)
		}
	}
	for _, i := range o.lines {
		parts = append(parts, o.statistics[i].name)
	}
	text := strings.Join(parts, ", ") + " over " + parameter
	if len(text) > maxStatisticsText {
		return "statistics over " + parameter
	}
	return text
}

// summedUp returns the table of the statistics over a parameter: those of lines, and the ends of
// bands.
func (d *sweepDrawing) summedUp(*sweep.Merged) (t *table.Table, p columns.Plot, err error) {
	if d.over, err = newOver(d.Statistics); err != nil {
		return nil, p, err
	}
	o := d.over
	if missing := o.sum(d.rows, d.Over, d.measure.Name); missing > 0 {
		d.notes = append(d.notes, fmt.Sprintf("left out %s without %s", selector.Count(missing, "cell"), d.Y))
	}
	fields := columns.Lift(d.placed(), func(s *summary) *sweep.Row { return &s.row })
	add := func(to *string, title string, of func(s *summary) float64) {
		name := fmt.Sprint("statistic ", len(fields))
		*to = strings.TrimPrefix(*to+"+"+name, "+")
		fields = append(fields, columns.Any(name, title, "", "", func(s *summary) any { return of(s) }))
	}
	for _, band := range o.bands {
		bottom, top := o.endNames(band)
		add(&p.Band, bottom, func(s *summary) float64 { return end(o.ends(band, s)) })
		add(&p.Band, top, func(s *summary) float64 { low, high := o.ends(band, s); return end(high, low) })
	}
	for _, i := range o.lines {
		add(&p.Thin, o.statistics[i].name, func(s *summary) float64 { return s.stats[i] })
	}
	if o.main >= 0 {
		add(&p.Y, o.statistics[o.main].name, func(s *summary) float64 { return s.stats[o.main] })
	}
	rows, lost, drawn := make([]summary, len(o.summaries)), 0, false
	for i, s := range o.summaries {
		rows[i] = *s
		finite := slices.ContainsFunc(s.stats, figure.Finite)
		drawn = drawn || finite
		if !finite || o.main >= 0 && !figure.Finite(s.stats[o.main]) {
			lost++
		}
	}
	if lost > 0 {
		d.notes = append(d.notes, fmt.Sprintf("left out %s whose statistics of %s are not finite", selector.Count(lost, "point"), d.Y))
	}
	if !drawn {
		return nil, p, fmt.Errorf("nothing to draw: no statistic of %s is finite", d.Y)
	}
	p.YLabel, p.Named = measureLabel(valueColumn(d.measure))+", "+o.text(d.Over), true
	return table.New(fields, rows), p, nil
}

// end returns an end of a band, or NaN if the other end is not finite, so that the band has both or
// none.
func end(v, other float64) float64 {
	if !figure.Finite(other) {
		return math.NaN()
	}
	return v
}

// overTable returns the table of what is drawn, in an order of the summaries: the parameters but
// the one that is summed up, the number of values, and the statistics.
func (d *sweepDrawing) overTable(order []int) *table.Table {
	var fields columns.List
	for _, f := range columns.Lift(parameterFields(d.study), func(s *summary) *sweep.Cell { return &s.row.Cell }) {
		if f.Name == d.Over {
			continue
		}
		if f.Name == d.X || f.Name == d.Facet || slices.Contains(d.Series, f.Name) {
			f = f.Titled(f.Name)
		}
		fields = append(fields, f)
	}
	fields = append(fields, columns.Of("count", "cells", "the number of cells whose values are summed up", func(s *summary) int { return len(s.values) }))
	measure := valueColumn(d.measure)
	title := measureTitle(measure)
	for i, t := range d.over.statistics {
		name := d.Y + "_" + strings.ReplaceAll(t.name, ".", "_")
		fields = append(fields, columns.Of(name, title+" "+t.name, "the "+t.name+" of "+d.Y+" over these cells",
			func(s *summary) float64 { return s.stats[i] }).OrEmpty().In(measure.Unit))
	}
	rows := make([]summary, len(order))
	for i, k := range order {
		rows[i] = *d.over.summaries[k]
	}
	return table.New(fields, rows)
}
