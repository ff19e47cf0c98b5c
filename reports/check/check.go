// Package check defines the results of checks: findings, verdicts and their columns.
//
// It checks nothing itself, and never prints or draws.
package check

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/reports/columns"
)

// Verdict is the verdict of a check on its object.
type Verdict string

// The verdicts.
const (
	Pass  Verdict = "pass"
	Fault Verdict = "fault" // the object is wrong
	Note  Verdict = "note"  // the object is neither right nor wrong
	Open  Verdict = "open"  // nothing was compared, or a bound is too wide to decide; Where has the reason
	// Differs says that the object differs from the wanted one, although its maker may be right:
	// for example a chain that has not mixed.
	Differs Verdict = "differs"
)

// Finding is one result of a check.
type Finding struct {
	Name  string
	Value float64 // an e-value, or the distance from the right value; NaN if nothing was compared
	// the largest distance without a fault, or the least e-value of a fault; NaN if nothing is
	// judged
	Tolerance float64
	Verdict   Verdict
	Where     string // the place of the value, or the fault
	IsE       bool   // whether the value is an e-value
	Part      bool   // whether the first finding is the verdict on all parts together
}

// Found returns the finding, so that a type that embeds Finding implements Result.
func (f Finding) Found() Finding { return f }

// Result is a finding together with its subject.
type Result interface{ Found() Finding }

// Held returns a pass if value <= tolerance; if not, or if value is NaN, a fault explained by
// wrong.
func Held(name string, value, tolerance float64, wrong string) Finding {
	if value <= tolerance {
		return Finding{Name: name, Value: value, Tolerance: tolerance, Verdict: Pass}
	}
	return Finding{Name: name, Value: value, Tolerance: tolerance, Verdict: Fault, Where: wrong}
}

// EValue returns the finding of an e-process, which is a fault if it has reached a threshold. Both
// are natural logarithms. Worst then describes the largest deviation; otherwise looked describes
// the tested data.
func EValue(name string, logE, logThreshold float64, looked string, worst func() string) Finding {
	f := Finding{
		Name:      name,
		Value:     math.Exp(logE),
		Tolerance: math.Exp(logThreshold),
		Verdict:   Pass,
		Where:     looked,
		IsE:       true,
	}
	if !(logE < logThreshold) { // NaN is no pass
		f.Verdict, f.Where = Fault, worst()
	} else if why := Near(logE); why != "" {
		f.Verdict = Open
		f.Where = why
	}
	return f
}

// Shown is the log e-value, in nats, of a deviation of five standard errors: half their square.
const Shown = 5 * 5 / 2.0

// Near returns the reason why a log e-value below the threshold is not a pass; empty if it is a
// pass.
func Near(logE float64) string {
	if !(logE >= Shown) {
		return ""
	}
	return "this is as far from right as five standard errors, and no fault yet; more of the same decide"
}

// Undecided returns the finding that nothing was compared, with the reason.
func Undecided(name, why string) Finding {
	return Finding{Name: name, Value: math.NaN(), Tolerance: math.NaN(), Verdict: Open, Where: why}
}

// Faulty reports whether one of the results is a fault.
func Faulty[R Result](results []R) bool { return Count(results).Fault > 0 }

// Unsettled returns the results with the verdicts fault, differs or open, without the parts of a
// fault that the first one names.
func Unsettled[R Result](results []R) []R {
	return slices.DeleteFunc(slices.Clone(results), func(r R) bool {
		f := r.Found()
		return f.Part && results[0].Found().Verdict == Fault ||
			f.Verdict != Fault && f.Verdict != Open && f.Verdict != Differs
	})
}

// Counts says how many results have each verdict.
type Counts struct{ Pass, Fault, Open, Note int }

// Count counts results by their verdict.
func Count[R Result](results []R) (n Counts) {
	for _, r := range results {
		switch r.Found().Verdict {
		case Pass:
			n.Pass++
		case Fault:
			n.Fault++
		case Open, Differs:
			n.Open++
		case Note:
			n.Note++
		}
	}
	return n
}

// Overall is fault if any result is, else open if any is or if none has passed, else pass.
func (n Counts) Overall() Verdict {
	switch {
	case n.Fault > 0:
		return Fault
	case n.Open > 0 || n.Pass == 0:
		return Open
	}
	return Pass
}

// String lists the counts. Notes are listed only if there are any.
func (n Counts) String() string {
	text := fmt.Sprintf("%d pass, %d fault, %d open", n.Pass, n.Fault, n.Open)
	switch {
	case n.Note == 1:
		text += ", and 1 note"
	case n.Note > 1:
		text += fmt.Sprintf(", and %d notes", n.Note)
	}
	return text
}

// Columns returns the columns of findings, with all names that these may have; see Column.Names.
// Callers put columns of the subject in front.
func Columns[R Result](names ...string) columns.List {
	return columns.LiftAny(ofFinding(names), (*R)(nil), func(row any) any { f := row.(Result).Found(); return &f })
}

func ofFinding(names []string) columns.List {
	return columns.List{
		columns.Of("finding", "finding", columns.MeansFinding, func(f *Finding) string { return f.Name }).
			Labels("value", names...),
		columns.Of("value", "value", "the number that was computed; empty if nothing was compared",
			func(f *Finding) float64 { return f.Value }).OrEmpty().Digits(3),
		columns.Of("tolerance", "tolerance", columns.MeansTolerance,
			func(f *Finding) float64 { return f.Tolerance }).OrEmpty().Digits(2),
		columns.Of("verdict", "verdict",
			"pass; fault; note, which is not judged; or open, if nothing decides",
			func(f *Finding) string { return string(f.Verdict) }).Answer(),
		columns.Of("where", "where", columns.MeansWhere, func(f *Finding) string { return f.Where }).Prose(),
	}
}

// ReasonFirst returns the columns of findings with the verdict and its reason before the number and
// its limit.
func ReasonFirst(fields columns.List) columns.List {
	var first, last columns.List
	for _, f := range fields {
		switch f.Name {
		case "value", "error_bound", "tolerance":
			last = append(last, f)
		case "where":
			first = append(first, f.Titled("reason").Answer())
		default:
			first = append(first, f)
		}
	}
	return append(first, last...)
}

// DefaultAlpha is the probability of a false alarm in a run.
const DefaultAlpha = 1e-6

// MinAlpha is the smallest alpha that the 53 bits of a uniform draw allow. An event that should
// never happen in a run, such as a move with probability 1e-60, happens with probability 2^-53 =
// 1.1e-16 a draw, because a draw may be zero, and then counts as a fault at once. In 10^7 draws
// this has a probability of 1e-9, which is well below this bound.
const MinAlpha = 1e-8

// ValidateAlpha returns an error if alpha is not a valid probability of a false alarm of a run.
func ValidateAlpha(alpha float64) error {
	if !(alpha >= MinAlpha && alpha < 1) {
		return errs.New("alpha %v; the probability of a false alarm is from %v to below 1", alpha, MinAlpha)
	}
	return nil
}
