package kernel

import (
	"fmt"
	"slices"

	"breadboard/exact/kernel"
	"breadboard/experiments/data/show"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// SpectrumReport returns the report of the spectral gap of a kernel against beta, with a figure.
// Its notes say which gaps are missing, and which are not proven.
func SpectrumReport(rows []SpectrumRow) *reports.Report {
	r := reports.New("spectrum", spectrumTable(rows))
	var gaps [][]any
	for i := range rows {
		gaps = append(gaps, []any{fmt.Sprintf("%s, %s",
			show.RowName(rows[i].Toy), rows[i].Param("kernel")), rows[i].Beta, rows[i].Gap})
		if row := &rows[i]; row.Missing != "" {
			r.Note("%s, beta %v: there is no spectral gap: %s", row.Case.Toy.Title(), row.Beta, row.Missing)
		}
	}
	plotGaps(r, gaps)
	if slices.ContainsFunc(rows, func(row SpectrumRow) bool { return !row.Proven && row.Missing == "" }) {
		r.Note("each gap is that of an eigenvalue; none leaves a gap below gap_floor, except with a "+
			"probability of %.0e over starts of the search",
			kernel.MissRisk)
	}
	return r
}

// spectrumTable returns the table of the spectral gap against beta.
func spectrumTable(rows []SpectrumRow) *table.Table {
	return table.New(slices.Concat(table.Titled(subject.CaseColumns(
		(*SpectrumRow).TheCase,
		"toy",
		"path",
		"initial",
		"kernel",
	), "kernel"),
		columns.List{
			columns.Of("beta", "beta", "where on the path the distribution is; 1 is the target",
				func(r *SpectrumRow) float64 { return r.Beta }),
			columns.Of("spectral_gap", "spectral gap",
				"1 - |second eigenvalue| of the kernel; empty if there is none",
				func(r *SpectrumRow) float64 { return r.Gap }).OrEmpty(),
			columns.Of("relaxation_time", "relaxation time (moves)", "1 over the spectral gap; +Inf if that is zero",
				func(r *SpectrumRow) float64 { return r.Relaxation }).OrEmpty(),
			columns.Of("gap_error", "", "how far the spectral gap may be off; empty if nothing bounds that",
				func(r *SpectrumRow) float64 { return r.Error }).OrEmpty(),
			columns.Of("gap_floor", "at least", "a lower bound of the spectral gap; empty if none is known",
				func(r *SpectrumRow) float64 { return r.Floor }).OrEmpty().Digits(3),
			columns.Of("proven", "", "whether gap_floor is proven, and not only likely",
				func(r *SpectrumRow) bool { return r.Proven }),
			columns.Of("second_eigenvalue_real", "",
				"the real part of the eigenvalue of largest modulus apart from the one of the distribution",
				func(r *SpectrumRow) float64 { return real(r.Second) }).OrEmpty(),
			columns.Of("second_eigenvalue_imaginary", "", "the imaginary part of that eigenvalue",
				func(r *SpectrumRow) float64 { return imag(r.Second) }).OrEmpty(),
			columns.Of("classes", "", "classes of states that do not reach each other; 1 is irreducible",
				func(r *SpectrumRow) int { return r.Classes }),
			columns.Of("period",
				"", "the number of moves in which the kernel goes round in cycles; 1 if it does not",
				func(r *SpectrumRow) int { return r.Period }),
			columns.Note(func(r *SpectrumRow) string { return r.Missing }),
		}), rows)
}
