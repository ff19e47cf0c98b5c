package aide

import "breadboard/reports"

// CheckReport returns the report of the identities of an algorithm with its meta-inference. It
// has a Fault if one does not hold.
func CheckReport(algorithm string, findings []Finding) *reports.Report {
	r := &reports.Report{}
	n := reports.AddFindings(r, "aide_check", algorithm+" and its meta-inference", FindingColumns(), findings)
	r.Conclude(n, "the algorithm, its xi or its meta-inference is wrong; see the findings that say fault", "")
	return r
}
