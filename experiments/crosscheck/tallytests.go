package crosscheck

import (
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/eprocess"
)

// Value returns the log of an e-value at hand, in nats, and a function that says what deviates most from its law.
type Value = func() (logE float64, where func() string)

// NamedTest is a test on what has been counted. It is an e-process: its Value may be asked for at any time.
type NamedTest struct {
	Name  string
	Value Value
}

// tallyTest is a test that a tally may or may not allow.
type tallyTest struct {
	name  string
	of    string // what it tests
	lacks string // the columns that are missing for it; empty where there are all
	value Value  // nil where the law is not known
}

// Tests returns the tests that the columns allow: those that chains of a simulation have, and those of the states one by one,
// whose power is known (see eprocess.Detectable). The latter average over the n states, which costs them log n nats.
func (t *Tally) Tests() []NamedTest { return t.allowed(append(t.battery(), t.single()...)) }

// Untested says which laws cannot be tested for lack of a column, in whole sentences. See ChainLaws.Skipped for those that
// cannot be tested with any columns.
func (t *Tally) Untested() []string {
	var lacks []string
	of := map[string][]string{}
	for _, test := range append(t.battery(), t.single()...) {
		if test.lacks == "" {
			continue
		}
		if of[test.lacks] == nil {
			lacks = append(lacks, test.lacks)
		}
		of[test.lacks] = append(of[test.lacks], test.of)
	}
	var out []string
	for _, columns := range lacks {
		is := "are"
		if len(of[columns]) == 1 {
			is = "is"
		}
		out = append(out, fmt.Sprintf("the %s chains have no %s, so that %s %s not tested", t.d, columns, enumerated(of[columns]), is))
	}
	return out
}

// enumerated joins phrases to "a, b and c".
func enumerated(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// allowed returns those of the tests for which there are all columns and a law.
func (t *Tally) allowed(tests []tallyTest) []NamedTest {
	var out []NamedTest
	for _, test := range tests {
		if test.lacks == "" && test.value != nil {
			out = append(out, NamedTest{t.d.String() + " " + test.name, test.value})
		}
	}
	return out
}

// lacks names the columns among those that are needed which the tally does not have.
func (t *Tally) lacks(needed Columns) string {
	var missing []string
	for _, c := range []struct {
		name        string
		needed, has bool
	}{{"x_first", needed.First, t.columns.First}, {"x_last", needed.Last, t.columns.Last}, {"log_w", needed.LogW, t.columns.LogW}} {
		if c.needed && !c.has {
			missing = append(missing, c.name)
		}
	}
	switch len(missing) {
	case 0:
		return ""
	case 1:
		return "column " + missing[0]
	}
	return "columns " + enumerated(missing)
}

// battery returns the tests that chains of a simulation have.
func (t *Tally) battery() []tallyTest {
	tests := []tallyTest{
		{"x_1", "the law of x_1", t.lacks(Columns{First: true}), t.l.endValue(t.first, t.l.first[t.d])},
		{"x_T", "the law of x_T", t.lacks(Columns{Last: true}), t.l.endValue(t.last, t.l.last[t.d])},
		{"log w", "the mean of log w", t.lacks(Columns{LogW: true}), func() (float64, func() string) {
			return t.l.meanValue(t.d, t.sumLogW, t.alive[0])
		}},
		{"finite log w", "the number of infinite log weights", t.lacks(Columns{LogW: true}), t.finiteValue()},
		{"consecutive chains", "the independence of consecutive chains", t.lacksEnds(), t.pairsValue()},
		{"x_1 and x_T", "the joint law of x_1 and x_T", t.lacks(Columns{First: true, Last: true}), t.endsValue()},
		{"chains apart", "the independence of chains at several distances", t.lacksEnds(), t.apartValue()},
		{"law of log w", "the law of log w", t.lacks(Columns{LogW: true}), t.levelsValue()},
	}
	for i, what := range []string{"x_1", "x_T"} {
		lacks := t.lacks(Columns{First: i == 0, Last: i == 1, LogW: true})
		tests = append(tests, tallyTest{"log w given " + what, "the law of log w given " + what, lacks, t.givenValue(i, what)})
	}
	return tests
}

// single returns the tests of the states one by one.
func (t *Tally) single() []tallyTest {
	return []tallyTest{
		{"states of x_1", "the probability of each x_1", t.lacks(Columns{First: true}), t.l.statesValue(t.first, t.l.first[t.d])},
		{"states of x_T", "the probability of each x_T", t.lacks(Columns{Last: true}), t.l.statesValue(t.last, t.l.last[t.d])},
	}
}

// lacksEnds names the ends where there is neither of them. Tests of independence need one.
func (t *Tally) lacksEnds() string {
	if t.columns.First || t.columns.Last {
		return ""
	}
	return t.lacks(Columns{First: true, Last: true})
}

// endValue is the value of the test of the counts at an end.
func (l *ChainLaws) endValue(counts []int, p []float64) Value { return countsValue(counts, p, l.named) }

// statesValue is the value of the test of the counts at each state of an end by itself.
func (l *ChainLaws) statesValue(counts []int, p []float64) Value {
	return func() (float64, func() string) {
		return eprocess.CellsLogE(counts, p), func() string { return eprocess.SingleCell(counts, p, l.named) }
	}
}

// named names a state in a finding.
func (l *ChainLaws) named(x int) string { return "state " + l.state(x) }

// meanValue is the value of the test of a sum of n log weights.
func (l *ChainLaws) meanValue(d chains.Direction, sum float64, n int) (float64, func() string) {
	powers, k := l.RoundedCGF(d)
	return eprocess.WeightsLogE(sum, n, powers, k), func() string {
		return fmt.Sprintf("mean log w of %d chains is %.6g", n, sum/float64(n))
	}
}

func (t *Tally) finiteValue() Value {
	p := []float64{t.l.alive[t.d], 1 - t.l.alive[t.d]}
	return countsValue(t.alive, p, func(cell int) string { return []string{"finite log weights", "infinite log weights"}[cell] })
}

func (t *Tally) pairsValue() Value {
	law := t.l.pairs[t.d]
	if len(law) == 0 {
		return nil
	}
	verb := "ending"
	if t.atLast() != (t.d == chains.Forward) { // the column of the end is missing, and that of the start stands in for it
		p := t.l.first[t.d]
		if t.d == chains.Reverse {
			p = t.l.last[t.d]
		}
		verb, law = "starting", product(p, p) // of the first states of two independent chains
	}
	n := t.l.a.States()
	return countsValue(t.pairs, law, func(cell int) string {
		return fmt.Sprintf("chains %s at %s and %s", verb, t.l.state(cell/n), t.l.state(cell%n))
	})
}

func (t *Tally) endsValue() Value {
	law, n := t.l.ends[t.d], t.l.a.States()
	if len(law) == 0 {
		return nil
	}
	displaced := newDisplacements(law, n)
	return averaged(countsValue(t.ends, law, func(cell int) string {
		return fmt.Sprintf("chains from x_1 = %s to x_T = %s", t.l.state(cell/n), t.l.state(cell%n))
	}), func() (float64, func() string) { return displaced.value(t.ends) })
}

func (t *Tally) apartValue() Value {
	var values []Value
	for _, a := range t.apart {
		values = append(values, a.value)
	}
	return averaged(values...)
}

func (t *Tally) levelsValue() Value {
	levels := t.l.levels[t.d]
	if len(levels) == 0 {
		return nil
	}
	return func() (float64, func() string) {
		drawn, below := t.alive[0]+t.alive[1], t.below()
		return eprocess.LevelsLogE(below, drawn, levels), func() string { return eprocess.WorstLevel(below, drawn, levels) }
	}
}

// givenValue is the value of the test of log weights given an end: 0 is x_1, and 1 is x_T.
func (t *Tally) givenValue(end int, what string) Value {
	k, v := t.l.roundedGiven(t.d, end), t.given[end]
	if k == nil {
		return nil
	}
	return func() (float64, func() string) {
		l := eprocess.StatePowers()
		return eprocess.StatesLogE(v.sum, v.n, l, k), func() string { return eprocess.WorstState(what, v.sum, v.n, l, k) }
	}
}
