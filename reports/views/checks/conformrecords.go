package checks

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/particles"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/checks/conform/tempering"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/experiments/verdicts"
	"breadboard/reports"
	"breadboard/reports/table"
)

// Samplers returns all kinds of samplers that are checked by their records, in the order of their
// names.
func Samplers() []records.Sampler { return []records.Sampler{particles.Sampler(), tempering.Sampler()} }

// RecordsSpecReport returns the report of a task that is to be implemented: its files, and how many
// records find and name each known way to get it wrong.
func RecordsSpecReport(files []records.File, needs []verdicts.Need) *reports.Report {
	r := reports.New("needs", Needs(needs))
	for _, f := range files {
		r.Add(reports.File{Name: f.Name, Content: func() ([]byte, error) { return f.Content, nil }})
	}
	for _, n := range needs {
		if math.IsInf(n.Found, 1) {
			r.Note("%s: no number of them tells \"%s\" from the specification on this task", n.Of, n.Hypothesis)
		}
	}
	return r
}

// RecordsReport returns the report of the tests of records that were made elsewhere: the verdict,
// and the likeliest explanation if the runs are not right. It has a Fault if a test has found one,
// if no test could judge, and, if strict, if any test could not judge.
func RecordsReport(name string, o *records.Outcome, strict bool) *reports.Report {
	rows := recordsRows(o)
	r := &reports.Report{Checked: check.Cases(nil, rows)}
	for _, s := range o.Sides {
		explain(r.Checked, s.Named, func(test string) bool { return strings.HasPrefix(test, s.Kind) })
	}
	r.Add(reports.Table{Name: name, Table: table.New(recordsFields(), rows)})
	r.Add(reports.Table{Name: "hypotheses", Place: reports.BesideResults, Table: RecordOdds(o)})
	for i := range o.Sides {
		recordsNotes(r, o, &o.Sides[i])
	}
	n := check.Count(rows)
	counts, alarm := fmt.Sprintf("%d pass, %d fault, %d open", n.Pass, n.Fault, n.Open),
		fmt.Sprintf("a false alarm had probability at most %g, however often one looks", o.Alpha)
	switch {
	case n.Fault > 0:
		r.Note("%s: %s; %s", selector.Count(len(rows), "test"), counts, alarm)
		r.Fault = chains.NewFault(errors.New("what was sent does not follow the exact distributions; see the rows that say fault"))
		return r
	case n.Pass == 0:
		r.Fault = chains.NewFault(errors.New("no test could judge what was sent, so that nothing is said of it; send more runs, or more columns"))
	case strict && n.Open > 0:
		r.Fault = chains.NewFault(chains.NewAdvice("%d of %s could not judge what was sent, and {strict} asks that all do; send more runs", n.Open,
			selector.Count(len(rows), "test")))
	}
	r.Note(
		"no test looks for runs that depend on each other: runs that repeat earlier ones, or go on from them, may pass; and a number within %g of an exact one, as a part of one and its size, counts as that number",
		records.Near)
	r.Note("%s: %s; %s", selector.Count(len(rows), "test"), counts, alarm)
	return r
}

// Records returns the table of the tests, one row each.
func Records(o *records.Outcome) *table.Table { return table.New(recordsFields(), recordsRows(o)) }

func recordsRows(o *records.Outcome) (rows []recordsRow) {
	for _, result := range o.Results {
		rows = append(rows, recordsRow{o, result})
	}
	return rows
}

// RecordOdds returns the table of the odds of all distributions.
func RecordOdds(o *records.Outcome) *table.Table {
	var rows []recordOddsRow
	for _, s := range o.Sides {
		for _, odds := range s.Odds {
			rows = append(rows, recordOddsRow{s.Kind, odds})
		}
	}
	return table.New(columns.List{
		columns.Of("runs_of", "of", "the kind of records, as in conditional runs", func(r *recordOddsRow) string { return r.kind }),
		columns.Of("hypothesis", "hypothesis", "the specification, or a known way to get it wrong", func(r *recordOddsRow) string { return r.Hypothesis }),
		columns.Any("log10_odds", "log10 odds", columns.Float,
			"log10 of how many times likelier what was sent is under the hypothesis than under the specification; empty if it is impossible under both",
			func(r *recordOddsRow) any { return oddsCell(r.Log) }).Digits(tenths).Answer(),
		columns.Of("runs_found", "found by",
			"the number of runs that tell the hypothesis from the specification by the columns that are there, with a probability of about 0.99; +Inf if none does, and empty of the specification",
			func(r *recordOddsRow) float64 { return r.Found }).OrEmpty().Digits(6),
		columns.Of("meaning", "what it does", "what the hypothesis does, in a sentence", func(r *recordOddsRow) string { return r.Meaning }).Prose(),
	}, rows)
}

func recordsNotes(r *reports.Report, o *records.Outcome, s *records.Side) {
	r.Note("%s: %d %s read of %s", s.Kind, s.Runs, selector.Plural(s.Runs, "was", "were"), s.Source)
	for _, g := range s.Missing {
		r.Note("%s: the columns of %s are not there, so that they are not tested: %s", s.Kind, g.Name, g.Meaning)
	}
	for _, c := range s.Inexact {
		r.Note("%s: %s is right to some %.0f digits only, as if it is computed in float32; what is wrong beyond them is not seen", s.Kind, c.Column,
			math.Floor(-number.Log10(c.Off)))
	}
	switch {
	case !s.Fault && !o.Fault():
		for _, note := range recordsPassNotes(o, s) {
			r.Note("%s: %s", s.Kind, note)
		}
	case !s.Fault:
	case len(s.Named) > 0:
		r.Note("%s: %s explains what was sent, with posterior odds of %s against %s", s.Kind, quotedNames(s.Named), power10(s.Lead.All()), elseThan(s.Named))
		if s.Survived < verdicts.EnoughRecords {
			r.Note("%s: %s", s.Kind, uncertainName(selector.Count(s.Runs, "run"), s.Survived, verdicts.EnoughRecords))
		}
	case s.Unexplained:
		r.Note("%s: none of the known ways to get it wrong explains what was sent; %s", s.Kind, worstRecords(o, s.Kind))
	default:
		r.Note("%s: there are too few to say which of the known ways to get it wrong this is, if any; %s", s.Kind, worstRecords(o, s.Kind))
	}
}

// worstRecords says which test of one distribution failed worst, and how: that of the fewest
// columns, of those that failed alike.
func worstRecords(o *records.Outcome, kind string) string {
	var faults []records.Result
	for _, r := range o.Results {
		if r.Fault && strings.HasPrefix(r.Test, kind+": ") {
			faults = append(faults, r)
		}
	}
	r := slices.MaxFunc(faults, func(a, b records.Result) int { return cmp.Compare(a.LogE, b.LogE) })
	return fmt.Sprintf("the test that failed worst is %q, with an e-value of %s: %s", r.Test, power10(r.LogE), r.Statistic)
}

// recordsPassNotes says what would have been found of the records of one kind, if there is no
// fault.
func recordsPassNotes(o *records.Outcome, s *records.Side) (notes []string) {
	var never, late []string
	known := 0
	odds := slices.Clone(s.Odds)
	slices.SortStableFunc(odds, func(a, b records.Suspect) int { return cmp.Compare(a.Found, b.Found) })
	for _, h := range odds {
		switch {
		case math.IsNaN(h.Found):
			continue
		case math.IsInf(h.Found, 1):
			never = append(never, strconv.Quote(h.Hypothesis))
		case h.Found > float64(s.Runs):
			late = append(late, fmt.Sprintf("%q (it takes some %s)", h.Hypothesis, roughly(h.Found)))
		}
		known++
	}
	notes = append(notes, fmt.Sprintf("%d of the %d known ways to get it wrong would have been found with a probability of about 99%%",
		known-len(never)-len(late), known))
	if len(late) > 0 {
		notes = append(notes, fmt.Sprintf("%s may be too few to find %s", selector.Count(s.Runs, "run"), selector.Listed(late)))
	}
	var missing []string
	for _, g := range s.Missing {
		missing = append(missing, g.Name)
	}
	if missing != nil {
		notes = append(notes, fmt.Sprintf("without the columns of %s a pass cannot see a mistake that changes nothing else", selector.Listed(missing)))
	}
	if len(never) > 0 {
		notes = append(notes, fmt.Sprintf("by these columns no number of runs tells %s from the specification", selector.Listed(never)))
	}
	var changes, others []string
	for _, result := range o.Results {
		kind, test, _ := strings.Cut(result.Test, ": ")
		if kind != s.Kind || result.Open != "" {
			continue
		}
		if p := result.Power; !math.IsNaN(p.KL) {
			changes = append(changes, fmt.Sprintf("%s of %s", table.People(p.KL, 2), test))
		} else if !math.IsNaN(p.Rare) {
			others = append(others, fmt.Sprintf("%s of %s", table.People(p.Rare, 2), test))
		}
	}
	if len(changes) > 0 {
		notes = append(notes,
			fmt.Sprintf(
				"a fault that is on no list would have been found as surely if it changes every probability of a distribution by a small part, and the distribution by this much KL in nats or more: %s; one that changes less may have passed",
				strings.Join(changes, ", ")))
	}
	if len(others) > 0 {
		notes = append(notes,
			fmt.Sprintf("one outcome is all but certain, and another one would have been found as surely in this part of the runs or more: %s",
				strings.Join(others, ", ")))
	}
	return notes
}

func quotedNames(names []string) string {
	return `"` + strings.Join(names, `" or, with the same distribution, "`) + `"`
}

// recordsRow is a test of an outcome.
type recordsRow struct {
	of *records.Outcome
	records.Result
}

// Found implements check.Result.
func (r recordsRow) Found() check.Finding {
	f := check.Finding{Name: r.Test, Value: math.Exp(r.LogE), Tolerance: math.Exp(r.of.LogThreshold), Verdict: check.Pass, Where: r.Statistic, IsE: true}
	switch {
	case r.Fault:
		f.Verdict = check.Fault
	case r.Open != "":
		f.Verdict, f.Where = check.Open, r.Open
	}
	return f
}

func recordsFields() columns.List {
	return columns.List{
		columns.Of("test", "test", "what is tested", func(r *recordsRow) string { return r.Test }).Prose(),
		columns.Of("runs", "runs", "the number of runs that the test has seen", func(r *recordsRow) int { return r.Runs }),
		columns.Any("log10_e", "log10 e", columns.Float, "log10 of the e-value at the last look; it may have been larger before",
			func(r *recordsRow) any { return inTenths(r.LogE / math.Ln10) }).Digits(tenths),
		columns.Any("log10_threshold", "fault from", columns.Float, "log10 of the e-value from which on the test finds a fault",
			func(r *recordsRow) any { return inTenths(r.of.LogThreshold / math.Ln10) }).Digits(tenths),
		columns.Of("verdict", "verdict",
			"pass; fault if the e-value has ever reached the threshold; or open if the test would have found next to nothing, for lack of runs or of columns",
			func(r *recordsRow) string { return string(r.Found().Verdict) }).Answer(),
		columns.Of("found_at", "certain after", "the number of runs at the look at which the fault was certain; empty if there is none",
			func(r *recordsRow) int { return r.At }).Positive(),
		columns.Of("kl_excluded", "(nats)",
			"the test would have found with a probability of 0.99 any distribution so far from its own (KL, of a run) that changes every probability by a small part; empty if that cannot be said, and of a fault",
			func(r *recordsRow) float64 { return r.Power.KL }).OrEmpty(),
		columns.Of("share_excluded", "",
			"where one outcome is all but certain: another one in so large a part of the runs would have been found with a probability of 0.99; empty elsewhere; +Inf if no part is found",
			func(r *recordsRow) float64 { return r.Power.Rare }).OrEmpty(),
		columns.Of("open", "", "why the test is open; empty if it is not", func(r *recordsRow) string { return r.Open }),
		columns.Of("statistic", "what deviates most", "in words, what deviates most from its distribution",
			func(r *recordsRow) string { return r.Statistic }).Prose(),
	}
}

// recordOddsRow is the odds of one distribution.
type recordOddsRow struct {
	kind string
	records.Suspect
}

// oddsCell returns the cell of log odds, which is empty if there are none.
func oddsCell(log float64) any {
	if math.IsNaN(log) {
		return nil
	}
	return inTenths(log / math.Ln10)
}
