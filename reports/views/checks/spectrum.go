package checks

import (
	"fmt"
	"slices"

	"breadboard/exact/kernel"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/kernelcheck"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/targets"
)

// SpectrumReport returns the report of the spectral gap of a kernel against beta, with a figure. Its notes say which gaps are missing,
// and what is left open where they are not proven.
func SpectrumReport(rows []kernelcheck.SpectrumRow) *reports.Report {
	r := reports.New("spectrum", Spectrum(rows))
	r.Add(reports.Figure{
		Title:   "Spectral gap against the inverse temperature",
		Missing: "no figure of the spectral gap", File: "spectral_gap",
		Draw: func() (*figure.Figure, error) { return SpectrumFigure(rows) },
	})
	for i := range rows {
		if row := &rows[i]; row.Missing != "" {
			r.Note("%s, beta %v: there is no spectral gap: %s", row.Case.Toy.Title(), row.Beta, row.Missing)
		}
	}
	if slices.ContainsFunc(rows, func(row kernelcheck.SpectrumRow) bool { return !row.Proven && row.Missing == "" }) {
		r.Note("each gap is that of an eigenvalue; none leaves a gap below gap_floor, except with a probability of %.0e over starts of the search", kernel.MissRisk)
	}
	return r
}

func spectrumFields() []table.Field[kernelcheck.SpectrumRow] {
	return slices.Concat(
		table.Titled(experiments.CaseColumns(func(r *kernelcheck.SpectrumRow) *experiments.Case { return &r.Case }, "toy", "path", "initial", "kernel"), "kernel"),
		[]table.Field[kernelcheck.SpectrumRow]{
			{Column: table.Column{Name: "beta", Type: table.Float, Title: "beta", Meaning: "where on the path the distribution is; 1 is the target"}, Of: func(r *kernelcheck.SpectrumRow) any { return r.Beta }},
			{Column: table.Column{Name: "spectral_gap", Type: table.Float, Title: "spectral gap", Meaning: "1 - |second eigenvalue| of the kernel; empty where there is none"}, Of: func(r *kernelcheck.SpectrumRow) any { return columns.OrEmpty(r.Gap) }},
			{Column: table.Column{Name: "relaxation_time", Type: table.Float, Title: "relaxation time", Unit: "moves", Meaning: "1 over the spectral gap; +Inf where that is zero"}, Of: func(r *kernelcheck.SpectrumRow) any { return columns.OrEmpty(r.Relaxation) }},
			{Column: table.Column{Name: "gap_error", Type: table.Float, Meaning: "how far the spectral gap may be off; empty where nothing bounds that"}, Of: func(r *kernelcheck.SpectrumRow) any { return columns.OrEmpty(r.Error) }},
			{Column: table.Column{Name: "gap_floor", Type: table.Float, Title: "at least", Digits: 3, Meaning: "a lower bound of the spectral gap; empty where none is known"}, Of: func(r *kernelcheck.SpectrumRow) any { return columns.OrEmpty(r.Floor) }},
			{Column: table.Column{Name: "proven", Type: table.Bool, Meaning: "whether gap_floor is proven, and not only likely"}, Of: func(r *kernelcheck.SpectrumRow) any { return r.Proven }},
			{Column: table.Column{Name: "second_eigenvalue_real", Type: table.Float, Meaning: "the real part of the eigenvalue of largest modulus apart from the one of the distribution"}, Of: func(r *kernelcheck.SpectrumRow) any { return columns.OrEmpty(real(r.Second)) }},
			{Column: table.Column{Name: "second_eigenvalue_imaginary", Type: table.Float, Meaning: "the imaginary part of that eigenvalue"}, Of: func(r *kernelcheck.SpectrumRow) any { return columns.OrEmpty(imag(r.Second)) }},
			{Column: table.Column{Name: "classes", Type: table.Int, Meaning: "classes of states that do not reach each other; 1 is irreducible"}, Of: func(r *kernelcheck.SpectrumRow) any { return r.Classes }},
			{Column: table.Column{Name: "period", Type: table.Int, Meaning: "the number of moves in which the kernel goes round in cycles; 1 where it does not"}, Of: func(r *kernelcheck.SpectrumRow) any { return r.Period }},
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *kernelcheck.SpectrumRow) any { return r.Missing }},
		})
}

// Spectrum returns the table of the spectral gap against beta.
func Spectrum(rows []kernelcheck.SpectrumRow) *table.Table { return table.New(spectrumFields(), rows) }

// SpectrumFigure draws the spectral gap against beta on a logarithmic axis, one line for each toy and kernel. It fails where none has
// two gaps to join.
func SpectrumFigure(rows []kernelcheck.SpectrumRow) (*figure.Figure, error) {
	var curves []gapAgainstBeta
	for _, run := range reports.ByCase(rows, func(r *kernelcheck.SpectrumRow) *experiments.Case { return &r.Case }) {
		c := gapAgainstBeta{name: fmt.Sprintf("%s, %s", targets.RowName(run[0].Toy.Name), run[0].Param("kernel"))}
		for _, r := range run {
			c.betas, c.gaps = append(c.betas, r.Beta), append(c.gaps, r.Gap)
		}
		curves = append(curves, c)
	}
	return gapsFigure(curves)
}
