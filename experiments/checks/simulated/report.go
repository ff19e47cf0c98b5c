package simulated

import (
	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/reports"
)

// AddFindings adds to the report of a study the results of tests of the chains that it has drawn.
// The report has a Fault if a test finds one, and if no test passes.
func AddFindings(r *reports.Report, study string, findings []Finding) {
	at := len(r.Parts)
	n := reports.AddFindings(r, study+"_check", "the chains that were drawn and their exact distributions",
		FindingColumns(), findings)
	t := r.Parts[at].(reports.Table)
	t.Place = reports.BesideResults
	r.Parts[at] = t
	r.Conclude(n, "the chains do not follow their exact distributions; see the findings that say fault", "")
	if n.Fault == 0 && n.Pass == 0 {
		r.Fault = chains.NewFault(
			errs.New("nothing was decided about the chains; the rows that say open have the reasons"),
		)
	}
}
