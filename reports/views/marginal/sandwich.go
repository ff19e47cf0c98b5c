package marginal

import (
	"errors"
	"math"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SandwichReport returns the report of the ends between which log p(y) of simulated data lies, with a figure for each model.
func SandwichReport(rows []sandwich.Row) *reports.Report {
	r := &reports.Report{Parts: []reports.Part{inBrief("sandwich", rows, wholeRows(rows), Sandwiches)}}
	for _, model := range reports.Grouped(rows, func(r *sandwich.Row) string { return r.Model }) {
		if model[0].Forward {
			continue // nothing is known of log p(y), from which a figure has the distances
		}
		r.Add(reports.Figure{
			Title:   "Bounds of log p(y), model " + model[0].Model,
			Missing: "no figure of " + model[0].Model,
			Draw:    func() (*figure.Figure, error) { return SandwichFigure(model) },
		})
	}
	for _, note := range sandwich.Findings(rows) {
		r.Note("%s", note)
	}
	return r
}

// inBrief returns the table of rows of single data sets and of all of them together, of which people see the latter, the whole ones, where
// there are any.
func inBrief[R any](name string, rows, whole []R, of func([]R) *table.Table) reports.Table {
	t := reports.Table{Name: name, Table: of(rows)}
	if len(whole) > 0 && len(whole) < len(rows) {
		t.Brief = of(whole)
	}
	return t
}

// wholeRows returns the rows of all data sets together.
func wholeRows(rows []sandwich.Row) (whole []sandwich.Row) {
	for _, r := range rows {
		if r.Data == 0 {
			whole = append(whole, r)
		}
	}
	return whole
}

// Sandwiches returns the table of the ends between which log p(y) lies, a row for each algorithm, setting and data set, and for all data
// sets together.
func Sandwiches(rows []sandwich.Row) *table.Table { return table.New(sandwich.Study().Columns, rows) }

// sandwichPanel is one algorithm of a figure of the sandwich.
type sandwichPanel struct {
	algorithm, title, axis string
	knob                   func(*sandwich.Row) float64
}

func sandwichPanels() []sandwichPanel {
	return []sandwichPanel{
		{"ais", "AIS", "number of distributions T", func(r *sandwich.Row) float64 { return float64(r.T) }},
		// M may be zero, which has no place on a logarithmic axis.
		{"smc", "SMC", "scans after a datum, M + 1", func(r *sandwich.Row) float64 { return float64(r.Scans) + 1 }},
	}
}

// SandwichFigure draws, for each algorithm, how far the ends are from the ground truth against its setting: those of each data set as thin
// lines, and their means as thick ones. Without a ground truth, the middle of the ends of the longest annealing stands for it. It fails where
// no algorithm has two settings.
func SandwichFigure(rows []sandwich.Row) (*figure.Figure, error) {
	middle := middles(rows)
	var panels []*figure.Panel
	lines := 0
	for _, s := range sandwichPanels() {
		p := figure.NewPanel(rows[0].Model+", "+s.title, s.axis, "log weight less log p(y), nats")
		p.X.Tick.Marker = figure.Decades{}
		drawn, err := s.draw(p, rows, middle)
		if err != nil {
			return nil, err
		}
		if drawn > 0 {
			lines += drawn
			panels = append(panels, p)
		}
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two settings, as in {T} 100,1000 or {scans} 1,10")
	}
	for _, p := range panels {
		p.Legend.Add("reverse, mean", figure.Full(1))
		p.Legend.Add("forward, mean", figure.Full(0))
		p.RoomAround(0.03, 0.05)
	}
	return figure.SideBySide(reports.FileName("sandwich_"+rows[0].Model), 9*vg.Centimeter, 7.5*vg.Centimeter, panels...), nil
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

// draw adds the curves of an algorithm to a panel, and returns how many there are.
func (s sandwichPanel) draw(p *figure.Panel, rows []sandwich.Row, middle map[int]float64) (lines int, err error) {
	ends := []struct {
		name string
		of   func(*sandwich.Row) float64
	}{{"forward", func(r *sandwich.Row) float64 { return r.Lower }}, {"reverse", func(r *sandwich.Row) float64 { return r.Upper }}}
	guide := plotter.XYs{}
	for i, end := range ends {
		var sum plotter.XYs // of the data sets, at each setting
		sets := reports.Grouped(s.rows(rows), func(r *sandwich.Row) string { return strconv.Itoa(r.Data) })
		for _, set := range sets {
			var points plotter.XYs
			for k := range set {
				x, y := math.Log10(s.knob(&set[k])), end.of(&set[k])-middle[set[k].Data]
				points = append(points, plotter.XY{X: x, Y: y})
				if k == len(sum) {
					sum = append(sum, plotter.XY{X: x})
				}
				sum[k].Y += y / float64(len(sets))
			}
			thin := draw.LineStyle{Color: figure.Translucent(figure.Color(i)), Width: vg.Points(0.6)}
			if err := figure.AddLine(p, end.name+", data set "+strconv.Itoa(set[0].Data), points, thin); err != nil {
				return 0, err
			}
		}
		drawn, err := figure.Curve(p, end.name+", mean", sum, figure.Full(i))
		if err != nil {
			return 0, err
		}
		if drawn {
			lines++
			guide = plotter.XYs{{X: sum[0].X, Y: 0}, {X: sum[len(sum)-1].X, Y: 0}}
		}
	}
	if len(guide) == 2 {
		figure.Guide(p, guide[0], guide[1], draw.LineStyle{Color: figure.Color(figure.NearBlack), Width: vg.Points(0.7), Dashes: figure.Dashes()})
	}
	return lines, nil
}

// rows returns the rows of the algorithm on single data sets.
func (s sandwichPanel) rows(rows []sandwich.Row) (out []sandwich.Row) {
	for _, r := range rows {
		if r.Algorithm == s.algorithm && r.Data > 0 {
			out = append(out, r)
		}
	}
	return out
}

// SandwichRepresentReport returns the report of annealing in the representations of a model, with a figure. It has a Fault where what two of
// them say of log p(y) is a contradiction.
func SandwichRepresentReport(rows []compare.RepresentationRow) *reports.Report {
	r := &reports.Report{Parts: []reports.Part{inBrief(SandwichRepresentFile, rows, compare.RepresentationWhole(rows), SandwichRepresent), reports.Figure{
		Title:   "B in the representations of the model",
		Missing: "no figure of the representations",
		Draw:    func() (*figure.Figure, error) { return SandwichRepresentFigure(rows) },
	}}}
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

// SandwichRepresentFile is the name of the table and of its figure.
const SandwichRepresentFile = "sandwich_represent"

// SandwichRepresent returns the table of annealing in the representations of a model, a row for each of them, each T and each data set, and
// for all data sets together.
func SandwichRepresent(rows []compare.RepresentationRow) *table.Table {
	return table.New(compare.Representations().Columns, rows)
}

// SandwichRepresentFigure draws B of each representation against T, and beside it against the seconds of a chain, on logarithmic axes: those
// of the data sets as thin lines, and their mean as a thick one, with bars of one standard error. B of a single data set that is not above
// zero is left out. It fails where no representation has two points to join.
func SandwichRepresentFigure(rows []compare.RepresentationRow) (*figure.Figure, error) {
	axes := []struct {
		label string
		of    func(*compare.RepresentationRow) float64
	}{
		{"number of distributions T", func(r *compare.RepresentationRow) float64 { return float64(r.T) }},
		{"time of a chain, seconds", func(r *compare.RepresentationRow) float64 { return r.Seconds }},
	}
	var panels []*figure.Panel
	lines := 0
	for _, axis := range axes {
		p := figure.NewPanel("", axis.label, "B, nats")
		p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
		for i, of := range reports.Grouped(rows, func(r *compare.RepresentationRow) string { return r.Representation }) {
			drawn, err := addBounds(p, i, of, axis.of)
			if err != nil {
				return nil, err
			}
			lines += drawn
		}
		p.RoomAround(0.03, 0.04)
		panels = append(panels, p)
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T} 100,1000")
	}
	return figure.SideBySide(SandwichRepresentFile, 9*vg.Centimeter, 7.5*vg.Centimeter, panels...), nil
}

// addBounds adds the curves of the i-th representation to a panel, and returns how many thick ones there are, of which the legend has one.
func addBounds(p *figure.Panel, i int, rows []compare.RepresentationRow, x func(*compare.RepresentationRow) float64) (lines int, err error) {
	name, bound := rows[0].Representation, func(r *compare.RepresentationRow) float64 { return r.B }
	for _, set := range reports.Grouped(rows, func(r *compare.RepresentationRow) string { return strconv.Itoa(r.Data) }) {
		if set[0].Datasets > 1 {
			continue
		}
		thin := draw.LineStyle{Color: figure.Translucent(figure.Color(i)), Width: vg.Points(0.6)}
		if err := figure.AddLine(p, name+", data set "+strconv.Itoa(set[0].Data), figure.LogPoints(set, x, bound), thin); err != nil {
			return 0, err
		}
	}
	whole, mark := compare.RepresentationWhole(rows), figure.Full(i)
	drawn, err := figure.Curve(p, name, figure.LogPoints(whole, x, bound), mark)
	if err != nil || !drawn {
		return 0, err
	}
	p.Legend.Add(name, mark)
	for k := range whole {
		if err := addBar(p, i, math.Log10(x(&whole[k])), &whole[k]); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

// addBar adds a bar of one standard error to each side of B. Where its lower end is not above zero, the bar begins at the value.
func addBar(p *figure.Panel, i int, at float64, r *compare.RepresentationRow) error {
	low, high := math.Log10(r.B-r.BSE), math.Log10(r.B+r.BSE)
	if !figure.Finite(high) || !(r.B > 0) {
		return nil
	}
	if !figure.Finite(low) {
		low = math.Log10(r.B)
	}
	bar, err := plotter.NewLine(plotter.XYs{{X: at, Y: low}, {X: at, Y: high}})
	if err != nil {
		return err
	}
	bar.LineStyle = draw.LineStyle{Color: figure.Color(i), Width: vg.Points(0.8)}
	p.Add(bar)
	return nil
}
