package checks

import (
	"errors"

	"breadboard/chains"
	"breadboard/experiments/evidence"
	"breadboard/experiments/study/check"
	"breadboard/reports"
)

// EvidenceCheckReport returns the report that says whether estimators of Z have their exact laws, and beside it, where mutants were
// run, which planted bugs have been caught. It has a Fault where an estimator does not, or where a mutant was misjudged.
func EvidenceCheckReport(findings []evidence.Finding, mutants []evidence.Judgement) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "evidence_check", "estimators of Z and their exact laws", evidence.FindingColumns(), findings)
	if check.Faulty(findings) {
		r.Fault = chains.NewFault(errors.New("an estimator does not have its law, or the law is wrong; see the findings that say fault"))
	} else {
		r.Note("%s", agreement(n, "comparisons of estimators with their laws", "agree"))
	}
	addPlanted(r, "evidence_mutants", evidence.MutantColumns(), mutants, "without a bug")
	return r
}
