package conform

import (
	"math"

	"breadboard/chains/selector"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/study/check"
)

// Result is the result of one test.
type Result struct {
	Test      string
	Draws     int     // chains, or transitions, at the last look
	LogE      float64 // the natural logarithm of the e-value at the last look
	Statistic string  // what deviates most from its law, in words
	Fault     bool
	// LogThreshold is the log of the e-value, in nats, from which on the test finds a fault.
	LogThreshold float64
	Where        string // after how many draws the fault was certain, and in which row where there is one; empty without a fault
	// Idle is whether there is nothing that the test could find, for lack of what it needs. It is no pass then.
	Idle  bool
	Looks []Look // the log e-value at each look
}

// Found implements check.Result. A test that could find nothing is open.
func (r Result) Found() check.Finding {
	f := check.Finding{Name: r.Test, Value: math.Exp(r.LogE), Tolerance: math.Exp(r.LogThreshold), Verdict: check.Pass, Where: r.Where}
	switch {
	case r.Fault:
		f.Verdict = check.Fault
	case r.Idle:
		f.Verdict = check.Open
	}
	return f
}

// Log10E returns the decimal logarithm of the e-value.
func (r Result) Log10E() float64 { return r.LogE / math.Ln10 }

// Log10Threshold returns the decimal logarithm of the e-value from which on the test finds a fault.
func (r Result) Log10Threshold() float64 { return r.LogThreshold / math.Ln10 }

// Look is the log e-value of a test after a number of draws.
type Look struct {
	Draws int
	LogE  float64
}

// test is an e-process, with what it found when it was last looked at.
type test struct {
	Result
	draws func() int
	value crosscheck.Value
	both  bool // whether it is of both directions together
	// row says in which row an impossible value was first seen; empty where there was none, and nil where the test sees none.
	row func() string
	// idle reports whether the test cannot find anything; nil of a test that always can.
	idle func() bool
}

// look brings the result up to date. A fault once found stays one: by Ville's inequality the e-process ever reaches the
// threshold with a small probability only.
func (t *test) look(logThreshold float64) {
	logE, where := t.value()
	t.Draws, t.LogE, t.Statistic, t.LogThreshold = t.draws(), logE, where(), logThreshold
	t.Idle = t.idle != nil && t.idle()
	if n := len(t.Looks); n == 0 || t.Looks[n-1].Draws < t.Draws {
		t.Looks = append(t.Looks, Look{t.Draws, logE})
	}
	if t.Fault || !(logE >= logThreshold || math.IsNaN(logE)) {
		return
	}
	t.Fault = true
	t.Where = "after " + selector.Count(t.Draws, "draw")
	if t.row != nil {
		if at := t.row(); at != "" {
			t.Where = at
		}
	}
}
