package reports

import (
	"errors"
	"fmt"

	"breadboard/chains"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// AddFindings adds the table of the findings of a check. People read a summary and the findings
// that say fault or open, with the reason in front of the number, or all of them if the report is
// made Whole; programs and files get all. The subject says in a few words what was checked.
func AddFindings[R check.Result](r *Report, name, subject string, fields columns.List,
	findings []R) check.Counts {
	n := check.Count(findings)
	r.Add(Table{
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

// Conclude gives the report of a check a Fault if a finding says so. A finding that is open is a
// Fault too, for the reason open; if open is empty the results do not depend on it, because nothing
// could be compared there, or because a study has drawn few chains.
func (r *Report) Conclude(n check.Counts, fault, open string) {
	switch {
	case n.Fault > 0:
		r.Fault = chains.NewFault(errors.New(fault))
	case n.Open > 0 && open != "":
		r.Fault = chains.NewFault(errors.New("open: " + open))
	}
}

// NoteResult adds what has been shown to the results of a check that has no Fault.
func (r *Report) NoteResult(shown string) {
	if r.Fault == nil {
		r.NoteAt(WithResults, "%s", shown)
	}
}
