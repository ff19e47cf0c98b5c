package checks

import (
	"errors"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/evidence"
	"breadboard/reports"
	"breadboard/reports/table"
)

// EvidenceCheckReport returns the report that says whether estimators of Z have their exact laws, and beside it, where mutants were
// run, which planted bugs have been caught. It has a Fault where an estimator does not, or where a mutant was misjudged.
func EvidenceCheckReport(findings []evidence.Finding, mutants []evidence.MutantResult) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "evidence_check", "estimators of Z and their exact laws", findings, evidenceFinding, EvidenceFindings)
	if evidence.Faulty(findings) {
		r.Fault = chains.NewFault(errors.New("an estimator does not have its law, or the law is wrong; see the findings that say fault"))
	} else {
		r.Note("%s", n.agreement("comparisons of estimators with their laws", "agree"))
	}
	addPlanted(r, "evidence_mutants", EvidenceMutants(mutants), mutants, func(m *evidence.MutantResult) (bool, error) {
		if !m.Right() {
			return false, fmt.Errorf("the check misjudged %q of the estimator %s", m.Mutant, m.Estimator)
		}
		return m.Caught, nil
	}, "without a bug")
	return r
}

// EvidenceFindings returns the table of findings, one row each.
func EvidenceFindings(findings []evidence.Finding) *table.Table {
	of := func(f *evidence.Finding) *experiments.Case { return &f.Case }
	fields := slices.Concat(
		experiments.CaseColumns(of, "toy", "path", "initial", "schedule", "kernel"),
		[]table.Field[evidence.Finding]{
			{Column: table.Column{Name: "estimator", Type: table.String, Title: "estimator", Meaning: "the estimator, as on the command line in canonical form"}, Of: func(f *evidence.Finding) any { return f.Estimator }},
			{Column: table.Column{Name: "settings", Type: table.String, Title: "settings", Meaning: "the setting that the work pays for, such as K=100 or T=51"}, Of: func(f *evidence.Finding) any { return f.Settings }},
		},
		comparisonFields(evidenceFinding))
	return table.New(fields, findings)
}

// evidenceFinding says what a finding has found.
func evidenceFinding(f *evidence.Finding) finding {
	return finding{f.Name, f.Value, f.Tolerance, string(f.Verdict), f.Where}
}

// EvidenceMutants returns the table of planted bugs, and of estimators without one in the same settings.
func EvidenceMutants(mutants []evidence.MutantResult) *table.Table {
	return table.New(slices.Concat(
		plantedFields(func(m *evidence.MutantResult) plantedBug { return plantedBug{m.Mutant, m.Harmless, m.Caught} }, []table.Field[evidence.MutantResult]{
			{Column: table.Column{Name: "estimator", Type: table.String, Title: "estimator", Meaning: "the estimator, as on the command line in canonical form"}, Of: func(m *evidence.MutantResult) any { return m.Estimator }},
			{Column: table.Column{Name: "settings", Type: table.String, Title: "settings", Meaning: "the setting that the work pays for, such as K=100 or T=51"}, Of: func(m *evidence.MutantResult) any { return m.Settings }},
			{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(m *evidence.MutantResult) any { return m.Toy }},
		}),
		[]table.Field[evidence.MutantResult]{
			{Column: table.Column{Name: "finding", Type: table.String, Title: "finding", Meaning: columns.MeansFinding}, Of: func(m *evidence.MutantResult) any { return m.Finding }},
			{Column: table.Column{Name: "where", Type: table.String, Title: "where", Meaning: columns.MeansWhere}, Of: func(m *evidence.MutantResult) any { return m.Where }},
		}), mutants)
}
