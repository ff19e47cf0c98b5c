package checks

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/targets"
)

// KernelsReport returns the report that lists the kernels of the library.
func KernelsReport(forms []selector.Description) *reports.Report {
	return reports.New("kernels", Kernels(forms))
}

// Kernels returns the table of the library of kernels.
func Kernels(forms []selector.Description) *table.Table {
	return table.New([]table.Field[selector.Description]{
		{Column: table.Column{Name: "kernel", Type: table.String, Title: "kernel", Meaning: columns.MeansKernel}, Of: func(f *selector.Description) any { return f.Syntax }},
		{Column: table.Column{Name: "reversible", Type: table.Bool, Title: "reversible", Meaning: "whether the kernel is reversible"}, Of: func(f *selector.Description) any { return f.Reversible }},
		{Column: table.Column{Name: "description", Type: table.String, Prose: true, Title: "description", Meaning: "what the kernel does"}, Of: func(f *selector.Description) any { return f.Doc }},
	}, forms)
}

// KernelCheckReport returns the report of the examination of a kernel, which is named by its selector: for people a summary and the
// findings that say fault or open, or all of them where the report is made Whole. It has the figure of its
// spectral gap and figures of the states at which it is wrong. It has a Fault where the kernel is wrong.
func KernelCheckReport(selector string, checks []kernelcheck.Row) *reports.Report {
	r := &reports.Report{}
	fields, findings := kernelcheck.FindingColumns(), kernelFindings(checks)
	r.Add(reports.Table{
		Name: "kernel_check", Table: table.New(fields, findings), Brief: table.New(fields, check.Unsettled(findings)),
		Summary: func(paint func(string) string) string { return kernelSummary(selector, checks, paint) },
	})
	r.Checked = check.Cases(fields, findings)
	r.Add(reports.Figure{
		Title:   "Spectral gap against the inverse temperature",
		Missing: "no figure of the spectral gap", File: "spectral_gap",
		Draw: func() (*figure.Figure, error) { return GapFigure(checks) },
	})
	wrong := false
	for i := range checks {
		wrong = wrong || checks[i].Wrong()
		// Missing is empty: a right kernel has no defect, and no note is needed about a figure that does not exist.
		r.Add(reports.Figure{Title: "What a move changes of the probabilities on " + checks[i].Toy.Name, Draw: func() (*figure.Figure, error) { return DefectFigure(&checks[i]) }})
	}
	if wrong && programsAlone(checks) {
		r.Fault = chains.NewFault(errors.New("the program of the kernel failed, and nothing is known of the kernel itself; see what is said of the program"))
	} else if wrong {
		r.Fault = chains.NewFault(errors.New("the kernel is wrong; see the findings that say fault"))
		if builtIn(checks) {
			r.Fault = chains.NewFault(chains.NewAdvice("the kernel is right at beta 1 and wrong at every other; where it has its target built in, give {beta} 1"))
		}
	} else {
		r.Note("%s", kernelcheck.Conclusion(selector, checks))
	}
	for i := range checks {
		if checks[i].Open() {
			r.Note("what says open is not decided: no bound is known, or one that is too wide")
			break
		}
	}
	return r
}

// programsAlone reports whether no finding of the checks is about anything but the program of a kernel, such as one that does not start.
func programsAlone(checks []kernelcheck.Row) bool {
	for i := range checks {
		for _, f := range checks[i].Findings {
			if f.Name != kernelcheck.ProgramFinding {
				return false
			}
		}
	}
	return true
}

// kernelFindings returns the findings on all toys.
func kernelFindings(checks []kernelcheck.Row) (out []kernelcheck.Finding) {
	for i := range checks {
		out = append(out, checks[i].Findings...)
	}
	return out
}

// GapFigure draws the spectral gap against beta on a logarithmic axis, one line a toy. It fails where no toy has
// two gaps to join.
func GapFigure(checks []kernelcheck.Row) (*figure.Figure, error) {
	var curves []gapAgainstBeta
	for _, k := range checks {
		curves = append(curves, gapAgainstBeta{k.Toy.Name, k.Betas, k.SpectralGaps})
	}
	return gapsFigure(curves)
}

// gapAgainstBeta is a line of a figure of spectral gaps.
type gapAgainstBeta struct {
	name        string
	betas, gaps []float64 // gaps may be NaN, where there is none
}

// gapsFigure draws spectral gaps against beta on a logarithmic axis. It fails where no line has two gaps to join.
func gapsFigure(curves []gapAgainstBeta) (*figure.Figure, error) {
	p := figure.NewPanel("", "inverse temperature beta", "spectral gap")
	p.Y.Tick.Marker = figure.Decades{}
	lines := 0
	for i, c := range curves {
		var points plotter.XYs
		for j, gap := range c.gaps {
			if gap > 1e-15 {
				points = append(points, plotter.XY{X: c.betas[j], Y: math.Log10(gap)})
			}
		}
		mark := figure.Full(i)
		drawn, err := figure.Curve(p, c.name, points, mark)
		if err != nil {
			return nil, err
		}
		if drawn {
			lines++
			p.Legend.Add(c.name, mark)
		}
	}
	if lines == 0 {
		return nil, errors.New("nothing to draw: no toy has a spectral gap at two betas")
	}
	p.RoomAround(0.02, 0.05)
	return figure.Alone("spectral_gap", 11*vg.Centimeter, 8*vg.Centimeter, p), nil
}

// smallestDefect is the violation of invariance below which a figure would show nothing but rounding.
const smallestDefect = 1e-12

// DefectFigure draws at which states a kernel fails to leave the distribution invariant: (p T)(x) - p(x) of every state x,
// at the beta where this is largest, blue where a state loses mass and red where it gains mass. A grid that is no plane is drawn as slices
// or marginals. It fails on graphs that are too large to draw, and where there is no defect.
func DefectFigure(k *kernelcheck.Row) (*figure.Figure, error) {
	p, err := targets.PictureOf(k.Toy)
	if err != nil {
		return nil, err
	}
	high := 0.0
	for _, v := range targets.ShownValues(k.Toy, p, k.Defect) {
		high = max(high, math.Abs(v))
	}
	if high < smallestDefect {
		return nil, fmt.Errorf("toy %s: no defect to draw", k.Toy.Name)
	}
	f := figure.New(reports.FileName("defect_"+k.Toy.Name), func(s figure.Style) figure.Page { return defectPage(s, k, p, high) })
	f.Title = fmt.Sprintf("What a move of %s changes of the probability of each state of %s, beta = %g", k.Kernel, k.Toy.Name, k.DefectBeta)
	f.Data = &table.Table{Columns: []table.Column{
		{Name: "state", Type: table.String, Title: "state", Meaning: "the state"},
		{Name: "defect", Type: table.Float, Title: "(pT)(x) - p(x)", Meaning: "what a move changes of the probability of the state"},
	}}
	for x, v := range k.Defect {
		f.Data.Rows = append(f.Data.Rows, []any{k.Toy.State(x), v})
	}
	return f, nil
}

// defectPage lays out the figure of a defect of at most some size.
func defectPage(s figure.Style, k *kernelcheck.Row, p targets.Picture, high float64) figure.Page {
	colors, em := s.Diverging(), s.Letters()
	shade := func(v float64) color.Color { return colors(v / high) }
	names, beside, margin := vg.Length(0), 4.5*em, 0.8*em
	if p == targets.Bars {
		names, beside = targets.BarNames*vg.Length(s.Scale()), 0
	}
	size := 6 * vg.Centimeter * vg.Length(s.Scale())
	if s.Width > 0 {
		size = s.Width - 2*margin - names - beside
	}
	height := targets.HeightOf(k.Toy, p, size, s.Scale())
	width := size + 2*margin + names + beside
	title, note := figure.Label(s.Size(9), text.XLeft, text.YTop), figure.Label(s.Size(7.5), text.XLeft, text.YTop)
	heading := figure.Wrapped(fmt.Sprintf("%s on %s, beta = %g", k.Kernel, targets.RowName(k.Toy.Name), k.DefectBeta), title, width-2*margin)
	caption := figure.Wrapped(strings.TrimSpace("(pT)(x) - p(x): "+s.DivergingNames()+". "+targets.PartsNote(k.Toy, p)), note, width-2*margin)
	above, below := title.Height(heading)+0.5*em, note.Height(caption)+0.5*em
	return figure.Page{Width: width, Height: 2*margin + above + height + below, Draw: func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		left, top := c.Min.X+margin, c.Max.Y-margin
		c.FillText(title, vg.Point{X: left, Y: top + title.FontExtents().Descent}, heading)
		box := vg.Rectangle{Min: vg.Point{X: left + names, Y: top - above - height}, Max: vg.Point{X: left + names + size, Y: top - above}}
		targets.DrawStates(c, s, k.Toy, p, k.Defect, -high, high, shade, box, true)
		if beside > 0 {
			scale := vg.Rectangle{Min: vg.Point{X: box.Max.X + 0.8*em, Y: box.Min.Y}, Max: vg.Point{X: box.Max.X + 1.6*em, Y: box.Max.Y}}
			figure.ColourBar(c, s, scale, -high, high, func(v float64) float64 { return (v/high + 1) / 2 }, func(at float64) float64 { return high * (2*at - 1) }, shade)
		}
		c.FillText(note, vg.Point{X: left, Y: box.Min.Y - 0.5*em}, caption)
	}}
}
