package draws

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// Value is the e-value of a test at a look. The average over the tests on the same rows decides.
type Value struct {
	Name string
	LogE float64
	Says string // its finding, if any
	// whether draws, or moves, depend on each other beyond what the observed frequencies explain
	Depend bool
}

// logMean returns the logarithm of the average.
func logMean(values []Value) float64 {
	logs := make([]float64, len(values))
	for i, v := range values {
		logs[i] = v.LogE
	}
	return number.LogMean(logs)
}

// Strongest returns the first of the largest values.
func Strongest(values []Value) Value {
	best := values[0]
	for _, v := range values {
		if v.LogE > best.LogE {
			best = v
		}
	}
	return best
}

// SingleThreshold returns the log e-value above which a single test makes the average a fault.
func SingleThreshold(w *verdicts.Watch, values []Value) float64 {
	return w.LogThreshold + number.Log(float64(max(1, len(values))))
}

// Findings returns the finding of the average, which is watched, and those of its parts. Without a
// fault it is open if far says which count is far from its expectation, if one of the tests is open
// by itself, or unless excluded says which faults this many rows would have shown; that text is
// returned too.
func Findings(w *verdicts.Watch, values []Value,
	rows, fault, far, excluded string) (list []check.Finding, says string) {
	all := check.EValue(w.Name, w.LogE, w.LogThreshold,
		fmt.Sprintf("%s; the probability of a false alarm is at most %.3g, however often you look", rows,
			math.Exp(-w.LogThreshold)), func() string { return fault })
	for _, v := range values {
		f := v.finding(SingleThreshold(w, values))
		f.Part = true
		list = append(list, f)
		if f.Verdict == check.Open && far == "" {
			far = f.Name + ": " + f.Where
		}
	}
	switch {
	case w.Fault: // also at an earlier look
		all.Verdict = check.Fault
		all.Where = fault
	case far != "" || all.Verdict == check.Open:
		excluded = cmp.Or(far, all.Where)
		all.Verdict = check.Open
		all.Where = excluded
	case excluded == "":
		excluded = rows + ": enough only for a gross fault; more decide"
		all.Verdict = check.Open
		all.Where = excluded
	}
	return slices.Insert(list, 0, all), excluded
}

// finding is that of one test, which is judged only if it would make the average a fault by itself.
func (v Value) finding(alone float64) check.Finding {
	f := check.EValue(v.Name, v.LogE, alone, v.Says, func() string { return v.Says })
	if f.Verdict == check.Pass {
		f.Verdict = check.Note
		f.Where = ""
		if v.LogE > 0 && v.Says != "" {
			f.Where = "if anything, " + v.Says
		}
	}
	return f
}
