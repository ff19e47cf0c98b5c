package mcmc

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains/number"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/temper"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/data"
	"breadboard/reports/views/internal/curves"
)

// TemperReport returns the report of round trips, with a figure for each ladder and scheme.
func TemperReport(rows []temper.Row) *reports.Report {
	r := reports.New("temper", table.New(temper.Columns(), rows))
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes())
		if row := &rows[i]; (row.Local != nil || row.Repeats != nil) && (i == 0 || &rows[i-1].Rejections[0] != &row.Rejections[0]) {
			about := fmt.Sprintf("%s, %s", &row.Case, row.Scheme)
			r.Add(curves.About("Rejections and round trips", about, row, temperFigure))
			if len(row.Betas) == 3 && row.Rate != nil {
				r.Add(curves.Figure("Who is on the way up: "+about, about+": no map", row, temperUpFigure))
			}
		}
	}
	return r
}

// ladderFile returns the name of the file of a figure about a ladder.
func ladderFile(what string, c *experiments.Case, more ...any) string {
	name := fmt.Sprintf("%s_%s_T%d_%s", what, c.Toy.Name, c.Distributions(), c.Param("kernel"))
	for _, m := range more {
		name += fmt.Sprintf("_%v", m)
	}
	return reports.FileName(name)
}

// temperFigure draws the density of rejections along the path with the rungs of the ladder on it, whose area between two rungs is about what these reject;
// and the round-trip rate against the number of moves between swaps, below what the formula says for perfect exploration.
func temperFigure(r *temper.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	var legend figure.Legend
	var pen curves.Pen
	if r.Local != nil {
		p := figure.NewPanel("", "beta", "rejections per unit of beta")
		rungs := figure.Full(1)
		addLocal(&pen, p, &legend, r.Local)
		legend.Add("rungs", glyphs(rungs))
		pen.Dots(p, "rungs", onCurve(r.Local, r.Betas), rungs.Glyph)
		p.RoomAround(0.03, 0.05)
		panels = append(panels, p)
	}
	if r.Repeats != nil {
		panels = append(panels, repeatsPanel(&pen, &legend, r))
	}
	return pen.Done(figure.Grid(ladderFile("temper", &r.Case, r.Scheme), 2, panels, legend))
}

// repeatsPanel draws the round-trip rate against the number of moves between swaps.
func repeatsPanel(pen *curves.Pen, legend *figure.Legend, r *temper.Row) *figure.Panel {
	p := figure.NewPanel("", "moves between swaps", "round trips a scan")
	p.X.Tick.Marker = figure.Decades{}
	points := curveOf(r.Repeats)
	for i := range points {
		points[i].X = number.Log10(points[i].X)
	}
	exact := figure.Full(2)
	legend.Add("exact rate", exact)
	pen.Marked(p, "exact rate", points, exact)
	level := figure.GreyLine()
	level.Dashes = figure.Dashes()
	legend.Add("formula, perfect exploration", curves.Key(level))
	pen.Line(p, "formula", plotter.XYs{{X: points[0].X, Y: r.Formula}, {X: points[len(points)-1].X, Y: r.Formula}}, level)
	p.RoomAround(0.03, 0.05)
	return p
}

func addLocal(pen *curves.Pen, p *figure.Panel, legend *figure.Legend, local []temper.Point) {
	style := draw.LineStyle{Color: figure.Color(0), Width: vg.Points(1.4)}
	legend.Add("rejections per unit of beta", curves.Key(style))
	p.Y.Min = 0
	pen.Line(p, "rejections per unit of beta", curveOf(local), style)
}

// glyphs is the mark without its line.
func glyphs(m figure.Mark) figure.Mark {
	m.Line.Width = 0
	return m
}

func curveOf(list []temper.Point) (points plotter.XYs) {
	for _, at := range list {
		points = append(points, plotter.XY{X: at.X, Y: at.Y})
	}
	return points
}

// onCurve returns the points of a curve, whose places are at equal distances from 0 to 1, that are nearest to betas.
func onCurve(curve []temper.Point, betas []float64) (points plotter.XYs) {
	for _, b := range betas {
		at := curve[int(math.Round(b*float64(len(curve)-1)))]
		points = append(points, plotter.XY{X: b, Y: at.Y})
	}
	return points
}

// TemperLadderReport returns the report of the best ladders, with a figure for each target.
func TemperLadderReport(rows []temper.LadderRow) *reports.Report {
	r := reports.New("temper_ladder", table.New(temper.LadderColumns(), rows))
	for _, run := range reports.ByCase(rows, (*temper.LadderRow).TheCase) {
		var notes []string
		for i := range run {
			for _, note := range run[i].Notes() {
				if !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
		r.CaseNotes(&run[0].Case, notes)
		if run[0].Local != nil {
			r.Add(curves.About("Four ladders", &run[0].Case, run, temperLadderFigure))
		}
	}
	return r
}

// temperLadderFigure draws the ladders as marks on the density of rejections along the path, and where there is one inner beta the rate and the variance
// against it, with the ladders marked.
func temperLadderFigure(rows []temper.LadderRow) (*figure.Figure, error) {
	var legend figure.Legend
	var panels []*figure.Panel
	var pen curves.Pen
	mark := func(p *figure.Panel, at func(r *temper.LadderRow) plotter.XYs) {
		for i := range rows {
			points := at(&rows[i])
			if slices.ContainsFunc(points, func(at plotter.XY) bool { return math.IsNaN(at.Y) }) || len(points) == 0 {
				continue
			}
			mark := glyphs(figure.Full(i + 1))
			legend.Add(rows[i].Criterion, mark)
			pen.Dots(p, rows[i].Criterion, points, mark.Glyph)
		}
		p.RoomAround(0.03, 0.06)
		panels = append(panels, p)
	}
	p := figure.NewPanel("", "beta", "rejections per unit of beta")
	addLocal(&pen, p, &legend, rows[0].Local)
	mark(p, func(r *temper.LadderRow) plotter.XYs { return onCurve(rows[0].Local, r.InnerBetas()) })
	style := draw.LineStyle{Color: figure.KindGrey(), Width: vg.Points(1.4)}
	for _, q := range []struct {
		name string
		of   func(m *temper.Measured) float64
	}{
		{"round trips a scan", func(m *temper.Measured) float64 { return m.Rate.Float() }},
		{"variance of " + rows[0].Function, func(m *temper.Measured) float64 { return m.Variance.Float() }},
	} {
		if rows[0].Curve == nil {
			break
		}
		legend.Add("by the inner beta", curves.Key(style))
		var points plotter.XYs
		for i := range rows[0].Curve {
			if m := &rows[0].Curve[i]; shownBetween(rows, m.Inner) && !math.IsNaN(q.of(m)) {
				points = append(points, plotter.XY{X: m.Inner, Y: q.of(m)})
			}
		}
		if points == nil { // no ladder gives the average a variance
			continue
		}
		p := figure.NewPanel("", "inner beta", q.name)
		pen.Line(p, "by the inner beta", points, style)
		mark(p, func(r *temper.LadderRow) plotter.XYs { return plotter.XYs{{X: r.Inner, Y: q.of(&r.Measured)}} })
	}
	return pen.Done(figure.Grid(ladderFile("temper_ladder", &rows[0].Case, rows[0].Scheme, rows[0].Function), 3, panels, legend))
}

// shownBetween reports whether an inner beta is near those of the ladders. Far from them variances are so large that nothing else could be read.
func shownBetween(rows []temper.LadderRow, beta float64) bool {
	low, high := 1.0, 0.0
	for i := range rows {
		for _, inner := range rows[i].InnerBetas() {
			low, high = min(low, inner), max(high, inner)
		}
	}
	return beta >= low/2 && beta <= (1+high)/2
}

// TemperStonesReport returns the report of estimates of log Z, with a figure for each ladder and scheme, and notes where the sandwich turns round.
func TemperStonesReport(rows []temper.StoneRow) *reports.Report {
	r := reports.New("temper_z", table.New(temper.StoneColumns(), rows))
	about := func(r *temper.StoneRow) string { return fmt.Sprintf("%s, %s", &r.Case, r.Scheme) }
	for _, run := range reports.Grouped(rows, about) {
		r.Add(curves.About("Forward and reverse estimates of log Z", about(&run[0]), run, temperStonesFigure))
	}
	for _, run := range reports.Grouped(rows, func(r *temper.StoneRow) string { return about(r) + ", start " + r.Start }) {
		var turned []string
		for i := range run {
			if run[i].TooLarge == "" && !run[i].Sandwiched() {
				turned = append(turned, strconv.Itoa(run[i].Scans))
			}
		}
		if at := slices.IndexFunc(run, func(r temper.StoneRow) bool { return r.TooLarge != "" }); at >= 0 {
			r.Note("%s, start %s: %s; from a stationary start one scan is known from the rungs alone", about(&run[0]), run[0].Start, run[at].TooLarge)
		}
		if turned != nil {
			r.Note("%s, start %s: at R = %s the truth is not between the forward and the reverse estimate; only scans from stationarity bound it", about(&run[0]), run[0].Start, strings.Join(turned, ", "))
		}
	}
	return r
}

// temperStonesFigure draws the mean logarithms of the forward and the reverse estimate against the number of recorded scans, around the truth. Of
// ladders that are too large it draws those of independent draws, which know no start.
func temperStonesFigure(rows []temper.StoneRow) (*figure.Figure, error) {
	start, of := func(r *temper.StoneRow) string { return "from " + r.Start }, func(r *temper.StoneRow) *temper.Estimated { return &r.Estimated }
	if slices.ContainsFunc(rows, func(r temper.StoneRow) bool { return r.TooLarge != "" }) {
		first := rows[0].Start
		rows = slices.DeleteFunc(slices.Clone(rows), func(r temper.StoneRow) bool { return r.Start != first })
		start, of = func(*temper.StoneRow) string { return "perfect exploration" }, func(r *temper.StoneRow) *temper.Estimated { return &r.Ideal }
	}
	return curves.Drawn(curves.Plot(columns.List{
		curves.Column("start", func(r *temper.StoneRow) any { return start(r) }),
		curves.Column("R", func(r *temper.StoneRow) any { return r.Scans }),
		curves.Column("forward", func(r *temper.StoneRow) any { return of(r).LogForward }),
		curves.Column("reverse", func(r *temper.StoneRow) any { return of(r).LogReverse }),
	}, rows, columns.Plot{
		Name: ladderFile("temper_z", &rows[0].Case, rows[0].Scheme), Log: "x", X: "R", Y: "forward+reverse", By: "start", Across: []float64{0}, AcrossIs: "the truth",
		XLabel: "recorded scans R", YLabel: "log estimate - log Z (nats)", Kinds: "forward|reverse",
	}, 13*vg.Centimeter, 9*vg.Centimeter))
}

// TemperCompareReport returns the report of the comparison of tempering with annealing, with a figure for each ladder and scheme.
func TemperCompareReport(rows []temper.CompareRow) *reports.Report {
	r := reports.New("temper_compare", table.New(temper.CompareColumns(), rows))
	for i := range rows {
		if row := &rows[i]; row.Curve != nil {
			about := fmt.Sprintf("%s, %s", &row.Case, row.Scheme)
			r.Add(curves.About("Tempering, annealing and a plain chain", about, row, temperCompareFigure))
		}
	}
	return r
}

// leastCompared is the least distance that the figure of the comparison shows.
const leastCompared = 1e-8

// temperCompareFigure draws total variation and J of the cold chain, of annealing and of a plain chain against moves, with marks where tempering
// overtakes for good.
func temperCompareFigure(r *temper.CompareRow) (*figure.Figure, error) {
	type at struct {
		sampler       string
		moves         int
		tv, j         float64
		tvMark, jMark bool // where tempering overtakes
	}
	samplers := []struct {
		name  string
		tv, j func(c *temper.Compared) float64
	}{
		{"tempering", func(c *temper.Compared) float64 { return c.Cold.TV.Float() }, func(c *temper.Compared) float64 { return c.Cold.J }},
		{"annealing", func(c *temper.Compared) float64 { return c.AIS.TV.Float() }, func(c *temper.Compared) float64 { return c.AIS.J }},
		{"annealing, one move a scan", func(c *temper.Compared) float64 { return c.Single.TV.Float() }, func(c *temper.Compared) float64 { return c.Single.J }},
		{"plain chain", func(c *temper.Compared) float64 { return c.Plain.TV.Float() }, func(c *temper.Compared) float64 { return c.Plain.J }},
	}
	var points []at
	for i, s := range samplers {
		overtaken := func(of, tempering func(c *temper.Compared) float64) func(c *temper.Compared) bool {
			scans, crosses := temper.Crossing(r.Curve, of, tempering)
			return func(c *temper.Compared) bool {
				return i > 0 && crosses && c.Scans == scans && scans != r.Curve[0].Scans
			}
		}
		tv, j := overtaken(s.tv, samplers[0].tv), overtaken(s.j, samplers[0].j)
		for k := range r.Curve {
			c := &r.Curve[k]
			points = append(points, at{sampler: s.name, moves: c.Moves, tv: s.tv(c), j: s.j(c), tvMark: tv(c), jMark: j(c)})
		}
	}
	shown := func(name string, of func(*at) float64, where func(*at) bool) columns.Field {
		return curves.Column(name, func(p *at) any {
			if v := of(p); v >= leastCompared && where(p) {
				return v
			}
			return nil
		})
	}
	tv, j, all := func(p *at) float64 { return p.tv }, func(p *at) float64 { return p.j }, func(*at) bool { return true }
	return curves.Tiles(columns.List{
		curves.Column("sampler", func(p *at) any { return p.sampler }), curves.Column("moves", func(p *at) any { return p.moves }),
		shown("TV", tv, all), shown("tempering overtakes", tv, func(p *at) bool { return p.tvMark }),
		shown("J", j, all), shown("tempering overtakes in J", j, func(p *at) bool { return p.jMark }),
	}, points, columns.Plot{
		Name: ladderFile("temper_compare", &r.Case, r.Scheme), Log: "xy", X: "moves", Y: "TV+tempering overtakes|J+tempering overtakes in J", By: "sampler", Lines: true,
		Dots: "tempering overtakes+tempering overtakes in J", YLabel: "TV|J (nats)", Kinds: "of the last state|where tempering overtakes",
	})
}

// temperUpFigure draws, by the state of the cold chain, the probability that the replica in the middle of a ladder of three is on its way up (see
// replicas.Rate). With perfect exploration it would be the same everywhere.
func temperUpFigure(r *temper.Row) (*figure.Figure, error) {
	p, err := data.PictureOf(r.Toy)
	if err != nil {
		return nil, err
	}
	shades, err := curves.Shades()
	if err != nil {
		return nil, err
	}
	up := r.Rate.Up[1]
	shown := data.ShownValues(r.Toy, p, up)
	low, high := slices.Min(shown), slices.Max(shown)
	if high == low {
		high = low + 1
	}
	f := figure.New(ladderFile("temper_up", &r.Case, r.Scheme), func(s figure.Style) figure.Page {
		return data.StateMap{
			Toy: r.Toy, Picture: p, Values: up, Low: low, High: high, Shade: func(v float64) color.Color { return shades((v - low) / (high - low)) },
			Caption: fmt.Sprintf("P(middle replica on its way up) by the cold chain's state, %s. ", data.RowName(r.Toy.Name)), Letters: 8,
		}.Page(s)
	})
	f.Title = "The probability that the middle replica is on its way up, by the state of the cold chain: " + r.Case.String()
	f.Data = &table.Table{Columns: []table.Column{
		{Name: "state", Type: table.String, Title: "state", Meaning: "the state of the replica at the target"},
		{Name: "up", Type: table.Float, Title: "up", Meaning: "the probability that the replica in the middle is on its way up"},
	}}
	for x, v := range up {
		f.Data.Rows = append(f.Data.Rows, []any{r.Toy.State(x), v})
	}
	return f, nil
}
