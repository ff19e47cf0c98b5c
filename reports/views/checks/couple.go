package checks

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/couple"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/table"
)

// CoupleCheckReport returns the report of the check of a coupling of a kernel. It has a Fault where the coupling is wrong.
func CoupleCheckReport(coupling, kernel string, findings []couple.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "couple_check", fmt.Sprintf("coupling %s of kernel %s", coupling, kernel), couple.FindingColumns(), findings)
	failed := slices.ContainsFunc(findings, func(f couple.Finding) bool { return f.Name == couple.PairMoves && f.Verdict == check.Fault })
	switch {
	case failed:
		r.Fault = chains.NewFault(errors.New("the coupling fails where it should move; see the findings that say fault"))
	case n.Fault > 0:
		r.Fault = chains.NewFault(errors.New("the coupling is wrong; see the findings that say fault"))
	case n.Open > 0:
		r.Note("no fault was found, and what says open is not decided; its rows say why")
	default:
		r.Note("wherever it was looked at, each chain alone moves by the kernel, chains that have met stay together, and all can meet%s", sampled(findings))
	}
	return r
}

// sampled says what a pass of tests is not, where there were any.
func sampled(findings []couple.Finding) string {
	if slices.ContainsFunc(findings, func(f couple.Finding) bool { return f.Tolerance > 1 }) { // an e-value is held to more than that
		return ", as far as the moves show that were sampled, which is no proof"
	}
	return ""
}

// ConformCouplingsReport returns the report of the test of what somebody's coupled chains have given. It has a Fault where a column does not have
// its law.
func ConformCouplingsReport(file, coupling string, findings []couple.Finding) *reports.Report {
	r := &reports.Report{}
	if n := addFindings(r, "conform_couplings", fmt.Sprintf("%s, coupling %s", file, coupling), couple.FindingColumns(), findings); n.Fault > 0 {
		r.Fault = chains.NewFault(errors.New("a column does not have its exact law; see the findings that say fault"))
	} else {
		r.Note("every column has its exact law, as far as so many rows show")
	}
	for _, f := range findings {
		if strings.HasPrefix(f.Where, couple.NotRuledOut) && r.Fault == nil {
			r.Note("%s, %s", f.About, f.Where)
		}
	}
	return r
}

// CoupleFindings returns the table of findings about couplings, and about what was made by them.
func CoupleFindings(findings []couple.Finding) *table.Table {
	return table.New(couple.FindingColumns(), findings)
}
