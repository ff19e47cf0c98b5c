package crosscheck

import (
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/study/check"
)

// Running tests the chains of both directions while they accumulate. Its tests are those that a Tally has for either direction by the
// laws that it is given. All of them together raise a false alarm with a probability of at most alpha, however often one looks.
type Running struct {
	tallies [2]*Tally // by direction
	drawn   [2]int
	tests   [2][]NamedTest
	results [2][]Result
}

// NewRunning returns the tests of chains of which both ends and the log weight are known. NewEndLaws has laws for it that are soon
// there. It fails for an alpha outside 0 to 1.
func NewRunning(l *ChainLaws, alpha float64) (*Running, error) {
	if !(alpha > 0 && alpha < 1) {
		return nil, fmt.Errorf("a probability of false alarms of %v; give one above 0 and below 1, such as %v", alpha, check.DefaultAlpha)
	}
	r := &Running{}
	for d := range r.tallies {
		r.tallies[d] = NewTally(l, chains.Direction(d), Columns{First: true, Last: true, LogW: true})
		r.tests[d] = r.tallies[d].Tests()
	}
	threshold := float64(len(r.tests[0])+len(r.tests[1])) / alpha
	for d, tests := range r.tests {
		for _, t := range tests {
			r.results[d] = append(r.results[d], Result{Test: t.Name, Threshold: threshold})
		}
	}
	return r, nil
}

// Add counts chains that have come.
func (r *Running) Add(forward, reverse *simulate.Batch) {
	for d, b := range []*simulate.Batch{forward, reverse} {
		r.tallies[d].Add(b.First, b.Last, b.LogW)
		r.drawn[d] += len(b.LogW)
	}
}

// EValues returns the e-values of all tests on the chains so far, those of the forward chains first. A test that has found a fault at an
// earlier call keeps it, with what it said then.
func (r *Running) EValues() []Result {
	for d, tests := range r.tests {
		for i, t := range tests {
			r.results[d][i].judge(r.drawn[d], t.Value)
		}
	}
	return slices.Concat(r.results[0], r.results[1])
}
