package reports

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/experiments/tightness"
	"breadboard/experiments/tuning"
	"breadboard/reports/figure"
)

// scheduleSeries are the names of toys and schedules, in the order in which they come.
type scheduleSeries struct{ toys, names []string }

func newScheduleSeries(rows []tuning.Row) scheduleSeries {
	var s scheduleSeries
	for _, r := range rows {
		if !slices.Contains(s.toys, r.Toy.Name) {
			s.toys = append(s.toys, r.Toy.Name)
		}
		if !slices.Contains(s.names, r.Param("schedule")) {
			s.names = append(s.names, r.Param("schedule"))
		}
	}
	return s
}

// style returns the line style of a schedule: wide for the best ones, black for that of B, and figure.SeriesStyle for the others. No
// two have the same colour.
func (s scheduleSeries) style(name string) draw.LineStyle {
	if name == "optimal:B" {
		return draw.LineStyle{Color: color.Black, Width: vg.Points(2)}
	}
	i := slices.Index(s.names, name)
	if i >= figure.NearBlack { // it could not be told from the line of optimal:B
		i++
	}
	style := figure.SeriesStyle(i)
	if strings.HasPrefix(name, "optimal:") {
		style.Width, style.Dashes = vg.Points(2), figure.Dashes()
	}
	return style
}

// legend names the schedules of which some panel has a line.
func (s scheduleSeries) legend(panels []*figure.Panel) figure.Legend {
	var l figure.Legend
	for _, name := range s.names {
		if figure.Shown(panels, name) {
			l.Add(name, &plotter.Line{LineStyle: s.style(name)})
		}
	}
	return l
}

// detailed returns the rows at the paper's T, or at the first T that has betas.
func detailed(rows []tuning.Row) []tuning.Row {
	T := 0
	for _, r := range rows {
		if r.Betas != nil && (T == 0 || r.Distributions() == tightness.PaperT) {
			T = r.Distributions()
		}
	}
	var out []tuning.Row
	for _, r := range rows {
		if r.Distributions() == T && r.Betas != nil {
			out = append(out, r)
		}
	}
	return out
}

// perToy draws one tile for each toy, with a line through the points of each row, and has a function make the figure of the tiles.
func perToy(name string, rows []tuning.Row, make func(toy string) *figure.Panel, points func(*tuning.Row) plotter.XYs, finish func(name string, s scheduleSeries, plots []*figure.Panel) *figure.Figure) (*figure.Figure, error) {
	if len(rows) == 0 {
		return nil, errors.New("nothing to draw of single stages: no T is small enough")
	}
	s := newScheduleSeries(rows)
	var plots []*figure.Panel
	for _, toy := range s.toys {
		p := make(toy)
		for i := range rows {
			if r := &rows[i]; r.Toy.Name == toy {
				name := r.Param("schedule")
				if err := figure.AddLine(p, name, points(r), s.style(name)); err != nil {
					return nil, err
				}
			}
		}
		plots = append(plots, p)
	}
	return finish(name, s, plots), nil
}

// BetasFigure draws beta against t for every schedule, one tile a toy, at T = 100 where that is among the rows.
func BetasFigure(rows []tuning.Row) (*figure.Figure, error) {
	rows = detailed(rows)
	return perToy("schedule_betas", rows, func(toy string) *figure.Panel {
		return figure.NewPanel(fmt.Sprintf("%s, T = %d", toy, rows[0].Distributions()), "t", "beta_{t}")
	}, func(r *tuning.Row) (out plotter.XYs) {
		for i, b := range r.Betas {
			out = append(out, plotter.XY{X: float64(i + 1), Y: b})
		}
		return out
	}, func(name string, s scheduleSeries, plots []*figure.Panel) *figure.Figure {
		return figure.Sheet{Name: name, Rows: [][]*figure.Panel{plots}, Width: 8 * vg.Centimeter, Height: 7.5 * vg.Centimeter, Least: 22, Legend: s.legend(plots), Beside: true}.Figure()
	})
}

// ContributionsFigure draws what each stage adds to B against the stage, on a logarithmic axis. It shows on which part of the path the bound arises. A stage adds E_rev[d] - E_fwd[d], where d is the increment of the log weight;
// terms that are not positive are left out.
func ContributionsFigure(rows []tuning.Row) (*figure.Figure, error) {
	rows = detailed(rows)
	return perToy("schedule_contributions", rows, func(toy string) *figure.Panel {
		p := figure.NewPanel(fmt.Sprintf("%s, T = %d", toy, rows[0].Distributions()), "stage t", "added to B (nats)")
		p.Y.Tick.Marker = figure.Decades{}
		return p
	}, func(r *tuning.Row) (out plotter.XYs) {
		for i, v := range r.Contributions {
			if v > 1e-9 {
				out = append(out, plotter.XY{X: float64(i + 2), Y: math.Log10(v)})
			}
		}
		return out
	}, func(name string, s scheduleSeries, plots []*figure.Panel) *figure.Figure {
		for _, p := range plots {
			p.RoomAround(0.02, 0.04)
		}
		return figure.Tiles(name, len(plots), plots, s.legend(plots))
	})
}

// ConvergenceFigure draws B, above, and J, below, against T on logarithmic axes, one column a toy and one line a
// schedule; thin lines show the limits of B for large T. It fails where there are fewer than two values of T.
func ConvergenceFigure(rows []tuning.Row) (*figure.Figure, error) {
	s := newScheduleSeries(rows)
	var upper, lower []*figure.Panel
	lines := 0
	for _, toy := range s.toys {
		b, j := figure.NewPanel(toy, "T", "B (nats)"), figure.NewPanel(toy, "T", "J (nats)")
		for _, name := range s.names {
			bs, js, limits := convergencePoints(rows, toy, name)
			style := s.style(name)
			thin := limitStyle(style.Color)
			if err := errors.Join(figure.AddLine(b, name, bs, style), figure.AddLine(b, name+limitOf, limits, thin), figure.AddLine(j, name, js, style)); err != nil {
				return nil, err
			}
			lines += max(0, len(bs)-1)
		}
		for _, p := range []*figure.Panel{b, j} {
			p.X.Tick.Marker, p.Y.Tick.Marker = figure.Decades{}, figure.Decades{}
			p.RoomAround(0.02, 0.04)
		}
		upper, lower = append(upper, b), append(lower, j)
	}
	if lines == 0 {
		return nil, chains.NewAdvice("nothing to draw against T: give at least two numbers of distributions, as in {T|T =} 10,100")
	}
	legend := s.legend(slices.Concat(upper, lower))
	if slices.ContainsFunc(s.names, func(name string) bool { return figure.Shown(upper, name+limitOf) }) {
		legend.Add("limits of B", &plotter.Line{LineStyle: limitStyle(figure.KindGrey())})
	}
	return figure.Grid("schedule_convergence", len(upper), append(upper, lower...), legend), nil
}

// limitOf ends the name of the line of a schedule's limit.
const limitOf = ", limit"

// limitStyle returns the line style of the limits of B.
func limitStyle(c color.Color) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: vg.Points(0.5), Dashes: []vg.Length{vg.Points(1), vg.Points(2)}}
}

// convergencePoints returns B, J and the limit of B of one schedule on one toy. The limit is drawn where B is within a
// factor of ten of it.
func convergencePoints(rows []tuning.Row, toy, schedule string) (b, j, limit plotter.XYs) {
	for _, r := range rows {
		if r.Toy.Name != toy || r.Param("schedule") != schedule {
			continue
		}
		b, j = figure.AppendLog(b, r.Distributions(), r.B), figure.AppendLog(j, r.Distributions(), r.J)
		if tends := r.AsymptoticTB / float64(r.Distributions()); tends < 10*r.B {
			limit = figure.AppendLog(limit, r.Distributions(), tends)
		}
	}
	return b, j, limit
}
