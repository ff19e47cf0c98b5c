package stage

import (
	"sort"

	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// Operator is a transition matrix with all its digits: rows in float64, and beside them the entries off the diagonal that
// are so small that float64 loses them or their digits. The rows are without these.
type Operator struct {
	*kernel.Rows
	Tiny []TinyEntry
	// plain says that no entry is so small that its product with a number of exponent zero leaves the range of float64.
	plain bool
	// whole says that the rows sum to one but for rounding. An average over a row is then the state's own value plus the mean
	// difference from it. A constant stays as it is that way, whereas the plain sum would multiply it by the rounded sum of the
	// row, and such roundings add up where they are the same at every stage, as those of the weights of a mixture are.
	whole bool
}

// leastPlain is the least entry of a plain operator. A Wide of exponent zero is at least 2^-256, so that a product is at
// least 2^-956.
const leastPlain = 0x1p-700

// weigh finds out whether the operator is plain.
func (o *Operator) weigh() { o.plain = len(o.Tiny) == 0 && o.Least() >= leastPlain }

// TinyEntry is one transition probability, kept as its logarithm.
type TinyEntry struct {
	From, To int
	LogP     float64
}

// Push returns the law q after one transition.
func (o Operator) Push(q []number.Wide) []number.Wide {
	next := make([]number.Wide, len(q))
	if masses, ok := o.floats(nil, q); ok {
		sums := make([]float64, len(q))
		for x, mass := range masses {
			if mass == 0 {
				continue
			}
			for _, e := range o.Row(x) {
				sums[e.To] += mass * e.P
			}
		}
		for y, v := range sums {
			next[y] = number.Scaled(v, 0)
		}
		return next
	}
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

// floats writes numbers to dst as float64 where sums of their products with the entries of the operator have the same digits
// in float64 as in numbers of a wide range: where the operator is plain and all exponents are zero. Otherwise it returns
// false.
func (o Operator) floats(dst []float64, v []number.Wide) ([]float64, bool) {
	if !o.plain {
		return dst, false
	}
	if cap(dst) < len(v) {
		dst = make([]float64, len(v))
	}
	dst = dst[:len(v)]
	for x, w := range v {
		if w.E != 0 {
			return dst, false
		}
		dst[x] = w.M
	}
	return dst, true
}

// Probability returns the probability to go from x to y. Time is the length of the row and of the tiny entries.
func (o Operator) Probability(x, y int) number.Wide {
	if p := o.Rows.At(x, y); p > 0 {
		return number.Scaled(p, 0)
	}
	return o.tiny(x, y)
}

// at returns the probability to go from x to y, given the place of its entry, or -1.
func (o Operator) at(place int32, x, y int) number.Wide {
	if place >= 0 {
		if p := o.Entries[place].P; p > 0 {
			return number.Scaled(p, 0)
		}
	}
	return o.tiny(x, y)
}

// tiny returns the probability of a tiny entry, zero where there is none. They are in the order of the states that they
// lead to.
func (o Operator) tiny(x, y int) number.Wide {
	for _, e := range o.Tiny[sort.Search(len(o.Tiny), func(i int) bool { return o.Tiny[i].To >= y }):] {
		if e.To != y {
			break
		}
		if e.From == x {
			return number.WideExp(e.LogP)
		}
	}
	return number.Wide{}
}
