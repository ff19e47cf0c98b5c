package conform

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

func conformNotes(r *reports.Report, o *Outcome) {
	faults := 0
	idle := 0
	open := 0
	for _, result := range o.Results {
		switch {
		case result.Fault:
			faults++
		case result.Idle:
			idle++
		case result.Open != "":
			open++
		}
	}
	tests := selector.Count(len(o.Results)-idle, "test")
	alarm := fmt.Sprintf("a false alarm had probability at most %v", o.Alpha)
	switch {
	case faults > 0:
		r.NoteAt(reports.InSummary, "a fault was found by %d of %s; %s", faults, tests, alarm)
	case idle == len(o.Results):
		r.NoteAt(reports.InSummary, "nothing was tested, so that nothing is said of what was sent")
	case open > 0:
		r.NoteAt(reports.InSummary, "%d of %s %s open: there is no fault, and this is not a pass", open, tests,
			selector.Plural(open, "is", "are"))
	default:
		r.NoteAt(reports.InSummary, "no fault was found by %s; %s", tests, alarm)
	}
	for _, same := range reports.Grouped(o.Sides, readColumns) {
		r.Note("read: %s, with %s", strings.Join(reports.Names(same, readChains), ", "), readColumns(&same[0]))
	}
	if o.Moves > 0 {
		r.Note("%s of the kernel %s read", selector.Count(o.Moves, "single move"),
			selector.Plural(o.Moves, "was", "were"))
	}
	if o.Estimates != nil {
		r.NoteAt(reports.WithResults, "%s", estimatesNote(o.Estimates))
		if note := otherNote(o.Estimates); faults > 0 && note != nil {
			r.Add(reports.Note{Advice: note})
		}
		for _, note := range []*errs.Advice{
			detectableNote(o.Estimates), shownNote(o.Estimates), likelihoodNote(o.Estimates)} {
			if faults == 0 && note != nil {
				r.Add(reports.Note{Advice: note, Place: reports.WithResults})
			}
		}
	}
	for i := range o.Sides {
		s := &o.Sides[i]
		notes := passNotes(s)
		place := reports.WithResults
		if faults > 0 {
			notes = faultNotes(o, s)
			place = reports.WithMessages
		}
		for _, n := range notes {
			r.NoteAt(place, "%s: %s", s.Direction, n)
		}
	}
	for _, n := range slices.Concat(commonNotes(o), missingOf(o), o.Untested) {
		r.Note("%s", n)
	}
}

func readColumns(s *Side) string { return selector.Listed(readNames(s.Columns)) }

func readChains(s *Side) string {
	return selector.Count(s.Chains, s.Direction.String()+" chain")
}

// estimatesNote says what was read of estimates of Z, and how far they are from it.
func estimatesNote(e *EstimatesOutcome) string {
	s := &e.Summary
	mean := s.LogMean
	deviation := s.LogMeanError
	if onAverage(e.Claim) {
		mean = s.MeanLog
		deviation = s.MeanLogError
	}
	text := fmt.Sprintf("%s of %s: %s is %s",
		selector.Count(s.Draws, "estimate"), e.Source, claimedMean(e.Claim), table.People(mean, 6))
	if figure.Finite(deviation) {
		text += fmt.Sprintf(" (standard error %s)", table.People(deviation, 2))
	}
	exact := "log Z"
	if e.Claim == verdicts.ReciprocalUnbiased {
		exact = "-log E(1/Zhat)"
	}
	text += fmt.Sprintf(", and %s is %s", exact, table.People(e.LogZ, 6))
	if figure.Finite(s.ScoreSD) && s.ScoreSD > 0 {
		text += fmt.Sprintf("; (log Zhat - log Z) / se has the mean %s and the standard deviation %s",
			table.People(s.MeanScore, 2), table.People(s.ScoreSD, 3))
	}
	return text
}

// otherNote says that estimates are right of the other of log(Z_T/Z_1) and log Z_T, if they are;
// else it is empty.
func otherNote(e *EstimatesOutcome) *errs.Advice {
	s := &e.Summary
	if e.Other == e.LogZ || !(math.Abs(s.LogMean-e.Other) <= verdicts.FarErrors*s.LogMeanError) ||
		math.Abs(s.LogMean-e.LogZ) <= verdicts.FarErrors*s.LogMeanError {
		return nil
	}
	if e.Other > e.LogZ {
		return errs.New(
			"the estimates are within five standard errors of %s, which is log Z_T, the log of the sum of "+
				"f; if they are of that, say so by {log-z-included}",
			table.People(e.Other, 6),
		)
	}
	return errs.New(
		"the estimates are within five standard errors of %s, which is log(Z_T/Z_1); if they are of that, "+
			"leave out {log-z-included}",
		table.People(e.Other, 6),
	)
}

// nearErrors is from how many standard errors on a note says what would decide.
const nearErrors = 3

// shownNote says what decides where estimates are off their claim by some standard errors and no
// fault is found; else it is empty.
func shownNote(e *EstimatesOutcome) *errs.Advice {
	what := claimedMean(e.Claim)
	if e.Shown.Event != "" {
		what = "P(" + e.Shown.Event + ")"
	}
	switch {
	case !(e.Shown.Errors >= nearErrors):
		return nil
	case e.Decides > 0 && !math.IsInf(e.Decides, 1):
		return errs.New("%s is off by %s standard errors: if it stays there, %s decide", what,
			table.People(e.Shown.Errors, 3),
			selector.Count(int(min(e.Decides, 1e18)), "estimate"))
	case e.Shown.Event != "" || e.Shown.Errors < verdicts.FarErrors:
		return nil
	}
	end := "smaller {largest}"
	if e.Claim == verdicts.ReciprocalUnbiased || e.Claim == verdicts.LowerOnAverage {
		end = "larger {smallest}"
	}
	return errs.New(
		"%s is off by %s standard errors, which rare estimates far away could still make up for; a "+
			end+", or {claim} within:NATS:PROBABILITY, may decide",
		claimedMean(e.Claim),
		table.People(e.Shown.Errors, 3),
	)
}

// claimedMean names the mean of estimates that a claim is about.
func claimedMean(claim verdicts.Claim) string {
	switch {
	case claim == verdicts.Upper || claim == verdicts.ReciprocalUnbiased:
		return "minus the log of the mean of their inverses"
	case onAverage(claim):
		return "the mean of their logs"
	}
	return "the log of their mean"
}

// onAverage reports whether the mean of the logs of estimates says more of a claim than the log of
// their mean.
func onAverage(claim verdicts.Claim) bool {
	return claim == verdicts.LowerOnAverage || claim == verdicts.UpperOnAverage || !verdicts.OfMeans(claim)
}

// detectableNote says which wrong means of estimates would have been found; it is empty if nothing
// can be said.
func detectableNote(e *EstimatesOutcome) *errs.Advice {
	d := e.Detectable
	if d == nil {
		return nil
	}
	wrong := outside(d.Low, d.High, 6)
	if wrong == "" {
		return errs.New("estimates that scatter like the first %d are too few to find a wrong mean with "+
			"probability 0.99, whatever it is", d.Taken)
	}
	return errs.New("%s %s would have been found (probability 0.99), if estimates scatter like the "+
		"first %d", claimedMean(e.Claim), wrong, d.Taken)
}

// likelihoodNote says which wrong probabilities would have been found, of the event that is nearest
// to being as likely as not; it is empty if no probability was tested.
func likelihoodNote(e *EstimatesOutcome) *errs.Advice {
	if len(e.Guarantees) == 0 {
		return nil
	}
	g := slices.MinFunc(e.Guarantees, func(a, b Guarantee) int {
		return cmp.Compare(math.Abs(a.Right-0.5), math.Abs(b.Right-0.5))
	})
	off := outside(g.Low, g.High, 4)
	if off == "" {
		return errs.New("%s are too few to find with probability 0.99 that %s is wrong, whatever it is",
			selector.Count(g.Draws, "estimate"), g.Quantity)
	}
	return errs.New("%s %s would have been found (probability 0.99); %s is right", g.Quantity, off,
		table.People(g.Right, 4))
}

// commonNotes says what is wrong with chains that are right by themselves: that the directions
// depend on each other, and that a program gives the same chains for every seed.
func commonNotes(o *Outcome) []string {
	var notes []string
	for _, result := range o.Results {
		switch {
		case !result.Fault:
		case result.Test == PairTest && oneStream(o) >= result.LogThreshold &&
			!slices.ContainsFunc(o.Sides, saysMore):
			notes = append(notes,
				fmt.Sprintf("the forward and the reverse chains depend on each other: what was sent is %s times "+
					"likelier than if they were independent",
					power10(oneStream(o))))
		case strings.HasSuffix(result.Test, seedsTest):
			notes = append(notes, fmt.Sprintf(
				"%s: the program gives the same chains for every seed, so its batches are not independent",
				strings.TrimSuffix(result.Test, seedsTest),
			))
		}
	}
	return notes
}

// saysMore reports whether the notes of a direction say already that the two depend on each other,
// or that its chains repeat others: pairs of such chains come again as well, and say nothing of a
// stream that both directions share.
func saysMore(s Side) bool {
	return s.Fault &&
		(slices.Contains(s.Named, hypotheses.OneStream) || slices.Contains(s.Named, hypotheses.Repeated))
}

// oneStream returns the log odds that the directions depend on each other, whatever the
// distributions of their chains are.
func oneStream(o *Outcome) float64 {
	for _, s := range o.Sides {
		for _, odds := range s.Odds {
			if odds.Name == hypotheses.OneStream {
				return odds.LogOdds
			}
		}
	}
	return math.Inf(-1)
}

func readNames(c draws.Columns) (names []string) {
	add := func(name string, has bool) {
		if has {
			names = append(names, name)
		}
	}
	add("log_w", c.LogW)
	add("x_first", c.XFirst && !c.Path)
	add("x_last", c.XLast && !c.Path)
	add("whole paths", c.Path)
	add("increments", c.Increments)
	return names
}

// lackingColumns returns the names of those columns by which hypotheses could be compared and which
// are not there.
func lackingColumns(c draws.Columns) []string {
	return readNames(draws.Columns{LogW: !c.LogW, XFirst: !c.XFirst, XLast: !c.XLast})
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = `"` + name + `"`
	}
	return out
}

// columnsHelp names the columns that may tell more, if there are any.
func columnsHelp(s *Side) string {
	lacking := lackingColumns(s.Columns)
	if len(lacking) == 0 {
		return ""
	}
	return "; " + selector.Listed(lacking) + " may"
}

// passNotes says how many known mistakes the chains of a direction would have shown; the tables
// hypotheses and guarantees have which, and what of a fault on no list.
func passNotes(s *Side) []string {
	found := 0
	var hidden []string // that no number of chains finds, for their digits
	help := ""
	for _, t := range s.Needs {
		switch {
		case slices.Contains(t.Alike, hypotheses.Specification):
			help = columnsHelp(s)
		case math.IsInf(t.Found, 1):
			hidden = append(hidden, t.Hypothesis)
		case t.Found <= float64(s.Chains):
			found++
		}
	}
	var notes []string
	if all := len(s.Needs); all > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d known mistakes would have been found (probability about 0.99)%s",
			found, all, help))
	}
	if len(hidden) > 0 {
		notes = append(notes,
			fmt.Sprintf("log weights with so few digits may hide %s from the test of all columns together, "+
				"however many chains there are; write all digits",
				selector.Listed(quoted(hidden))))
	}
	return notes
}

// outside names the values below one number and above another one, as in "below 1 or above 3". An
// end that is not finite is left out.
func outside(low, high float64, digits int) string {
	var each []string
	if figure.Finite(low) {
		each = append(each, "below "+table.People(low, digits))
	}
	if figure.Finite(high) {
		each = append(each, "above "+table.People(high, digits))
	}
	return strings.Join(each, " or ")
}

// roughly writes a number of chains with two digits.
func roughly(v float64) string {
	text := strconv.FormatFloat(v, 'e', 1, 64)
	if v < 1e6 {
		rounded, _ := strconv.ParseFloat(text, 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	return strings.Replace(strings.Replace(text, "e+0", "e", 1), "e+", "e", 1)
}

// missingOf returns the missingNotes of every direction, once if they are the same for both.
func missingOf(o *Outcome) []string {
	type missing struct{ direction, note string }
	var all []missing
	for i := range o.Sides {
		for _, n := range missingNotes(&o.Sides[i]) {
			all = append(all, missing{o.Sides[i].Direction.String(), n})
		}
	}
	var notes []string
	for _, same := range reports.Grouped(all, func(m *missing) string { return m.note }) {
		if len(same) == len(o.Sides) {
			same[0].direction = ""
		}
		notes = append(notes, strings.TrimPrefix(same[0].direction+": ", ": ")+same[0].note)
	}
	return notes
}

// missingNotes says which hypotheses are not considered, a note for each reason.
func missingNotes(s *Side) (notes []string) {
	reason := func(m *string) string { _, reason, _ := strings.Cut(*m, ": "); return reason }
	for _, same := range reports.Grouped(s.Missing, reason) {
		names := make([]string, len(same))
		for i, m := range same {
			names[i], _, _ = strings.Cut(m, ": ")
		}
		notes = append(notes, fmt.Sprintf("not considered: %s: %s", selector.Listed(quoted(names)), reason(&same[0])))
	}
	return notes
}
