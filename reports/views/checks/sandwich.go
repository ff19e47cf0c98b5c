package checks

import (
	"errors"
	"slices"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/table"
)

// SandwichAgreementReport returns the report that says whether samplers at full size have the exact laws of their algorithms. It has a
// Fault where one does not.
func SandwichAgreementReport(findings []evidence.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "sandwich_check", "samplers at full size and their exact laws", SandwichAgreementFields(), findings)
	if check.Faulty(findings) {
		r.Fault = chains.NewFault(errors.New("a sampler at full size does not have the exact law of its algorithm, or the law is wrong; see the findings that say fault"))
	} else {
		r.Note("%s", agreement(n, "comparisons of samplers at full size with their exact laws", "agree"))
	}
	return r
}

// SandwichAgreementFields lists the columns of findings.
func SandwichAgreementFields() []table.Field[evidence.Finding] {
	return slices.Concat(
		experiments.CaseColumns(func(f *evidence.Finding) *experiments.Case { return &f.Case }, "toy"),
		[]table.Field[evidence.Finding]{
			{Column: table.Column{Name: "estimator", Type: table.String, Title: "estimator", Meaning: "the estimator that has the law, as on the command line of breadboard evidence"}, Of: func(f *evidence.Finding) any { return f.Estimator }},
			{Column: table.Column{Name: "settings", Type: table.String, Title: "settings", Meaning: "its setting, such as K=3 or T=10"}, Of: func(f *evidence.Finding) any { return f.Settings }},
		},
		check.Columns[evidence.Finding]())
}
