package mcmc

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/number"
	"breadboard/exact/weights"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SamplersLawsReport returns the report of the distributions of the mean of several chains, with
// its figures.
func SamplersLawsReport(rows []samplers.LawsRow) *reports.Report {
	r := reports.New("samplers_laws", SamplersLaws(rows))
	r.PlotLater(columns.Plot{
		Name: "samplers_laws_mean", Title: "Distribution of the mean of a chain", Log: "none", X: "from", Until: "to", Y: "exact distribution+N(0, tau/N)",
		Bars: "exact distribution", Upright: "truth", Panels: "of", Lines: true, Free: true,
		XLabel: "error of the mean (sd of the target)", YLabel: "density (of stems: P / distance)", Why: chains.NewAdvice("nothing to draw: there are no rows"),
	}, func() *table.Table { return meanLaws(rows) })
	r.Add(curves.Figure("Distribution of R-hat", "no figure of R-hat", rows, samplersRHatFigure))
	var cells [][]any
	for i := range rows {
		if row := &rows[i]; row.RHat != nil {
			cells = append(cells, []any{row.N, samplersName(&row.Setting), columns.AtLeast(leastRHat, row.RHat.BelowStrictAndWrong),
				columns.AtLeast(leastRHat, row.RHat.ConstantAndWrong)})
		}
	}
	r.Plots(curves.Cells(cells, "N", "setting", "R-hat < 1.01 and wrong", "constant and wrong"), columns.Plot{
		Name: "samplers_laws_assurance", Title: "How often R-hat passes a wrong answer", Log: "xy", X: "N", Y: "R-hat < 1.01 and wrong+constant and wrong",
		By:     "setting",
		XLabel: "number of samples N of each chain", YLabel: "probability", Joined: true,
	})
	var notes []samplers.Note
	for i := range rows {
		if row := &rows[i]; row.TauNote != "" {
			notes = append(notes, samplers.Note{About: fmt.Sprintf("toy %s, kernel %s", row.Toy.Name, row.Kernel), Text: row.TauNote})
		}
	}
	samplersNotes(r, notes)
	for i := range rows {
		for _, note := range rows[i].Notes {
			r.Note("%v: %s", &rows[i].Setting, note)
		}
	}
	return r
}

// SamplersLaws returns the table of the distributions, a row for each kind of chain, function and
// number of samples.
func SamplersLaws(rows []samplers.LawsRow) *table.Table {
	fields := samplers.Laws().Declaration.Columns
	for i := range fields {
		switch fields[i].Name {
		case "p_success":
			fields[i].Of = columns.Cells(successCell)
		case "p_success_var":
			fields[i].Of = otherCell(func(r *samplers.LawsRow) (low, high float64) { return r.Others.Variance.Low, r.Others.Variance.High })
		case "p_success_ks":
			fields[i].Of = otherCell(func(r *samplers.LawsRow) (low, high float64) { return r.Others.KS.Low, r.Others.KS.High })
		}
	}
	return table.New(fields, rows)
}

// successCell is the probability of success. Where only bounds of it are known, people see the
// digits on which they agree, or the bounds.
func successCell(r *samplers.LawsRow) any {
	if !math.IsNaN(r.Success.P) {
		return r.Success.P
	}
	return table.Both{Machine: r.Success.P, People: bracketText(r.Success.Low, r.Success.High)}
}

// otherCell is the probability of success of another estimate, of which bounds alone are known, or
// nothing.
func otherCell(of func(*samplers.LawsRow) (low, high float64)) func(row any) any {
	return columns.Cells(func(r *samplers.LawsRow) any {
		low, high := of(r)
		middle := low + (high-low)/2
		if math.IsNaN(middle) {
			return middle
		}
		return table.Both{Machine: middle, People: bracketText(low, high)}
	})
}

// bracketText is what people see of a probability of which bounds are known.
func bracketText(low, high float64) any {
	return reports.Probability(weights.Bracket{Value: low + (high-low)/2, Low: low, High: high}, 4)
}

// maxSamplersPanels is the largest number of panels in a figure of chains, and samplersColumns how
// many stand beside each other.
const (
	maxSamplersPanels = 9
	samplersColumns   = 3
)

// samplersName names the chains and the function of a setting above a panel or in a legend.
func samplersName(s *samplers.Setting) string {
	return s.Toy.Name + ", " + s.Kernel + ", " + s.Start.Name + ", " + s.Function.Name
}

// longest returns the row of the most samples of each kind of chain and function that keep takes,
// in their order and as many as a figure has panels.
func longest(rows []samplers.LawsRow, keep func(*samplers.LawsRow) bool) (out []*samplers.LawsRow) {
	for _, group := range reports.Grouped(rows, func(r *samplers.LawsRow) string { return samplersName(&r.Setting) }) {
		most := slices.MaxFunc(group, func(a, b samplers.LawsRow) int { return cmp.Compare(a.N, b.N) })
		if keep(&most) && len(out) < maxSamplersPanels {
			out = append(out, &most)
		}
	}
	return out
}

// columnsOf returns how many of that many panels stand beside each other.
func columnsOf(panels int) int {
	if panels == 4 {
		return 2
	}
	return min(panels, samplersColumns)
}

// tileName names the chains of a row and the number of their samples above a panel.
func tileName(s *samplers.Setting, n int64) string {
	return fmt.Sprintf("%s, %s, %s from %s, N = %d", s.Toy.Name, s.Kernel, s.Function.Name, s.Start.Name, n)
}

// meanBars is about how many bars show the distribution of a mean.
const meanBars = 50

// meanLaws returns the distribution of the mean of each kind of chain at its largest number of
// samples, as a density of the error in standard deviations of the target, with the normal
// distribution of variance tau/N that it tends to. It has all but 1e-3 of the mass.
func meanLaws(rows []samplers.LawsRow) *table.Table {
	var cells [][]any
	for _, r := range longest(rows, func(*samplers.LawsRow) bool { return true }) {
		of, sd := tileName(&r.Setting, r.N), math.Sqrt(r.Tau.Float()/float64(r.N))
		bars := meanLaw(r)
		for _, b := range bars {
			cells = append(cells, []any{of, b.From, b.To, b.Height, nil, 0.0})
		}
		for i := range 201 {
			x := bars[0].From + (bars[len(bars)-1].To-bars[0].From)*float64(i)/200
			cells = append(cells, []any{of, x, x, nil, math.Exp(-x*x/(2*sd*sd)) / (sd * math.Sqrt(2*math.Pi)), 0.0})
		}
	}
	return curves.Cells(cells, "of", "from", "to", "exact distribution", "N(0, tau/N)", "truth")
}

// meanLaw returns the distribution of a row's mean as bars of a density, without 5e-4 of the mass
// at either end. Neighbouring values share a bar if there are many of them, and else each has one
// without width.
func meanLaw(r *samplers.LawsRow) (bars []figure.Bar) {
	const left = 5e-4
	l := r.Sum
	first, last := 0, len(l.P)-1
	for below := l.P[first]; below < left && first < last; below += l.P[first] {
		first++
	}
	for above := l.P[last]; above < left && last > first; above += l.P[last] {
		last--
	}
	f := r.Function.Parts[0]
	n, step := float64(l.N), float64(l.Step)
	width := step / (n * f.SD)
	at := func(i int) float64 { return ((float64(l.Low)+float64(i)*step)/n - f.Mean) / f.SD }
	each := max(1, int(math.Ceil(float64(last-first+1)/meanBars)))
	for i := first; i <= last; i += each {
		b := figure.Bar{From: at(i), To: at(i)}
		if each > 1 {
			b.From, b.To = at(i)-width/2, at(i)+(float64(each)-0.5)*width
		}
		for _, p := range l.P[i:min(len(l.P), i+each)] {
			b.Height += p / (float64(each) * width)
		}
		bars = append(bars, b)
	}
	return bars
}

// leastRHat is the smallest probability that the figure of R-hat shows, and rhatBars the number of
// bars for values of R-hat.
const (
	leastRHat = 1e-6
	rhatBars  = 40
)

// samplersRHatFigure draws the distribution of R-hat of each kind of chain at its largest number of
// samples, and in front of it the part in which the pooled mean is wrong; at the right stand chains
// that never change: R-hat is infinite if they differ, and there is none if they are equal. The
// horizontal axis is logarithmic in the distance from the least value that R-hat can have, the
// vertical one in the probability of a bar. It fails if no function has the values 0 and 1 alone,
// and if the rows do not have the whole distribution (see samplers.LawsOptions).
func samplersRHatFigure(rows []samplers.LawsRow) (*figure.Figure, error) {
	all, wrong := figure.Color(5), figure.Color(1)
	var plots []*figure.Panel
	for _, r := range longest(rows, func(r *samplers.LawsRow) bool { return r.RHat != nil && r.RHat.Law != nil }) {
		p := figure.NewPanel(tileName(&r.Setting, r.N), fmt.Sprintf("R-hat of %d chains (none: constant)", r.Chains), "probability")
		c := newRHatChart(r)
		p.X.Tick.Marker, p.Y.Tick.Marker = c, figure.Decades{}
		figure.AddBars(p, "exact distribution", &figure.Bars{Bars: c.bars(false), Fill: all})
		figure.AddBars(p, "mean off by > sd/2", &figure.Bars{Bars: c.bars(true), Fill: wrong})
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = c.low-0.1, c.beyond(1)+0.5, number.Log10(leastRHat), 0
		for _, limit := range []float64{diagnostics.StrictRHat, diagnostics.LooseRHat} {
			at := c.at(limit)
			p.Add(&plotter.Line{XYs: plotter.XYs{{X: at, Y: p.Y.Min}, {X: at, Y: p.Y.Max}}, LineStyle: limitLine()})
		}
		plots = append(plots, p)
	}
	if len(plots) == 0 {
		return nil, chains.NewAdvice("nothing to draw: give two samples or more of a function with the values 0 and 1, as in {function} mode")
	}
	var legend figure.Legend
	legend.Add("exact distribution", figure.Swatch{Color: all})
	legend.Add("mean off by > sd/2", figure.Swatch{Color: wrong})
	legend.Add("R-hat 1.01, 1.1", &plotter.Line{LineStyle: limitLine()})
	return figure.Sheet{
		Name: "samplers_laws_rhat", Rows: [][]*figure.Panel{plots}, Columns: columnsOf(len(plots)), Width: 8 * vg.Centimeter, Height: 6 * vg.Centimeter,
		Least: 22, Legend: legend, Beside: true,
	}.Figure(), nil
}

func limitLine() draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{0x40}, Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
}

// rhatChart is a distribution of R-hat in bars.
type rhatChart struct {
	least      float64      // the least value of R-hat, which chains with equal means have
	low, high  float64      // the range of the axis that values of R-hat take
	mass       [2][]float64 // the probability of each bar, and the part of it in which the mean is wrong
	equal, off [2]float64   // chains that never change, all equal and not
}

func newRHatChart(r *samplers.LawsRow) *rhatChart {
	n := float64(r.N)
	c := &rhatChart{least: math.Sqrt((n - 1) / n), equal: [2]float64{r.RHat.Constant, r.RHat.ConstantAndWrong}}
	c.low = c.at(1) - 2
	c.high = c.at(2)
	points := r.RHat.Law.Points()
	for _, point := range points {
		if point.P > leastRHat/10 {
			c.high = max(c.high, c.at(point.RHat))
		}
	}
	c.mass = [2][]float64{make([]float64, rhatBars), make([]float64, rhatBars)}
	wrong := r.RHat.Wrong - r.RHat.ConstantAndWrong
	for _, point := range points {
		i := int(rhatBars * (c.at(point.RHat) - c.low) / (c.high - c.low))
		i = min(max(i, 0), rhatBars-1)
		c.mass[0][i] += point.P
		c.mass[1][i] += point.Wrong
		wrong -= point.Wrong
	}
	c.off = [2]float64{r.RHat.Infinite, max(0, wrong)}
	return c
}

// at returns where a value of R-hat stands on the axis. The least value stands at the low end.
func (c *rhatChart) at(v float64) float64 {
	at := number.Log10(v - c.least)
	if !(at > c.low) && c.low != 0 {
		return c.low
	}
	return at
}

// bars returns the bars of the distribution, or of its wrong part.
func (c *rhatChart) bars(wrong bool) (out []figure.Bar) {
	k := 0
	if wrong {
		k = 1
	}
	width := (c.high - c.low) / rhatBars
	for i, mass := range c.mass[k] {
		out = append(out, figure.Bar{From: c.low + float64(i)*width, To: c.low + float64(i+1)*width, Height: number.Log10(mass)})
	}
	for i, mass := range []float64{c.off[k], c.equal[k]} {
		out = append(out, figure.Bar{From: c.beyond(i) - 0.15, To: c.beyond(i) + 0.15, Height: number.Log10(mass)})
	}
	return out
}

// beyond returns where the bars of chains that never change stand.
func (c *rhatChart) beyond(i int) float64 { return c.high + (c.high-c.low)*(0.12+0.25*float64(i)) }

// Value returns the value of R-hat at a place of the axis: infinite if chains never change and
// differ, and NaN if they are equal.
func (c *rhatChart) Value(at float64) float64 {
	switch {
	case at > (c.beyond(0)+c.beyond(1))/2:
		return math.NaN()
	case at > c.high+1e-9:
		return math.Inf(1)
	}
	return c.least + math.Pow(10, at)
}

// Ticks implements plot.Ticker.
func (c *rhatChart) Ticks(low, high float64) []plot.Tick { return c.Choices(low, high)[0] }

// Choices returns ticks with the labels for which there may be room: all of them, and then without
// one value after another, those by which chains are judged and those of chains that never change
// last.
func (c *rhatChart) Choices(_, _ float64) (choices [][]plot.Tick) {
	spare := []float64{1000, 1.3, 1.03, 1, 5, 100, diagnostics.LooseRHat, 10, 2, diagnostics.StrictRHat}
	for without := range spare {
		var ticks []plot.Tick
		for _, v := range slices.Sorted(slices.Values(spare)) {
			if at := c.at(v); at <= c.high {
				t := plot.Tick{Value: at}
				if !slices.Contains(spare[:without], v) {
					t.Label = strconv.FormatFloat(v, 'g', -1, 64)
				}
				ticks = append(ticks, t)
			}
		}
		choices = append(choices, append(ticks, plot.Tick{Value: c.beyond(0), Label: "inf"}, plot.Tick{Value: c.beyond(1), Label: "none"}))
	}
	return choices
}
