package mcmc

import (
	"fmt"
	"math"

	"breadboard/exact/weights"
	"breadboard/experiments/samplers"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplersLawsReport returns the report of the laws of what several chains make of a mean, with its figures.
func SamplersLawsReport(rows []samplers.LawsRow) *reports.Report {
	r := reports.New("samplers_laws", SamplersLaws(rows))
	r.Add(
		reports.Figure{Title: "Law of the mean of a chain", Missing: "no figure of the laws of means", Draw: func() (*figure.Figure, error) { return SamplersMeanFigure(rows) }},
		reports.Figure{Title: "Law of R-hat", Missing: "no figure of R-hat", Draw: func() (*figure.Figure, error) { return SamplersRHatFigure(rows) }},
		reports.Figure{Title: "How often R-hat assures what is wrong", Missing: "no figure of false assurance", Draw: func() (*figure.Figure, error) { return SamplersAssuranceFigure(rows) }},
	)
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

// SamplersLaws returns the table of the laws, a row for each kind of chain, function and number of samples.
func SamplersLaws(rows []samplers.LawsRow) *table.Table {
	fields := samplers.Laws().Columns
	for i := range fields {
		if fields[i].Name == "p_success" {
			fields[i].Of = successCell
		}
	}
	return table.New(fields, rows)
}

// successCell is the probability of success. Where only bounds of it are known, people see the digits on which they agree, or the bounds.
func successCell(r *samplers.LawsRow) any {
	if !math.IsNaN(r.Success.P) {
		return r.Success.P
	}
	middle := r.Success.Low + (r.Success.High-r.Success.Low)/2
	return table.Both{Machine: r.Success.P, People: reports.Probability(weights.Bracket{Value: middle, Low: r.Success.Low, High: r.Success.High}, 4)}
}
