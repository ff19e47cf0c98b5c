package checks

import (
	"errors"

	"breadboard/chains"
	"breadboard/experiments/aide"
	"breadboard/experiments/study/check"
	"breadboard/reports"
)

// AIDECheckReport returns the report of the identities of an algorithm with its meta-inference, and beside it, where mutants were
// checked, which planted bugs have been caught. It has a Fault where an identity does not hold, or where a mutant was misjudged.
func AIDECheckReport(algorithm string, findings []aide.Finding, mutants []aide.Judgement) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "aide_check", algorithm+" and its meta-inference", aide.FindingColumns(), findings)
	if check.Faulty(findings) {
		r.Fault = chains.NewFault(errors.New("the algorithm, its xi or its meta-inference is wrong; see the findings that say fault"))
	} else {
		r.Note("%s and its meta-inference: %s", algorithm, agreement(n, "identities", "hold"))
	}
	addPlanted(r, "aide_mutants", aide.MutantColumns(), mutants, "without a bug")
	return r
}
