package reports

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/reports/table"
)

// SandwichAgreementReport returns the report that says whether samplers at full size have the exact laws of their algorithms: for people a
// summary and the findings that say fault or open, or all of them where the report is made Whole. It has a Fault where one does not.
func SandwichAgreementReport(findings []evidence.Finding) *Report {
	passes := func(f evidence.Finding) bool { return f.Verdict == evidence.Pass }
	r := &Report{}
	r.add(Table{
		Name: "sandwich_check", Table: SandwichAgreement(findings), Brief: SandwichAgreement(slices.DeleteFunc(slices.Clone(findings), passes)),
		Summary: func(paint func(string) string) string { return agreementSummary(findings, paint) },
	})
	if evidence.Faulty(findings) {
		r.Fault = chains.NewFault(errors.New("a sampler at full size does not have the exact law of its algorithm, or the law is wrong; see the findings that say fault"))
	} else {
		r.note("all %d comparisons of samplers at full size with their exact laws agree", len(findings))
	}
	return r
}

// agreementSummary says how many samplers were compared on which toys, how many comparisons passed, and how near to a fault they came.
func agreementSummary(findings []evidence.Finding, paint func(string) string) string {
	count := map[evidence.Verdict]int{}
	var toys, samplers []string
	nearest := 0.0
	for _, f := range findings {
		count[f.Verdict]++
		if !slices.Contains(toys, f.Toy.Name) {
			toys = append(toys, f.Toy.Name)
		}
		if !slices.Contains(samplers, f.Estimator) {
			samplers = append(samplers, f.Estimator)
		}
		if share := f.Value / f.Tolerance; share > nearest {
			nearest = share
		}
	}
	verdict := evidence.Pass
	for _, worse := range []evidence.Verdict{evidence.Open, evidence.Fault} {
		if count[worse] > 0 {
			verdict = worse
		}
	}
	return fmt.Sprintf("%s: samplers %s on %s: %d comparisons pass, %d fault, %d open; the largest value is %s of its tolerance\n", paint(string(verdict)),
		strings.Join(samplers, ", "), strings.Join(toys, ", "), count[evidence.Pass], count[evidence.Fault], count[evidence.Open], table.People(nearest, 2))
}

// SandwichAgreement returns the table of findings, one row each.
func SandwichAgreement(findings []evidence.Finding) *table.Table {
	of := func(f *evidence.Finding) *experiments.Case { return &f.Case }
	return table.New(slices.Concat(
		caseFields(of, "toy"),
		[]table.Field[evidence.Finding]{
			{Column: table.Column{Name: "estimator", Type: table.String, Title: "estimator", Meaning: "the estimator that has the law, as on the command line of breadboard evidence"}, Of: func(f *evidence.Finding) any { return f.Estimator }},
			{Column: table.Column{Name: "settings", Type: table.String, Title: "settings", Meaning: "its setting, such as K=3 or T=10"}, Of: func(f *evidence.Finding) any { return f.Settings }},
		},
		comparisonFields(evidenceFinding)), findings)
}
