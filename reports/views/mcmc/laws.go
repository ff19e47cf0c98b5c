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
		switch fields[i].Name {
		case "p_success":
			fields[i].Of = successCell
		case "p_success_var":
			fields[i].Of = otherCell(func(r *samplers.LawsRow) (low, high float64) { return r.Others.Variance.Low, r.Others.Variance.High })
		case "p_success_ks":
			fields[i].Of = otherCell(func(r *samplers.LawsRow) (low, high float64) { return r.Others.KS.Low, r.Others.KS.High })
		}
	}
	return table.New(fields, rows)
}

// successCell is the probability of success. Where only bounds of it are known, people see the digits on which they agree, or the bounds.
func successCell(r *samplers.LawsRow) any {
	if !math.IsNaN(r.Success.P) {
		return r.Success.P
	}
	return table.Both{Machine: r.Success.P, People: bracketText(r.Success.Low, r.Success.High)}
}

// otherCell is the probability of success of another estimate, of which bounds alone are known, or nothing.
func otherCell(of func(*samplers.LawsRow) (low, high float64)) func(*samplers.LawsRow) any {
	return func(r *samplers.LawsRow) any {
		low, high := of(r)
		middle := low + (high-low)/2
		if math.IsNaN(middle) {
			return middle
		}
		return table.Both{Machine: middle, People: bracketText(low, high)}
	}
}

// bracketText is what people see of a probability of which bounds are known.
func bracketText(low, high float64) any {
	return reports.Probability(weights.Bracket{Value: low + (high-low)/2, Low: low, High: high}, 4)
}
