package sweep

import (
	"breadboard/exact/internal/number"
	"breadboard/exact/kernel"
)

// Operator is a transition matrix with all its digits: rows in float64, and beside them the entries off the diagonal that
// are so small that float64 loses them or their digits. The rows are without these.
type Operator struct {
	*kernel.Rows
	Tiny []TinyEntry
}

// TinyEntry is one transition probability, kept as its logarithm.
type TinyEntry struct {
	From, To int
	LogP     float64
}

// Push returns the law q after one transition.
func (o Operator) Push(q []number.Wide) []number.Wide {
	next := make([]number.Wide, len(q))
	for x, mass := range q {
		if mass.M == 0 {
			continue
		}
		for _, e := range o.Row(x) {
			next[e.To] = next[e.To].Add(mass.Mul(number.Scaled(e.P, 0)))
		}
	}
	for _, e := range o.Tiny {
		next[e.To] = next[e.To].Add(q[e.From].Mul(number.WideExp(e.LogP)))
	}
	return next
}

// Probability returns the probability to go from x to y. Time is the length of the row and of the tiny entries.
func (o Operator) Probability(x, y int) number.Wide {
	if p := o.At(x, y); p > 0 {
		return number.Scaled(p, 0)
	}
	for _, e := range o.Tiny {
		if e.From == x && e.To == y {
			return number.WideExp(e.LogP)
		}
	}
	return number.Wide{}
}
