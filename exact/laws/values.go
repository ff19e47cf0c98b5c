package laws

import (
	"math"
	"slices"

	"breadboard/chains/number"
)

// Discrete is a distribution whose values can be listed.
type Discrete interface {
	Law
	// Values returns all values of log Z-hat that have a positive probability, in ascending order;
	// nil if they are too many to be listed.
	Values() []float64
}

// Values returns the values of a Discrete distribution, and nil for any other.
func Values(l Law) []float64 {
	if d, is := l.(Discrete); is {
		return d.Values()
	}
	return nil
}

// Values implements Discrete.
func (s *Starts) Values() (values []float64) {
	for _, a := range s.atoms {
		values = append(values, a.Value)
	}
	slices.Reverse(values)
	return values
}

// Values implements Discrete. Values of dependent terms are not listed.
func (s *Sum) Values() []float64 {
	if s.draws == nil || !s.draws.exact() {
		return nil
	}
	values := s.draws.multisetMeans()
	for i, v := range values {
		values[i] = s.shift + s.sign*v
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// multisetMeans returns the logarithms of the means of all multisets of K values.
//
// Of A values with A >= 1 these are C(A+K-1, K) multisets, and with a value zero those of up to K.
func (t *independentTerms) multisetMeans() (list []float64) {
	var add func(i int, left, logSum float64)
	add = func(i int, left, logSum float64) {
		if i == len(t.atoms) {
			if left == 0 || t.zero > 0 { // what is left are zeros
				list = append(list, logSum-number.Log(t.k))
			}
			return
		}
		for n := 0.0; n <= left; n++ {
			with := logSum
			if n > 0 {
				with = number.LogSumExp([]float64{logSum, number.Log(n) + t.atoms[i].logV})
			}
			add(i+1, left-n, with)
		}
	}
	add(0, t.k, math.Inf(-1))
	return list
}
