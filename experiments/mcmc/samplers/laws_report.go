package samplers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/exact/weights"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// lawsReport returns the report of the distributions of the mean of several chains, with
// its figures.
func lawsReport(rows []LawsRow) *reports.Report {
	r := reports.New("samplers_laws", lawsTable(rows))
	r.PlotLater(columns.Plot{
		Name:  "samplers_laws_mean",
		Title: "Distribution of the mean of a chain",
		Parts: []columns.Part{{
			X:      "from",
			XLabel: "error of the mean (sd of the target)",
			Until:  "to",
			Y:      []string{"exact distribution", "N(0, tau/N)"},
			YLabel: "density", StemsAre: " (stems: P / distance)",
		}},
		Bars:    []string{"exact distribution"},
		Upright: []string{"truth"},
		Panels:  []string{"of"},
		Lines:   true,
		Free:    true,
		Why:     errs.New("nothing to draw: there are no rows"),
	}, func() *table.Table { return meanLaws(rows) })
	var cells [][]any
	for i := range rows {
		if row := &rows[i]; row.RHat != nil {
			cells = append(cells, []any{
				row.N, samplersName(&row.Setting), columns.AtLeast(leastRHat, row.RHat.BelowStrictAndWrong),
				columns.AtLeast(leastRHat, row.RHat.ConstantAndWrong)})
		}
	}
	r.Plots(curves.Cells(cells, "N", "setting", "R-hat < 1.01 and wrong", "constant and wrong"), columns.Plot{
		Name:  "samplers_laws_assurance",
		Title: "How often R-hat passes a wrong answer",
		Parts: []columns.Part{{
			X:      "N",
			XLabel: "number of samples N of each chain",
			XScale: columns.Decades,
			Y:      []string{"R-hat < 1.01 and wrong", "constant and wrong"},
			YLabel: "probability",
			YScale: columns.Decades,
		}},
		By:     []string{"setting"},
		Joined: true,
	})
	var notes []Note
	for i := range rows {
		if row := &rows[i]; row.TauNote != "" {
			notes = append(notes, Note{
				About: fmt.Sprintf("toy %s, kernel %s", row.Toy.Name, row.Kernel),
				Text:  row.TauNote,
			})
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

// lawsTable returns the table of the distributions, a row for each kind of chain, function and
// number of samples.
func lawsTable(rows []LawsRow) *table.Table {
	fields := Laws().Declaration.Columns
	for i := range fields {
		switch fields[i].Name {
		case "p_success":
			fields[i].Of = columns.Cells(successCell)
		case "p_success_var":
			fields[i].Of = otherCell(func(r *LawsRow) (low, high float64) {
				return r.Others.Variance.Low, r.Others.Variance.High
			})
		case "p_success_ks":
			fields[i].Of = otherCell(
				func(r *LawsRow) (low, high float64) { return r.Others.KS.Low, r.Others.KS.High },
			)
		}
	}
	return table.New(fields, rows)
}

// successCell is the probability of success. Where only bounds of it are known, people see the
// digits on which they agree, or the bounds.
func successCell(r *LawsRow) any {
	if !math.IsNaN(r.Success.P) {
		return r.Success.P
	}
	return table.Both{Machine: r.Success.P, People: bracketText(r.Success.Low, r.Success.High)}
}

// otherCell is the probability of success of another estimate, of which bounds alone are known, or
// nothing.
func otherCell(of func(*LawsRow) (low, high float64)) func(row any) any {
	return columns.Cells(func(r *LawsRow) any {
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

// maxSamplersPanels is the largest number of panels in a figure of chains.
const maxSamplersPanels = 9

// samplersName names the chains and the function of a setting above a panel or in a legend.
func samplersName(s *Setting) string {
	return s.Toy.Name + ", " + s.Kernel + ", " + s.Start.Name + ", " + s.Function.Name
}

// longestRows returns the row of the most samples of each kind of chain and function that keep
// takes, in their order and as many as a figure has panels.
func longestRows(rows []LawsRow, keep func(*LawsRow) bool) (out []*LawsRow) {
	for _, group := range reports.Grouped(rows, func(r *LawsRow) string { return samplersName(&r.Setting) }) {
		most := slices.MaxFunc(group, func(a, b LawsRow) int { return cmp.Compare(a.N, b.N) })
		if keep(&most) && len(out) < maxSamplersPanels {
			out = append(out, &most)
		}
	}
	return out
}

// tileName names the chains of a row and the number of their samples above a panel.
func tileName(s *Setting, n int64) string {
	return fmt.Sprintf("%s, %s, %s from %s, N = %d", s.Toy.Name, s.Kernel, s.Function.Name, s.Start.Name, n)
}

// meanBars is about how many bars show the distribution of a mean.
const meanBars = 50

// meanLaws returns the distribution of the mean of each kind of chain at its largest number of
// samples, as a density of the error in standard deviations of the target, with the normal
// distribution of variance tau/N that it tends to. It has all but 1e-3 of the mass.
func meanLaws(rows []LawsRow) *table.Table {
	var cells [][]any
	for _, r := range longestRows(rows, func(*LawsRow) bool { return true }) {
		of := tileName(&r.Setting, r.N)
		sd := math.Sqrt(r.Tau.Float() / float64(r.N))
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
func meanLaw(r *LawsRow) (bars []figure.Bar) {
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
	n := float64(l.N)
	step := float64(l.Step)
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

// leastRHat is the least probability in the figure of what R-hat assures.
const leastRHat = 1e-6
