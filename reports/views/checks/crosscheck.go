package checks

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/table"
)

// CrossCheckReport returns the report of the tests of the simulations, in which a false alarm had probability at most alpha: for people a
// summary and the tests that found a fault, or all of them where the report is made Whole.
// It has a Fault where a test has found one.
func CrossCheckReport(c *crosscheck.Outcome, alpha float64) *reports.Report {
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

// BesideNote returns the note that says which annealings are tested in addition to those that were asked for.
func BesideNote(beside []experiments.Case) reports.Note {
	return reports.NewNote("every toy is also tested with T = %d on the path %s with the schedule %s, where no two stages are alike", beside[0].Distributions(), beside[0].Param("path"), beside[0].Param("schedule"))
}

// testRow is one test of a simulation of an annealing.
type testRow struct {
	of         *experiments.Case
	simulation string
	crosscheck.Result
}

// testSubject lists the columns that say what a test is about.
func testSubject() []table.Field[testRow] {
	return append(
		table.Titled(experiments.WholeCase(func(r *testRow) *experiments.Case { return r.of }), "path", "schedule"),
		table.Field[testRow]{Column: table.Column{Name: "simulation", Type: table.String, Spare: 2, Title: "simulation", Meaning: "the simulation that is tested"}, Of: func(r *testRow) any { return r.simulation }})
}

func testFields() []table.Field[testRow] {
	return slices.Concat(
		testSubject(),
		[]table.Field[testRow]{
			{Column: table.Column{Name: "test", Type: table.String, Prose: true, Title: "test", Meaning: "what is tested"}, Of: func(r *testRow) any { return r.Test }},
			{Column: table.Column{Name: "draws", Type: table.Int, Title: "draws", Meaning: "the number of draws that the test has seen"}, Of: func(r *testRow) any { return r.Draws }},
			{Column: table.Column{Name: "e_value", Type: table.Float, Title: "e-value", Digits: 2, Meaning: "the e-value of the test, which has a mean of at most 1 where there is no fault"}, Of: func(r *testRow) any { return r.EValue() }},
			{Column: table.Column{Name: "threshold", Type: table.Float, Spare: 1, Title: "threshold", Digits: 2, Meaning: "the e-value from which on the test finds a fault"}, Of: func(r *testRow) any { return r.Threshold }},
			{Column: table.Column{Name: "verdict", Type: table.String, Spare: table.Keep, Title: "verdict", Meaning: columns.MeansVerdict}, Of: func(r *testRow) any { return verdict(r.Fault) }},
			{Column: table.Column{Name: "where", Type: table.String, Title: "where", Meaning: "of a fault, where it was found"}, Of: func(r *testRow) any { return r.Where }},
		})
}

// CrossCheck returns the table of the tests, one row each.
func CrossCheck(c *crosscheck.Outcome) *table.Table { return table.New(testFields(), testRows(c)) }

// testRows returns all tests of an outcome.
func testRows(c *crosscheck.Outcome) (rows []testRow) {
	for _, b := range c.Batteries {
		for _, result := range b.Results {
			rows = append(rows, testRow{&c.Cases[b.Case], b.Simulation, result})
		}
	}
	return rows
}

// crossSummary says what was found of each simulation: how many tests, how many of them say fault, and how near the others are to it.
func crossSummary(c *crosscheck.Outcome, paint func(string) string) string {
	type sum struct {
		tests, faults int
		largest       float64 // the largest share of its threshold that an e-value has
		toys          []string
	}
	var names []string
	of := map[string]*sum{}
	all := sum{}
	for _, row := range testRows(c) {
		s := of[row.simulation]
		if s == nil {
			s = &sum{}
			of[row.simulation] = s
			names = append(names, row.simulation)
		}
		if !slices.Contains(s.toys, row.of.Toy.Name) {
			s.toys = append(s.toys, row.of.Toy.Name)
		}
		for _, to := range []*sum{s, &all} {
			to.tests++
			to.largest = max(to.largest, row.EValue()/row.Threshold)
			if row.Fault {
				to.faults++
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s in %s, of which %s a fault\n", paint(verdict(all.faults > 0)), reports.CountOf(all.tests, "test"), reports.CountOf(len(names), "simulation"), findText(all.faults))
	for _, name := range names {
		s := of[name]
		fmt.Fprintf(&b, "  %s: %s: %d pass, %d fault; the largest e-value is %s of its threshold (%s)\n", paint(verdict(s.faults > 0)), name, s.tests-s.faults, s.faults, table.People(s.largest, 2), firstOf(s.toys))
	}
	return b.String()
}

// findText says how many tests find something.
func findText(n int) string {
	switch n {
	case 0:
		return "none finds"
	case 1:
		return "1 finds"
	}
	return fmt.Sprintf("%d find", n)
}

func verdict(fault bool) string {
	if fault {
		return "fault"
	}
	return "pass"
}

// MutantsReport returns the report that says which planted bugs and harmless variants the battery of tests has caught. It has
// a Fault where a bug that can be seen was missed, or a harmless variant was caught.
func MutantsReport(results []crosscheck.Judgement) *reports.Report {
	r := reports.New("mutants", table.New(crosscheck.MutantColumns(), results))
	planted, caught, byDefault := 0, 0, 0
	for _, m := range results {
		found := m.Found()
		if m.Worst.Invisible() && !m.Right() {
			found.Verdict = check.Open
		}
		r.Checked = append(r.Checked, check.Case{About: m.Setting, Finding: found})
	}
	for _, m := range results {
		if !m.Harmless {
			planted++
		}
		if m.Caught {
			caught++
		}
		if m.Worst.Default {
			byDefault++
		}
		if !m.Right() && !m.Worst.Invisible() {
			r.Fault = chains.NewFault(fmt.Errorf("the battery misjudged %q", m.Mutant))
			return r
		}
		if m.Worst.Invisible() {
			r.Note("%q cannot be seen: a test of single moves is expected to need %.2g of them", m.Mutant, m.Worst.Needs)
		}
	}
	r.Note("every planted bug that can be seen was caught, and no harmless variant: %d of %d bugs, with up to 10^8 moves for wrong kernels and 8 times the calls for counts; the draws of a run without {mutants|them} are enough for %d", caught, planted, byDefault)
	return r
}
