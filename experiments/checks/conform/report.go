package conform

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Report returns the report of the tests of chains that were made elsewhere: the verdict,
// the likeliest explanation if the chains are not right, and the deviations that a pass rules out.
// It has a Fault if a test has found one, and if nothing was tested.
func Report(o *Outcome) *reports.Report {
	r := &reports.Report{Checked: conformCases(o)}
	r.Add(reports.Table{
		Name: "conform", Table: conformTable(conformTests(o)), Machines: Table(o), Brief: conformBrief(o),
		Summary: func(paint func(string) string) string { return conformSummary(o, paint) },
	})
	if all := conformHypotheses(o); len(all) > 0 {
		some := likelyHypotheses(all)
		if !o.Fault() {
			some = nil // nothing is to be explained, and the notes say what would have been found
		}
		t := reports.Table{Name: "hypotheses", Place: reports.BesideResults, Table: hypothesesTable(all)}
		if len(some) < len(all) {
			t.Brief = hypothesesTable(some)
		}
		r.Add(t)
	}
	if all := conformGuarantees(o); len(all) > 0 {
		place := reports.BesideResults
		if o.Fault() {
			place = reports.InFile // it says what a pass means
		}
		r.Add(reports.Table{
			Name:  "guarantees",
			Place: place,
			Table: guaranteesTable(all),
			Brief: guaranteesTable(nil),
		})
	}
	conformNotes(r, o)
	conformFigures(r, o)
	switch {
	case o.Fault():
		r.Fault = chains.NewFault(
			errs.New("what was sent does not follow the exact distributions; see the rows that say fault"),
		)
	case !slices.ContainsFunc(o.Results, func(t Result) bool { return !t.Idle }):
		r.Fault = chains.NewFault(errs.New("nothing was tested; the lines above say what is missing"))
	case slices.ContainsFunc(o.Results, func(t Result) bool { return t.Open != "" }):
		r.Fault = chains.NewFault(
			errs.New("this is open: there is no fault, and it is not a pass; see the rows that say open"),
		)
	}
	return r
}

// conformRow is a test of an outcome, or what its chains say about a hypothesis, which only
// machines read in this table.
type conformRow struct {
	of *Outcome
	Result
	about *hypothesisRow // nil of a test
}

func (r *conformRow) kind() string {
	if r.about != nil {
		return "hypothesis"
	}
	return "test"
}

// ofHypothesis returns the cell of a row about a hypothesis, and nothing of a test.
func ofHypothesis(of func(h *hypothesisRow) any) func(r *conformRow) any {
	return func(r *conformRow) any {
		if r.about == nil {
			return nil
		}
		return of(r.about)
	}
}

// whereFor returns what people see of where and statistic.
func whereFor(r *conformRow) string {
	where := r.Found().Where
	if where == "" || r.Statistic == "" {
		return where + r.Statistic
	}
	return where + "; " + r.Statistic
}

// conformCases returns the findings of tests, each with what deviates most and with the known
// mistake that explains it.
func conformCases(o *Outcome) []check.Case {
	tests := conformTests(o)
	list := check.JUnitCases(nil, tests)
	for i := range tests {
		list[i].Where = whereFor(&tests[i])
	}
	for _, s := range o.Sides {
		if s.Fault && !slices.Contains(s.Named, hypotheses.Specification) {
			alike := !slices.ContainsFunc(
				o.Sides,
				func(other Side) bool { return !slices.Equal(other.Named, s.Named) },
			)
			explain(list, s.Named, func(test string) bool {
				if test == PairTest || test == OutcomesTest {
					return alike
				}
				return strings.HasPrefix(test, s.Direction.String()+" ")
			})
		}
	}
	return list
}

// untitled returns the fields without their titles, so that only machines read them.
func untitled(fields columns.List) columns.List {
	for i := range fields {
		fields[i] = fields[i].Titled("")
	}
	return fields
}

// tenths is the number of digits that show all tenths of a logarithm.
const tenths = 15

// inTenths returns the cell of a decimal logarithm, of which people see tenths.
func inTenths(v float64) any {
	rounded := math.Round(v*10) / 10
	if rounded == 0 {
		rounded = 0 // and not -0
	}
	return table.Both{Machine: v, People: rounded}
}

func conformTests(o *Outcome) []conformRow {
	var rows []conformRow
	for _, result := range o.Results {
		rows = append(rows, conformRow{of: o, Result: result})
	}
	return rows
}

// Table returns the table for machines: a row for each test, and then one for each hypothesis and
// direction.
func Table(o *Outcome) *table.Table {
	rows := conformTests(o)
	for _, h := range conformHypotheses(o) {
		result := Result{Draws: h.side.Chains, LogE: h.LogE, LogThreshold: number.Log(o.Threshold)}
		rows = append(rows, conformRow{o, result, &h})
	}
	return conformTable(rows)
}

func conformTable(rows []conformRow) *table.Table {
	annealing := untitled(subject.WholeCase(func(r *conformRow) *subject.Case { return &r.of.Task.Case }))
	t := table.New(slices.Concat(annealing,
		columns.List{
			columns.Of("kind", "", "what the row is about: test or hypothesis", (*conformRow).kind),
			columns.Of("test", "test",
				"what is tested; in a row about a hypothesis its direction and name",
				func(r *conformRow) string {
					if r.about != nil {
						return fmt.Sprintf("%s %s: %s", r.about.side.Direction, r.kind(), r.about.Name)
					}
					return r.Test
				}).Prose(),
			columns.Of("draws", "draws", "the number of chains or moves that the test has seen",
				func(r *conformRow) int { return r.Draws }),
			columns.Any("log10_e", "log10 e", columns.Float,
				"log10 of the e-value at the last look; of a hypothesis, against the hypothesis itself",
				func(r *conformRow) any { return inTenths(r.Log10E()) }).Digits(tenths),
			columns.Any("log10_threshold", "fault from", columns.Float,
				"log10 of the e-value that is a fault",
				func(r *conformRow) any { return inTenths(r.Log10Threshold()) }).Digits(tenths),
			columns.Of("verdict", "verdict",
				"pass; fault if the e-value has ever reached the threshold; or open. Of a hypothesis it "+
					"is that of the table hypotheses",
				func(r *conformRow) string {
					if r.about != nil {
						return hypothesisVerdict(r.about)
					}
					return string(r.Found().Verdict)
				}).Answer(),
			columns.Of("where", "",
				"of a fault, the row of the first impossible value, or after how many draws it was certain",
				func(r *conformRow) string { return r.Found().Where }),
			columns.Of("decided_by", "",
				"of an open verdict, the number of draws that would decide; empty if it is not known",
				func(r *conformRow) float64 {
					if r.Decides == 0 {
						return math.NaN()
					}
					return r.Decides
				}).OrEmpty(),
			columns.Of("statistic", "", "in words, what deviates most from its distribution",
				func(r *conformRow) string { return r.Statistic }),
			columns.Any("direction", "", columns.String,
				"of a hypothesis, the direction of the chains; empty of a test",
				ofHypothesis(func(h *hypothesisRow) any { return h.side.Direction.String() })),
			columns.Any("hypothesis", "", columns.String, meansHypothesis+"; empty of a test",
				ofHypothesis(func(h *hypothesisRow) any { return h.Name })),
			columns.Any("log10_odds", "", columns.Float, meansOdds,
				ofHypothesis(func(h *hypothesisRow) any { return h.LogOdds / math.Ln10 })),
			columns.Any("posterior", "", columns.Float, meansPosterior,
				ofHypothesis(func(h *hypothesisRow) any { return h.Posterior })),
			columns.ForPeople("where it was certain, and what deviates most",
				func(r *conformRow) any { return whereFor(r) }).Prose(),
		}), rows)
	for i, row := range t.Rows {
		if e := rows[i].of.Estimates; e != nil && e.Number {
			clear(row[:len(annealing)])
		}
	}
	return t
}

// conformBrief returns the table of those tests that say something other than pass, and nil if
// these are all.
func conformBrief(o *Outcome) *table.Table {
	var rows []conformRow
	for _, result := range o.Results {
		if result.Found().Verdict != check.Pass {
			rows = append(rows, conformRow{of: o, Result: result})
		}
	}
	if len(rows) == len(o.Results) {
		return nil
	}
	return conformTable(rows)
}

// conformSummary says in a line what was found: how many tests passed, and how near the one with
// the largest e-value, relative to its threshold, is to a fault.
func conformSummary(o *Outcome, paint func(string) string) string {
	n := check.Count(o.Results)
	text := fmt.Sprintf("%s: %s: %s", paint(string(n.Overall())), selector.Count(len(o.Results), "test"), n)
	nearest := -1
	off := func(i int) float64 { return o.Results[i].LogE - o.Results[i].LogThreshold }
	for i := range o.Results {
		if o.Results[i].Found().Verdict == check.Pass && (nearest < 0 || off(i) > off(nearest)) {
			nearest = i
		}
	}
	if n.Fault > 0 {
		text += fmt.Sprintf("; a false alarm has probability %v at most", o.Alpha)
	} else if nearest >= 0 {
		text += fmt.Sprintf("; the largest e-value, of %q, is %s of its threshold", o.Results[nearest].Test,
			table.People(math.Exp(off(nearest)), 2))
	}
	return text + "\n"
}

// SpecReport returns the report of a task that is to be implemented: its files, and how many
// chains are needed to find and name each way to get it wrong, for people in a line. Sizes is nil
// if computing them would take too long, for the reason why.
func SpecReport(files []File, sizes []verdicts.Need, why error) *reports.Report {
	r := &reports.Report{}
	if sizes == nil {
		r.Note("how many chains tell each way to get it wrong is not computed: %v", why)
	} else {
		r.Add(reports.Table{
			Name:    "needs",
			Table:   NeedsTable(sizes),
			Brief:   NeedsTable(nil),
			Summary: func(func(string) string) string { return needsSummary(sizes) },
		})
	}
	for _, f := range files {
		r.Add(reports.File{Name: f.Name, Content: f.Content})
	}
	return r
}

// PowerfulReport returns the report of a choice among tasks: the candidates, the best first, and
// the content of SpecReport for the best.
func PowerfulReport(list []Candidate, files []File) *reports.Report {
	r := SpecReport(files, list[0].Needs, nil)
	if needs, is := r.Parts[0].(reports.Table); is {
		// programs read one table, which is that of the candidates
		needs.Place = reports.BesideResults
		r.Parts[0] = needs
	}
	c := list[0].Task.Case
	summary := fmt.Sprintf("the task is %s with the schedule %s and T = %d: there %s found and named with "+
		"%.0f chains in each direction, and %q needs the most\n",
		c.Toy.Name, c.Param("schedule"), c.Distributions(), mistakesFound(list[0].Hidden), list[0].Chains,
		list[0].Worst.Hypothesis)
	all := reports.Table{
		Name:    "candidates",
		Table:   Candidates(list),
		Summary: func(func(string) string) string { return summary },
	}
	if len(list) > bestCandidates {
		all.Brief = Candidates(list[:bestCandidates])
	}
	r.Parts = append([]reports.Part{all}, r.Parts...)
	return r
}

// bestCandidates is the number of tasks that people see of a choice.
const bestCandidates = 3

// mistakesFound says which ways to get it wrong are found, where that many are hidden.
func mistakesFound(hidden int) string {
	if hidden == 0 {
		return "every known way to get it wrong is"
	}
	return fmt.Sprintf("all known ways to get it wrong but %d are", hidden)
}

// needsSummary says in a line for each direction how many ways to get it wrong some numbers of
// chains find, and which of those that can be found takes the most.
func needsSummary(sizes []verdicts.Need) string {
	var b strings.Builder
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		all := 0
		few := 0
		many := 0
		found := 0
		last := verdicts.Need{}
		for _, t := range sizes {
			if t.Of != d.String() {
				continue
			}
			all++
			if t.Found <= 1e3 {
				few++
			}
			if t.Found <= 1e5 {
				many++
			}
			if !math.IsInf(t.Found, 1) {
				found++
				if t.Found >= last.Found {
					last = t
				}
			}
		}
		if found > 0 {
			fmt.Fprintf(&b,
				"%s: of %d known ways to get it wrong 1000 chains find %d, and 1e5 chains %d; all %d that "+
					"can be found take %s, for %q\n",
				d, all,
				few, many, found, roughly(last.Found), last.Hypothesis)
		}
	}
	return b.String()
}

// NeedsTable returns the table of how many draws find and name each hypothesis: chains of a
// direction, or runs of a kind.
func NeedsTable(needs []verdicts.Need) *table.Table {
	return table.New(columns.List{
		columns.Of("of", "of", "what is drawn: chains of a direction, forward or reverse",
			func(n *verdicts.Need) string { return n.Of }),
		columns.Of("hypothesis", "hypothesis", "a known way to get it wrong",
			func(n *verdicts.Need) string { return n.Hypothesis }),
		columns.Of("kl", "KL (nats)",
			"KL of a draw under the hypothesis from one under the specification, by all columns",
			func(n *verdicts.Need) number.Bounded { return boundedKL(n.KL) }).Absolute().Digits(3),
		columns.Of("found_by", "found by",
			"the draws that tell it from the specification; +Inf if none do",
			func(n *verdicts.Need) float64 { return n.Found }).Digits(6),
		columns.Of("named_by", "named by",
			"the draws that tell it from all others; +Inf if none do",
			func(n *verdicts.Need) float64 { return n.Named }).OrEmpty().Digits(6),
		columns.Of("alike", "cannot be told from",
			"the hypotheses that no number of draws tells from this one",
			func(n *verdicts.Need) string { return strings.Join(n.Alike, "; ") }),
	}, needs)
}

// Candidates returns the table of tasks, the best first.
func Candidates(list []Candidate) *table.Table {
	return table.New(columns.List{
		columns.Of("toy", "toy", columns.MeansRows,
			func(c *Candidate) string { return c.Task.Case.Toy.Name }),
		columns.Of("schedule", "schedule", "how the distributions are placed on the path",
			func(c *Candidate) string { return c.Task.Case.Param("schedule") }),
		columns.Of("T", "T", "the number of distributions, both ends included",
			func(c *Candidate) int { return c.Task.Case.Distributions() }),
		columns.Of("chains", "chains",
			"the number of chains in each direction that finds and names every known way to get the task wrong",
			func(c *Candidate) float64 { return c.Chains }).Digits(6),
		columns.Of("needed_by", "needed by", "the direction and the hypothesis that need that many chains",
			func(c *Candidate) string { return c.Worst.Of + ": " + c.Worst.Hypothesis }),
		columns.Of("hidden", "not told apart",
			"the number of hypotheses that no number of chains tells from another",
			func(c *Candidate) int { return c.Hidden }),
	}, list)
}
