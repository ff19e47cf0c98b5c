package targets

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/experiments/network"
	"breadboard/reports"
	"breadboard/reports/table"
)

// NetworkReport returns the report of the probabilities of the variables of networks. Its notes say of each network what the evidence is and
// how probable, and what the elimination has taken. It has a Fault where enumeration says something else.
func NetworkReport(rows []network.Row) *reports.Report {
	r := reports.New("network", table.New(network.Columns(), rows))
	for i := range rows {
		if a := rows[i].Answer; i == 0 || rows[i-1].Answer != a {
			networkNotes(r, a)
		}
	}
	return r
}

// networkNotes adds the notes on a network.
func networkNotes(r *reports.Report, a *network.Answer) {
	r.Note("%s: %s", a.Selector, a.Describe())
	z := "log p(evidence)"
	switch {
	case !a.Bayes:
		z = "log Z"
	case len(a.Seen()) == 0:
		r.Note("nothing has been observed, so that posterior is prior; {evidence} VARIABLE=VALUE says what has")
	}
	if !a.Bayes || len(a.Seen()) > 0 {
		r.Note("%s = %s nats", z, table.People(a.Posterior.LogZ, 12))
	}
	r.Note("elimination has width %d and takes the variables in the order %s", a.Posterior.Width, a.Names(a.Posterior.Order))
	for _, note := range a.Notes {
		r.Note("%s", note)
	}
	if a.Lack != nil {
		r.Note("no prior: %v", a.Lack)
	}
	switch c := a.Check; {
	case a.Unchecked != nil:
		r.Note("not checked by enumeration: %v", a.Unchecked)
	case c != nil && !c.Agrees():
		r.Fault = chains.NewFault(fmt.Errorf("%s: enumeration of %d states differs from elimination by %.2g in a probability and by %.2g in %s", a.Selector, c.States, c.Worst, math.Abs(c.LogZ-a.Posterior.LogZ), z))
	case c != nil:
		r.Note("enumeration of %d states agrees: probabilities to %.2g, %s to %.2g", c.States, c.Worst, z, c.Off)
	}
}
