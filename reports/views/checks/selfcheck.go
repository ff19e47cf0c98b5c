package checks

import (
	"errors"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/selfcheck"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
)

// CrossCheckReport returns the report of the tests of the simulations, in which a false alarm had
// probability at most alpha: for people a summary and the tests that found a fault, or all of them
// if the report is made Whole. It has a Fault if a test has found one.
func CrossCheckReport(c *selfcheck.Outcome, alpha float64) *reports.Report {
	r := &reports.Report{Checked: check.Cases(testSubject(), testRows(c))}
	r.Add(reports.Table{
		Name: "crosscheck", Table: CrossCheck(c), Brief: table.New(testFields(), slices.DeleteFunc(testRows(c), func(row testRow) bool { return !row.Fault })),
		Summary: func(paint func(string) string) string { return crossSummary(c, paint) },
	})
	for i := range c.Cases {
		r.CaseNotes(&c.Cases[i], c.Skipped[i])
	}
	if c.Fault() {
		r.Fault = chains.NewFault(errors.New("a test found a fault; see the rows that say so"))
	} else {
		r.Note("no fault found; a false alarm had probability at most %v", alpha)
	}
	return r
}

// BesideNote returns the note that says which annealings are tested in addition to those that were
// asked for.
func BesideNote(beside []subject.Case) reports.Note {
	return reports.NewNote("every toy is also tested with T = %d on the path %s with the schedule %s, where no two stages are alike",
		beside[0].Distributions(), beside[0].Param("path"), beside[0].Param("schedule"))
}

// testRow is one test of a simulation of an annealing.
type testRow struct {
	of         *subject.Case
	simulation string
	selfcheck.Result
}

// testSubject lists the columns that say what a test is about.
func testSubject() columns.List {
	return append(
		table.Titled(subject.WholeCase(func(r *testRow) *subject.Case { return r.of }), "path", "schedule"),
		columns.Of("simulation", "simulation", "the simulation that is tested", func(r *testRow) string { return r.simulation }).DropOrder(2))
}

func testFields() columns.List {
	return slices.Concat(
		testSubject(),
		columns.List{
			columns.Of("test", "test", "what is tested", func(r *testRow) string { return r.Test }).Prose(),
			columns.Of("draws", "draws", "the number of draws that the test has seen", func(r *testRow) int { return r.Draws }),
			columns.Of("e_value", "e-value", "the e-value of the test, which has a mean of at most 1 if there is no fault", (*testRow).EValue).Digits(2),
			columns.Of("threshold", "threshold", "the e-value from which on the test finds a fault",
				func(r *testRow) float64 { return r.Threshold }).DropOrder(1).Digits(2),
			columns.Of("verdict", "verdict", columns.MeansVerdict, func(r *testRow) string { return verdict(r.Fault) }).Answer(),
			columns.Of("where", "where", "of a fault, if it was found", func(r *testRow) string { return r.Where }),
		})
}

// CrossCheck returns the table of the tests, one row each.
func CrossCheck(c *selfcheck.Outcome) *table.Table { return table.New(testFields(), testRows(c)) }

func testRows(c *selfcheck.Outcome) (rows []testRow) {
	for _, b := range c.Batteries {
		for _, result := range b.Results {
			rows = append(rows, testRow{&c.Cases[b.Case], b.Simulation, result})
		}
	}
	return rows
}

// crossSummary says what was found of each simulation: how many tests, how many of them say fault,
// and how near the others are to it.
func crossSummary(c *selfcheck.Outcome, paint func(string) string) string {
	rows := testRows(c)
	simulations := reports.Grouped(rows, func(r *testRow) string { return r.simulation })
	all, text := 0, ""
	for _, same := range simulations {
		faults, largest := 0, 0.0 // the largest share of its threshold that an e-value has
		for _, row := range same {
			largest = max(largest, row.EValue()/row.Threshold)
			if row.Fault {
				faults++
			}
		}
		all += faults
		toys := reports.Names(same, func(r *testRow) string { return r.of.Toy.Name })
		text += fmt.Sprintf("  %s: %s: %d pass, %d fault; the largest e-value is %s of its threshold (%s)\n",
			paint(verdict(faults > 0)), same[0].simulation, len(same)-faults, faults, table.People(largest, 2), firstOf(toys))
	}
	found := fmt.Sprintf("%d find", all)
	switch all {
	case 0:
		found = "none finds"
	case 1:
		found = "1 finds"
	}
	return fmt.Sprintf("%s: %s in %s, of which %s a fault\n%s", paint(verdict(all > 0)), selector.Count(len(rows), "test"),
		selector.Count(len(simulations), "simulation"), found, text)
}

func verdict(fault bool) string {
	if fault {
		return "fault"
	}
	return "pass"
}
