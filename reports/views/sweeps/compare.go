package sweeps

import (
	"errors"
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/sweeps/compare"
	"breadboard/reports"
	"breadboard/reports/table"
)

// CompareReport returns the report of a comparison: a line for each cell, row and column in which
// the tables differ. It has a Fault if there is any.
func CompareReport(c *compare.Comparison) *reports.Report {
	found := compare.Tables(c)
	r := reports.New("compare", table.New(compare.Columns(), found.Differences))
	if len(found.Keys) > 0 {
		r.Note("rows are matched by %s", strings.Join(found.Keys, ", "))
	} else {
		r.Note("rows are matched by their order, since no column of both tables is a parameter or a text")
	}
	r.Note("%s and %s of %s and %s; the largest relative difference that counts as none is %.3g",
		selector.Count(found.Cells, "cell"), selector.Count(len(c.A.Rows), "row"), c.First, c.Second, found.Largest)
	if found.Rounded > 0 {
		r.Note("%d of the differences %s at most %.2g, which is how far processors of different kinds round nats and probabilities apart; with {absolute} %.2g they count as none",
			found.Rounded, selector.Plural(found.Rounded, "is", "are"), compare.Rounding, compare.Rounding)
	}
	if found.Matched == 0 && len(found.Keys) > 1 && len(c.A.Rows) > 0 && len(c.B.Rows) > 0 {
		r.Note("no row of one table is in the other; {by|By} with fewer columns, as in {by|By} %s, matches rows that differ in the others", found.Keys[0])
	}
	if len(found.Differences) > 0 {
		r.Fault = chains.NewFault(fmt.Errorf("%s and %s differ in %s", c.First, c.Second, selector.Count(len(found.Differences), "place")))
	} else if len(c.A.Rows) == 0 {
		r.Fault = errors.New("neither table has a row to compare")
	}
	return r
}
