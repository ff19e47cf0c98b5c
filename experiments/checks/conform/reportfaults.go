package conform

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/verdicts"
	"breadboard/reports/table"
)

// faultNotes says what the chains of a direction are likeliest to be, if a test has found a fault.
func faultNotes(o *Outcome, s *Side) []string {
	switch {
	case len(s.Odds) == 0:
		return nil
	case !s.Fault:
		return []string{"no test of these chains by themselves found a fault"}
	case len(s.Named) == 0 || slices.Contains(s.Named, hypotheses.Specification):
		return slices.DeleteFunc(
			[]string{unexplained(o, s), s.Suspicion, wrongLaws(o, s)},
			func(n string) bool { return n == "" },
		)
	}
	notes := []string{likeliestMistake(s)}
	if s.Named[0] == hypotheses.Repeated {
		notes = append(notes, repeatedNote(o, s))
	}
	if doc := hypotheses.Describe(s.Named[0]); doc != "" {
		notes = append(notes, fmt.Sprintf("%q is this: %s", s.Named[0], doc))
	}
	if alike := s.Named[1:]; len(alike) > 0 {
		notes = append(notes, fmt.Sprintf("these columns cannot tell that from %s",
			selector.Listed(quoted(alike)))+columnsHelp(s))
	}
	if s.Survived > 0 && s.Survived < verdicts.EnoughChains {
		notes = append(notes, uncertainName(selector.Count(s.Chains, "chain"), s.Survived, verdicts.EnoughChains))
	}
	return notes
}

// uncertainName says that more draws may name another mistake; survived is how many times as many
// as it takes to find the named one were read.
func uncertainName(read string, survived float64, enough int) string {
	return fmt.Sprintf(
		"the name is not certain: %s are %s times as many as it takes to find it, and a mistake that is "+
			"on no list and close to it needs some %d times as many to be distinguished",
		read,
		table.People(survived, 2),
		enough,
	)
}

// repeatedNote says which chains repeat others, and what that means for everything else.
func repeatedNote(o *Outcome, s *Side) string {
	text := ""
	for _, r := range o.Results {
		if r.Test == s.Direction.String()+RepeatsTest {
			text = r.Statistic
		}
	}
	return text + "; the other tests take chains for independent, so that this is to be mended first"
}

// unexplained says that no hypothesis explains the chains well enough to be named, and which test
// failed worst. Tests of both directions count only if none of this direction has failed.
func unexplained(o *Outcome, s *Side) string {
	text := fmt.Sprintf(
		"no known bug explains it: none has posterior odds of %d or more against all others and against %q",
		verdicts.EnoughLead,
		hypotheses.Unknown,
	)
	var own, both []Result // the faults of this direction, and of both together
	for _, r := range o.Results {
		switch {
		case !r.Fault:
		case r.Test == OutcomesTest || r.Test == PairTest:
			both = append(both, r)
		case strings.HasPrefix(r.Test, s.Direction.String()+" "):
			own = append(own, r)
		}
	}
	if len(own) == 0 {
		own = both
	}
	if len(own) == 0 {
		return text
	}
	r := slices.MaxFunc(own,
		func(a, b Result) int { return cmp.Compare(a.LogE-a.LogThreshold, b.LogE-b.LogThreshold) })
	return fmt.Sprintf("%s; the test that failed worst is %q, with an e-value of %s: %s", text, r.Test,
		power10(r.LogE), whereFor(&conformRow{Result: r}))
}

// likeliestMistake says which hypothesis explains what was sent, and its posterior odds against
// everything else.
func likeliestMistake(s *Side) string {
	text := fmt.Sprintf("%q explains what was sent, with posterior odds of %s against %s", s.Odds[0].Name,
		power10(s.Lead.All()), elseThan(s.Named))
	if math.IsInf(s.Odds[0].LogOdds, 1) {
		text += "; it is impossible under the specification"
	}
	return text
}

// elseThan names what hypotheses that are named, and alike, have odds against.
func elseThan(named []string) string {
	if len(named) > 1 {
		return "everything else that these columns can tell from it"
	}
	return "everything else"
}

// power10 writes a positive number, of which the natural logarithm is given: as a power of ten
// where it is large.
func power10(log float64) string {
	if math.IsInf(log, 1) {
		return "infinity"
	}
	if digits := log / math.Ln10; digits >= 6 {
		return fmt.Sprintf("10^%.0f", math.Floor(digits))
	}
	if v := math.Exp(log); v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return table.People(math.Exp(log), 2)
}
