package evidence

import "breadboard/reports"

// CheckReport returns the report that says whether estimators of Z have their exact
// distributions. It has a Fault if one does not.
func CheckReport(findings []Finding) *reports.Report {
	r := &reports.Report{}
	n := reports.AddFindings(r, "evidence_check", "estimators of Z and their exact distributions",
		FindingColumns(), findings)
	r.Conclude(n,
		"an estimator does not have its distribution, or the distribution is wrong; see the findings that "+
			"say fault", "")
	return r
}
