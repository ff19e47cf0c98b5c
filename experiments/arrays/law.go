package arrays

import (
	"math"

	"breadboard/exact/weights"
	"breadboard/experiments"
)

// lawPoints is the number of values of log w at which a law that lies on no lattice is given.
const lawPoints = 401

// weightLaws are the laws of log w in both directions.
func weightLaws() []Kind {
	return []Kind{{
		Name: "law", Several: true, Shape: "values, each",
		Doc: "for forward and for reverse chains, law_forward_log_w, the values v of log w in nats, from -inf where a weight may be zero to inf where one may be infinite; " +
			"law_forward_p, the probability above the value before v and up to v, which on a lattice is that of v itself; " +
			"law_forward_at_most, that of log w <= v, with proven bounds in law_forward_low and law_forward_high",
		numbers: func(*experiments.Case, size) float64 { return 10 * lawPoints },
		make: func(m *maker) ([]Array, error) {
			l, err := m.laws()
			if err != nil {
				return nil, err
			}
			return append(lawArrays("law_forward", l.Forward), lawArrays("law_reverse", l.Reverse)...), nil
		},
	}}
}

// lawArrays returns the arrays of one law.
func lawArrays(name string, l *weights.Law) []Array {
	values, p := l.Points()
	onLattice := values != nil
	if !onLattice {
		values = between(l.Support())
	}
	if l.Zero > 0 {
		values, p = append([]float64{math.Inf(-1)}, values...), append([]float64{l.Zero}, p...)
	}
	if l.Infinite > 0 {
		values, p = append(values, math.Inf(1)), append(p, l.Infinite)
	}
	atMost, low, high := make([]float64, len(values)), make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		b := l.AtMost(v)
		switch {
		case math.IsInf(v, -1):
			b = weights.Bracket{Low: l.Zero, Value: l.Zero, High: l.Zero}
		case math.IsInf(v, 1):
			b = weights.Bracket{Low: 1, Value: 1, High: 1}
		}
		atMost[i], low[i], high[i] = b.Value, b.Low, b.High
	}
	if !onLattice {
		p = differences(atMost)
	}
	axis := Axis{Sides: []int{len(values)}, Columns: []Column{{Name: "point", Of: upFrom(0, len(values))}}}
	of := func(suffix string, v []float64) Array {
		return Array{Name: name + suffix, Group: name + suffix, Axes: []Axis{axis}, Floats: v}
	}
	return []Array{of("_log_w", values), of("_p", p), of("_at_most", atMost), of("_low", low), of("_high", high)}
}

// between returns values from low to high at equal distances, or the one value where both are the same.
func between(low, high float64) []float64 {
	if !(high > low) {
		return []float64{low}
	}
	values := make([]float64, lawPoints)
	for i := range values {
		u := float64(i) / (lawPoints - 1)
		values[i] = low*(1-u) + high*u
	}
	return values
}

// differences returns the difference of each number from the one before, and the first number itself.
func differences(values []float64) []float64 {
	out := make([]float64, len(values))
	before := 0.0
	for i, v := range values {
		out[i], before = v-before, v
	}
	return out
}
