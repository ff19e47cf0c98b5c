package annealed

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// Running tests the chains of both directions while they accumulate, with the tests of a Tally for
// each direction. All of them together raise a false alarm with a probability of at most alpha, for
// any number of looks.
type Running struct {
	tallies [2]*Tally // by direction
	drawn   [2]int
	tests   [2][]*verdicts.Watch
	results [2][]Result
}

// NewRunning returns the tests of chains with known ends and log weights. Use it with NewEndLaws,
// which is fast. It fails for an alpha outside 0 to 1.
func NewRunning(l *ChainLaws, alpha float64) (*Running, error) {
	if !(alpha > 0 && alpha < 1) {
		return nil, errs.New("probability of a false alarm %v; give one above 0 and below 1, such as %v",
			alpha, check.DefaultAlpha)
	}
	r := &Running{}
	for d := range r.tallies {
		r.tallies[d] = NewTally(l, chains.Direction(d), Columns{First: true, Last: true, LogW: true})
		for _, t := range r.tallies[d].Tests() {
			r.tests[d] = append(r.tests[d], &verdicts.Watch{Name: t.Name, Value: t.Value})
		}
	}
	threshold := float64(len(r.tests[0])+len(r.tests[1])) / alpha
	for d, tests := range r.tests {
		for _, w := range tests {
			w.LogThreshold = number.Log(threshold)
			r.results[d] = append(r.results[d], Result{Test: w.Name, Threshold: threshold})
		}
	}
	return r, nil
}

// Add counts the next chains.
func (r *Running) Add(forward, reverse *simulate.Batch) {
	for d, b := range []*simulate.Batch{forward, reverse} {
		r.tallies[d].Add(b.First, b.Last, b.LogW)
		r.drawn[d] += len(b.LogW)
	}
}

// EValues returns the e-values of all tests on the chains so far, those of the forward chains
// first. A test that has found a fault at an earlier call keeps that result.
func (r *Running) EValues() []Result {
	for d, tests := range r.tests {
		for i, w := range tests {
			w.Look(r.drawn[d])
			r.results[d][i].updateResult(w)
		}
	}
	return slices.Concat(r.results[0], r.results[1])
}

// Result is the result of one test.
type Result struct {
	Test      string
	Draws     int
	LogE      float64 // natural logarithm of the e-value
	Threshold float64 // the number of tests over alpha: an e-value of at least this is a fault
	Fault     bool
	// what deviates most from its distribution; if the test is an average, according to its largest
	// term
	Where string
}

// EValue returns the e-value, which may overflow to +Inf.
func (r Result) EValue() float64 { return math.Exp(r.LogE) }

// updateResult brings the result to the last look. A fault that has been found stays, with its
// description.
func (r *Result) updateResult(w *verdicts.Watch) {
	r.Draws = w.Draws
	r.LogE = w.LogE
	if w.Fault && !r.Fault {
		r.Fault, r.Where = true, w.Where()
		if math.IsNaN(w.LogE) {
			r.Where = "the e-value is not a number (NaN); " + r.Where
		}
	}
}
