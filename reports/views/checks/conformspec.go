package checks

import (
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/conform"

	"breadboard/reports"
	"breadboard/reports/table"
)

// ConformSpecReport returns the report of a task that is to be implemented: its files, and how many chains it takes to find
// and name each way to get it wrong, for people in a line. The tellings are nil where they would take too long, for the reason that
// why says.
func ConformSpecReport(t *conform.Task, files []conform.File, tellings []conform.Telling, why error) *reports.Report {
	r := reports.New("needs", Needs(tellings))
	needs := r.Parts[0].(reports.Table)
	needs.Brief, needs.Summary = Needs(nil), func(func(string) string) string { return needsSummary(tellings) }
	r.Parts[0] = needs
	if tellings == nil {
		r = &reports.Report{}
		r.Note("how many chains tell each way to get it wrong is not computed: %v", why)
	}
	for _, f := range files {
		r.Add(reports.File{Name: f.Name, Content: f.Content})
	}
	needsNotes(r, tellings)
	return r
}

// PowerfulReport returns the report of a choice among tasks: the candidates, the best first, and what ConformSpecReport says
// of the best.
func PowerfulReport(list []conform.Candidate, files []conform.File) *reports.Report {
	r := ConformSpecReport(list[0].Task, files, list[0].Tellings, nil)
	if needs, is := r.Parts[0].(reports.Table); is { // programs read one table, which is that of the candidates
		needs.Place = reports.BesideResults
		r.Parts[0] = needs
	}
	all := reports.Table{Name: "candidates", Table: Candidates(list)}
	if len(list) > bestCandidates {
		all.Brief = Candidates(list[:bestCandidates])
	}
	r.Parts = append([]reports.Part{all}, r.Parts...)
	c := list[0].Task.Case
	r.Note("the task is %s with the schedule %s and T = %d: there %s found and named with %.0f chains in each direction, and %q needs the most",
		c.Toy.Name, c.Param("schedule"), c.Distributions(), found(list[0].Hidden), list[0].Chains, list[0].Worst.Hypothesis)
	return r
}

// bestCandidates is the number of tasks that people see of a choice.
const bestCandidates = 3

// found says which ways to get it wrong are found, where so many are hidden.
func found(hidden int) string {
	if hidden == 0 {
		return "every known way to get it wrong is"
	}
	return fmt.Sprintf("all known ways to get it wrong but %d are", hidden)
}

// needsSummary says in a line for each direction how many ways to get it wrong some numbers of chains find, and which of those that can be
// found takes the most.
func needsSummary(tellings []conform.Telling) string {
	var b strings.Builder
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		all, few, many, found, last := 0, 0, 0, 0, conform.Telling{}
		for _, t := range tellings {
			if t.Direction != d {
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
				if found++; t.Found >= last.Found {
					last = t
				}
			}
		}
		if found > 0 {
			fmt.Fprintf(&b, "%s: of %d known ways to get it wrong 1000 chains find %d, and 1e5 chains %d; all %d that can be found take %s, for %q\n", d, all, few, many, found, roughly(last.Found), last.Hypothesis)
		}
	}
	return b.String()
}

// needsNotes says what cannot be told from the specification, in a note for each direction.
func needsNotes(r *reports.Report, tellings []conform.Telling) {
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		var never []string
		for _, h := range tellings {
			if h.Direction == d && math.IsInf(h.Found, 1) {
				never = append(never, h.Hypothesis)
			}
		}
		if len(never) > 0 {
			r.Note("%s: no number of chains tells %s from the specification by log_w, x_first and x_last", d, selector.Listed(quoted(never)))
		}
	}
}

func needsFields() []table.Field[conform.Telling] {
	return []table.Field[conform.Telling]{
		{Column: table.Column{Name: "direction", Type: table.String, Title: "direction", Meaning: columns.MeansDirection}, Of: func(t *conform.Telling) any { return t.Direction.String() }},
		{Column: table.Column{Name: "hypothesis", Type: table.String, Title: "hypothesis", Meaning: "a known way to get annealing wrong"}, Of: func(t *conform.Telling) any { return t.Hypothesis }},
		{Column: table.Column{Name: "kl", Type: table.Float, Title: "KL", Unit: "nats", Digits: 3, Meaning: "KL of a chain under the hypothesis from one under the specification"}, Of: func(t *conform.Telling) any { return t.KL }},
		{Column: table.Column{Name: "chains_found", Type: table.Float, Title: "found by", Digits: 6, Meaning: "the number of chains that tell the hypothesis from the specification; +Inf where none does"}, Of: func(t *conform.Telling) any { return t.Found }},
		{Column: table.Column{Name: "chains_named", Type: table.Float, Title: "named by", Digits: 6, Meaning: "the number of chains that tell the hypothesis from all others; +Inf where none does"}, Of: func(t *conform.Telling) any { return t.Named }},
		{Column: table.Column{Name: "alike", Type: table.String, Title: "cannot be told from", Meaning: "the hypotheses that no number of chains tells from this one, separated by semicolons"}, Of: func(t *conform.Telling) any { return strings.Join(t.Alike, "; ") }},
	}
}

// Needs returns the table of how many chains find and name each hypothesis.
func Needs(tellings []conform.Telling) *table.Table { return table.New(needsFields(), tellings) }

func candidateFields() []table.Field[conform.Candidate] {
	return []table.Field[conform.Candidate]{
		{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(c *conform.Candidate) any { return c.Task.Case.Toy.Name }},
		{Column: table.Column{Name: "schedule", Type: table.String, Title: "schedule", Meaning: "the schedule, as on the command line in canonical form"}, Of: func(c *conform.Candidate) any { return c.Task.Case.Param("schedule") }},
		{Column: table.Column{Name: "T", Type: table.Int, Title: "T", Meaning: "the number of distributions, both ends included"}, Of: func(c *conform.Candidate) any { return c.Task.Case.Distributions() }},
		{Column: table.Column{Name: "chains", Type: table.Float, Title: "chains", Digits: 6, Meaning: "the number of chains in each direction that finds and names every known way to get the task wrong"}, Of: func(c *conform.Candidate) any { return c.Chains }},
		{Column: table.Column{Name: "needed_by", Type: table.String, Title: "needed by", Meaning: "the direction and the hypothesis that need so many chains"}, Of: func(c *conform.Candidate) any { return c.Worst.Direction.String() + ": " + c.Worst.Hypothesis }},
		{Column: table.Column{Name: "hidden", Type: table.Int, Title: "not told apart", Meaning: "the number of hypotheses in both directions that no number of chains tells from the specification or from another"}, Of: func(c *conform.Candidate) any { return c.Hidden }},
	}
}

// Candidates returns the table of tasks, the best first.
func Candidates(list []conform.Candidate) *table.Table { return table.New(candidateFields(), list) }
