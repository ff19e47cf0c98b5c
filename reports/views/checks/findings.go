package checks

import (
	"errors"
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/checks/simulated"
	"breadboard/experiments/columns"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/table"
)

// addFindings adds the table of the findings of a check. People read a summary and the findings
// that say fault or open, with the reason in front of the number, or all of them if the report is
// made Whole; programs and files get all. The subject says in a few words what was checked.
func addFindings[R check.Result](r *reports.Report, name, subject string, fields columns.List,
	findings []R) check.Counts {
	n := check.Count(findings)
	r.Add(reports.Table{
		Name:  name,
		Table: table.New(fields, findings),
		Brief: table.New(check.ReasonFirst(fields), check.Unsettled(findings)),
		Summary: func(paint func(string) string) string {
			return fmt.Sprintf("%s: %s: %v\n", paint(string(n.Overall())), subject, n)
		},
	})
	r.Checked = append(r.Checked, check.JUnitCases(fields, findings)...)
	return n
}

// allFindings returns the findings of rows, one row after another.
func allFindings[R, F any](rows []R, of func(*R) []F) (all []F) {
	for i := range rows {
		all = append(all, of(&rows[i])...)
	}
	return all
}

// conclude gives the report of a check a Fault if a finding says so. A finding that is open is a
// Fault too, for the reason open; if open is empty the results do not depend on it, because nothing
// could be compared there, or because a study has drawn few chains.
func conclude(r *reports.Report, n check.Counts, fault, open string) {
	switch {
	case n.Fault > 0:
		r.Fault = chains.NewFault(errors.New(fault))
	case n.Open > 0 && open != "":
		r.Fault = chains.NewFault(errors.New("open: " + open))
	}
}

// noteResult adds what has been shown to the results of a check that has no Fault.
func noteResult(r *reports.Report, shown string) {
	if r.Fault == nil {
		r.NoteAt(reports.WithResults, "%s", shown)
	}
}

// AIDECheckReport returns the report of the identities of an algorithm with its meta-inference. It
// has a Fault if one does not hold.
func AIDECheckReport(algorithm string, findings []aide.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "aide_check", algorithm+" and its meta-inference", aide.FindingColumns(), findings)
	conclude(r, n, "the algorithm, its xi or its meta-inference is wrong; see the findings that say fault", "")
	return r
}

// EvidenceCheckReport returns the report that says whether estimators of Z have their exact
// distributions. It has a Fault if one does not.
func EvidenceCheckReport(findings []evidence.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "evidence_check", "estimators of Z and their exact distributions",
		evidence.FindingColumns(), findings)
	conclude(r, n,
		"an estimator does not have its distribution, or the distribution is wrong; see the findings that "+
			"say fault", "")
	return r
}

// AddSimulated adds to the report of a study the results of tests of the chains that it has drawn.
// The report has a Fault if a test finds one, and if no test passes.
func AddSimulated(r *reports.Report, study string, findings []simulated.Finding) {
	n := check.Count(findings)
	at := len(r.Parts)
	addFindings(r, study+"_check", "the chains that were drawn and their exact distributions",
		simulated.FindingColumns(), findings)
	t := r.Parts[at].(reports.Table)
	t.Place = reports.BesideResults
	r.Parts[at] = t
	conclude(r,
		n, "the chains do not follow their exact distributions; see the findings that say fault", "")
	if n.Fault == 0 && n.Pass == 0 {
		r.Fault = chains.NewFault(
			errors.New("nothing was decided about the chains; the rows that say open have the reasons"),
		)
	}
}

// explain adds the known mistakes that explain what was sent to the cases of tests about it.
func explain(cases []check.Case, named []string, about func(test string) bool) {
	for i := range cases {
		if len(named) > 0 && about(cases[i].Name) {
			cases[i].Cause = "known mistake " + quotedNames(named)
		}
	}
}

// explainAll adds what is wrong to all cases, if it is a known mistake.
func explainAll(cases []check.Case, fault string) {
	says, _, _ := strings.Cut(fault, " (found after ")
	for i := range cases {
		if !strings.Contains(says, draws.None) && !strings.Contains(says, draws.Several) {
			cases[i].Cause = says
		}
	}
}

func quotedNames(names []string) string {
	return `"` + strings.Join(names, `" or, with the same distribution, "`) + `"`
}
