package crosscheck

import (
	"breadboard/chains"
	"breadboard/chains/simulate"
)

// totals counts the chains of one direction of a simulation that returns counts and sums alone.
type totals struct {
	first, last []int
	sumLogW     float64
	chains      int
}

func newTotals(states int) *totals {
	return &totals{first: make([]int, states), last: make([]int, states)}
}

func (t *totals) add(o *simulate.Occupation, k int) {
	for x := range t.first {
		t.first[x] += o.First[x]
		t.last[x] += o.Last[x]
	}
	t.sumLogW += o.SumLogW
	t.chains += k
}

// tests returns the tests of the totals. Their one sum of log weights does not show how many of them are finite, so that it is
// tested only where all are.
func (t *totals) tests(l *ChainLaws, d chains.Direction) []NamedTest {
	tests := []NamedTest{
		{d.String() + " x_1", l.endValue(t.first, l.first[d])},
		{d.String() + " x_T", l.endValue(t.last, l.last[d])},
	}
	if l.alive[d] == 1 {
		tests = append(tests, NamedTest{d.String() + " log w", func() (float64, func() string) {
			return l.meanValue(d, t.sumLogW, t.chains)
		}})
	}
	return tests
}
