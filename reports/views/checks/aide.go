package checks

import (
	"errors"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/table"
)

// AIDECheckReport returns the report of the identities of an algorithm with its meta-inference, and beside it, where mutants were
// checked, which planted bugs have been caught. It has a Fault where an identity does not hold, or where a mutant was misjudged.
func AIDECheckReport(algorithm string, findings []aide.Finding, mutants []aide.MutantResult) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "aide_check", algorithm+" and its meta-inference", findings, aideFinding, AIDEFindings)
	if aide.Wrong(findings) {
		r.Fault = chains.NewFault(errors.New("the algorithm, its xi or its meta-inference is wrong; see the findings that say fault"))
	} else {
		r.Note("%s and its meta-inference: %s", algorithm, n.agreement("identities", "hold"))
	}
	addPlanted(r, "aide_mutants", AIDEMutants(mutants), mutants, func(m *aide.MutantResult) (bool, error) {
		if !m.Right() {
			return false, fmt.Errorf("the check misjudged %q", m.Mutant)
		}
		return m.Caught, nil
	}, "without a bug")
	return r
}

// AIDEFindings returns the table of findings, one row each.
func AIDEFindings(findings []aide.Finding) *table.Table {
	fields := slices.Concat(
		experiments.WholeCase(func(f *aide.Finding) *experiments.Case { return &f.Case }),
		[]table.Field[aide.Finding]{{Column: table.Column{Name: "algorithm", Type: table.String, Meaning: "the algorithm that is checked, with its meta-inference"}, Of: func(f *aide.Finding) any { return f.Algorithm }}},
		comparisonFields(aideFinding))
	return table.New(fields, findings)
}

// aideFinding says what a finding has found.
func aideFinding(f *aide.Finding) finding {
	return finding{f.Name, f.Value, f.Tolerance, string(f.Verdict), f.Where}
}

// AIDEMutants returns the table of planted bugs, and of algorithms without one in the same settings.
func AIDEMutants(mutants []aide.MutantResult) *table.Table {
	return table.New(slices.Concat(
		plantedFields(func(m *aide.MutantResult) plantedBug { return plantedBug{m.Mutant, m.Harmless, m.Caught} }, []table.Field[aide.MutantResult]{
			{Column: table.Column{Name: "setting", Type: table.String, Title: "setting", Meaning: "the algorithm and its setting"}, Of: func(m *aide.MutantResult) any { return m.Setting }},
		}),
		[]table.Field[aide.MutantResult]{
			{Column: table.Column{Name: "finding", Type: table.String, Title: "finding", Meaning: columns.MeansFinding}, Of: func(m *aide.MutantResult) any { return m.Finding }},
			{Column: table.Column{Name: "value", Type: table.Float, Title: "value", Digits: 3, Meaning: "how far the check is off by the bug, in the units of the finding"}, Of: func(m *aide.MutantResult) any { return m.Value }},
		}), mutants)
}
