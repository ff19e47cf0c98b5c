package reports

import (
	"errors"
	"slices"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/crosscheck"
	"breadboard/reports/table"
)

// CrossCheckReport returns the report of the tests of the simulations, in which a false alarm had probability at most alpha.
// It has a Fault where a test has found one.
func CrossCheckReport(c *crosscheck.Outcome, alpha float64) *Report {
	r := newReport("crosscheck", CrossCheck(c))
	for i := range c.Cases {
		r.caseNotes(&c.Cases[i], c.Skipped[i])
	}
	if c.Fault() {
		r.Fault = chains.NewFault(errors.New("a test found a fault; see the rows that say so"))
	} else {
		r.note("no fault found; a false alarm had probability at most %v", alpha)
	}
	return r
}

// BesideNote returns the note that says which annealings are tested in addition to those that were asked for.
func BesideNote(beside []experiments.Case) Note {
	return NewNote("every toy is also tested with T = %d on the path %s with the schedule %s, where no two stages are alike", beside[0].Distributions(), beside[0].Param("path"), beside[0].Param("schedule"))
}

// testRow is one test of a simulation of an annealing.
type testRow struct {
	of         *experiments.Case
	simulation string
	crosscheck.Result
}

func testFields() []table.Field[testRow] {
	return slices.Concat(
		table.Titled(wholeCase(func(r *testRow) *experiments.Case { return r.of }), "path", "schedule"),
		[]table.Field[testRow]{
			{Column: table.Column{Name: "simulation", Type: table.String, Spare: 2, Title: "simulation", Meaning: "the simulation that is tested"}, Of: func(r *testRow) any { return r.simulation }},
			{Column: table.Column{Name: "test", Type: table.String, Prose: true, Title: "test", Meaning: "what is tested"}, Of: func(r *testRow) any { return r.Test }},
			{Column: table.Column{Name: "draws", Type: table.Int, Title: "draws", Meaning: "the number of draws that the test has seen"}, Of: func(r *testRow) any { return r.Draws }},
			{Column: table.Column{Name: "e_value", Type: table.Float, Title: "e-value", Digits: 2, Meaning: "the e-value of the test, which has a mean of at most 1 where there is no fault"}, Of: func(r *testRow) any { return r.EValue() }},
			{Column: table.Column{Name: "threshold", Type: table.Float, Spare: 1, Title: "threshold", Digits: 2, Meaning: "the e-value from which on the test finds a fault"}, Of: func(r *testRow) any { return r.Threshold }},
			{Column: table.Column{Name: "verdict", Type: table.String, Spare: table.Keep, Title: "verdict", Meaning: meansVerdict}, Of: func(r *testRow) any { return verdict(r.Fault) }},
			{Column: table.Column{Name: "where", Type: table.String, Title: "where", Meaning: "of a fault, where it was found"}, Of: func(r *testRow) any { return r.Where }},
		})
}

// CrossCheck returns the table of the tests, one row each.
func CrossCheck(c *crosscheck.Outcome) *table.Table {
	var rows []testRow
	for _, b := range c.Batteries {
		for _, result := range b.Results {
			rows = append(rows, testRow{&c.Cases[b.Case], b.Simulation, result})
		}
	}
	return table.New(testFields(), rows)
}

func verdict(fault bool) string {
	if fault {
		return "fault"
	}
	return "pass"
}
