package marginal

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/columns"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SandwichReport returns the report of the ends between which log p(y) of simulated data lies, with a figure for each model.
func SandwichReport(rows []sandwich.Row) *reports.Report {
	whole := slices.DeleteFunc(slices.Clone(rows), func(r sandwich.Row) bool { return r.Data != 0 })
	r := &reports.Report{Parts: []reports.Part{inBrief("sandwich", rows, whole, sandwich.Study().Columns)}}
	for _, model := range reports.Grouped(rows, func(r *sandwich.Row) string { return r.Model }) {
		if model[0].Forward {
			continue // nothing is known of log p(y), from which a figure has the distances
		}
		r.Add(curves.Figure("Bounds of log p(y), model "+model[0].Model, "no figure of "+model[0].Model, model, sandwichFigure))
	}
	for _, note := range sandwich.Findings(rows) {
		r.Note("%s", note)
	}
	return r
}

// inBrief returns the table of rows of single data sets and of all of them together, of which people see the latter, the whole ones, where
// there are any.
func inBrief[R any](name string, rows, whole []R, fields columns.List) reports.Table {
	t := reports.Table{Name: name, Table: table.New(fields, rows)}
	if len(whole) > 0 && len(whole) < len(rows) {
		t.Brief = table.New(fields, whole)
	}
	return t
}

// sandwichPanel is one algorithm of a figure of the sandwich.
type sandwichPanel struct {
	algorithm, title, axis string
	knob                   func(*sandwich.Row) float64
}

// sandwichFigure draws, for each algorithm, how far the ends are from the ground truth against its setting: those of each data set as thin
// lines, and their means as thick ones. Without a ground truth, the middle of the ends of the longest annealing stands for it. It fails where
// no algorithm has two settings.
func sandwichFigure(rows []sandwich.Row) (*figure.Figure, error) {
	middle := middles(rows)
	var panels []*figure.Panel
	var pen curves.Pen
	for _, s := range []sandwichPanel{
		{"ais", "AIS", "number of distributions T", func(r *sandwich.Row) float64 { return float64(r.T) }},
		// M may be zero, which has no place on a logarithmic axis.
		{"smc", "SMC", "scans after a datum, M + 1", func(r *sandwich.Row) float64 { return float64(r.Scans) + 1 }},
	} {
		p := figure.NewPanel(rows[0].Model+", "+s.title, s.axis, "log weight less log p(y), nats")
		p.X.Tick.Marker = figure.Decades{}
		if s.draw(&pen, p, rows, middle) {
			p.Legend.Add("reverse, mean", figure.Full(1))
			p.Legend.Add("forward, mean", figure.Full(0))
			p.RoomAround(0.03, 0.05)
			panels = append(panels, p)
		}
	}
	if len(panels) == 0 {
		return nil, cmp.Or[error](pen.Err, chains.NewAdvice("nothing to draw: give at least two settings, as in {T} 100,1000 or {scans} 1,10"))
	}
	return pen.Done(figure.SideBySide(reports.FileName("sandwich_"+rows[0].Model), 9*vg.Centimeter, 7.5*vg.Centimeter, panels...))
}

// middles returns what stands for log p(y) of each data set: the middle of the ends of the longest annealing, or of all algorithms' where
// there is no annealing.
func middles(rows []sandwich.Row) map[int]float64 {
	longest := 0
	for _, r := range rows {
		longest = max(longest, r.T)
	}
	out := map[int]float64{}
	for _, r := range rows {
		if r.Data > 0 && r.T == longest {
			out[r.Data] = (r.Lower + r.Upper) / 2
		}
	}
	return out
}

// draw adds the curves of an algorithm to a panel, and reports whether there are any.
func (s sandwichPanel) draw(pen *curves.Pen, p *figure.Panel, rows []sandwich.Row, middle map[int]float64) bool {
	ends := []struct {
		name string
		of   func(*sandwich.Row) float64
	}{{"forward", func(r *sandwich.Row) float64 { return r.Lower }}, {"reverse", func(r *sandwich.Row) float64 { return r.Upper }}}
	single := slices.DeleteFunc(slices.Clone(rows), func(r sandwich.Row) bool { return r.Algorithm != s.algorithm || r.Data == 0 })
	sets := reports.Grouped(single, func(r *sandwich.Row) string { return strconv.Itoa(r.Data) })
	var guide plotter.XYs
	for i, end := range ends {
		var sum plotter.XYs // of the data sets, at each setting
		for _, set := range sets {
			var points plotter.XYs
			for k := range set {
				x, y := number.Log10(s.knob(&set[k])), end.of(&set[k])-middle[set[k].Data]
				points = append(points, plotter.XY{X: x, Y: y})
				if k == len(sum) {
					sum = append(sum, plotter.XY{X: x})
				}
				sum[k].Y += y / float64(len(sets))
			}
			thin := draw.LineStyle{Color: figure.Translucent(figure.Color(i)), Width: vg.Points(0.6)}
			pen.Line(p, end.name+", data set "+strconv.Itoa(set[0].Data), points, thin)
		}
		if pen.Curve(p, end.name+", mean", sum, figure.Full(i)) {
			guide = plotter.XYs{{X: sum[0].X, Y: 0}, {X: sum[len(sum)-1].X, Y: 0}}
		}
	}
	if guide != nil {
		figure.Guide(p, guide[0], guide[1], truthLine())
	}
	return guide != nil
}

// truthLine is the style of the line at the ground truth, or at another level of reference.
func truthLine() draw.LineStyle {
	return draw.LineStyle{Color: figure.Color(figure.NearBlack), Width: vg.Points(0.7), Dashes: figure.Dashes()}
}

// SandwichRepresentReport returns the report of annealing in the representations of a model, with a figure. It has a Fault where what two of
// them say of log p(y) is a contradiction.
func SandwichRepresentReport(rows []compare.RepresentationRow) *reports.Report {
	r := &reports.Report{Parts: []reports.Part{
		inBrief(sandwichRepresentFile, rows, compare.RepresentationWhole(rows), compare.Representations().Columns),
		curves.Figure("B in the representations of the model", "no figure of the representations", rows, sandwichRepresentFigure),
	}}
	below := 0
	for i := range rows {
		if !(rows[i].B > 0) {
			below++
		}
	}
	if below > 0 {
		r.Note("%d of %d values of B are not above zero, and have no place on the logarithmic axes of the figure", below, len(rows))
	}
	found := compare.RepresentationContradictions(rows)
	for _, f := range found {
		r.Note("%s", f)
	}
	if len(found) > 0 {
		r.Fault = chains.NewFault(errors.New("the representations are not of the same model, or one of them does not anneal; see above"))
		return r
	}
	r.Note("no lower end is above an upper end by more than chance, as p(y) is the same in all representations")
	return r
}

// sandwichRepresentFile is the name of the table and of its figure.
const sandwichRepresentFile = "sandwich_represent"

// sandwichRepresentFigure draws B of each representation against T, and beside it against the seconds of a chain, on logarithmic axes: those
// of the data sets as thin lines, and their mean as a thick one, with bars of one standard error. B of a single data set that is not above
// zero is left out. It fails where no representation has two points to join.
func sandwichRepresentFigure(rows []compare.RepresentationRow) (*figure.Figure, error) {
	var panels []*figure.Panel
	var pen curves.Pen
	for _, axis := range []struct {
		label string
		of    func(*compare.RepresentationRow) float64
	}{
		{"number of distributions T", func(r *compare.RepresentationRow) float64 { return float64(r.T) }},
		{"time of a chain, seconds", func(r *compare.RepresentationRow) float64 { return r.Seconds }},
	} {
		p := figure.NewLogPanel("", axis.label, "B, nats")
		for i, series := range reports.Grouped(rows, func(r *compare.RepresentationRow) string { return r.Representation }) {
			addBounds(&pen, p, i, series, axis.of)
		}
		p.RoomAround(0.03, 0.04)
		panels = append(panels, p)
	}
	if pen.Curves == 0 {
		return nil, cmp.Or[error](pen.Err, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T} 100,1000"))
	}
	return pen.Done(figure.SideBySide(sandwichRepresentFile, 9*vg.Centimeter, 7.5*vg.Centimeter, panels...))
}

// addBounds adds the curves of the i-th representation to a panel, of which the legend has the thick one.
func addBounds(pen *curves.Pen, p *figure.Panel, i int, rows []compare.RepresentationRow, x func(*compare.RepresentationRow) float64) {
	name, bound := rows[0].Representation, func(r *compare.RepresentationRow) float64 { return r.B }
	for _, set := range reports.Grouped(rows, func(r *compare.RepresentationRow) string { return strconv.Itoa(r.Data) }) {
		if set[0].Datasets > 1 {
			continue
		}
		thin := draw.LineStyle{Color: figure.Translucent(figure.Color(i)), Width: vg.Points(0.6)}
		pen.Line(p, name+", data set "+strconv.Itoa(set[0].Data), figure.LogPoints(set, x, bound), thin)
	}
	whole, mark := compare.RepresentationWhole(rows), figure.Full(i)
	if !pen.Curve(p, name, figure.LogPoints(whole, x, bound), mark) {
		return
	}
	p.Legend.Add(name, mark)
	for k := range whole { // a bar of one standard error to each side of B
		r := &whole[k]
		at, low, high := number.Log10(x(r)), number.Log10(r.B-r.BSE), number.Log10(r.B+r.BSE)
		if !figure.Finite(high) || !(r.B > 0) {
			continue
		}
		if !figure.Finite(low) { // the lower end is not above zero, so that the bar begins at the value
			low = number.Log10(r.B)
		}
		figure.Guide(p, plotter.XY{X: at, Y: low}, plotter.XY{X: at, Y: high}, draw.LineStyle{Color: figure.Color(i), Width: vg.Points(0.8)})
	}
}
