// Package ground answers: what is the least value of a quadratic function of variables that are 0
// or 1, at which states is it, and how many are there? Enumerate computes the value of every state,
// and so proves its answer; Search is a tabu search, which proves nothing. The package reads no
// files.
package ground

import (
	"errors"
	"math"

	"breadboard/chains/number"
)

// Problem is a function of x in {0, 1}^n: the sum of Fields[i] x_i, and of Pairs[i][j] x_i x_j over
// j < i.
type Problem struct {
	Fields []float64
	Pairs  [][]float64
}

// Value returns the function at a state.
func (p *Problem) Value(x []uint8) (sum float64) {
	for i, field := range p.Fields {
		if x[i] == 0 {
			continue
		}
		sum += field
		for j, weight := range p.Pairs[i] {
			sum += weight * float64(x[j])
		}
	}
	return sum
}

// Found is the least value that is known of a problem.
type Found struct {
	// a state that has it: of those that Enumerate finds the first, if the first variable moves
	// slowest
	State  []uint8
	States float64 // how many states have it; NaN if that is not known
	unit   float64
	above  []uint64 // how many states are that many units above it; nil if that is not known
}

// LogShare returns the logarithm of the probability of the least value under the distribution
// exp(-beta value)/Z; NaN if it is not known.
func (f *Found) LogShare(beta float64) float64 {
	if f.above == nil {
		return math.NaN()
	}
	z := 0.0
	for k := len(f.above) - 1; k >= 0; k-- { // the small terms first
		if n := f.above[k]; n > 0 {
			z += float64(n) * math.Exp(-beta*f.unit*float64(k))
		}
	}
	return number.Log(f.States) - number.Log(z)
}

// integral is a problem in whole multiples of a unit.
type integral struct {
	fields []int64
	pairs  [][]link // of each variable, with all others that it has a weight with
	unit   float64
	size   int64 // the sum of the sizes of all weights
	slack  int64 // values that are no farther apart are equal but for rounding; 0 if the multiples are exact
}

// link is the weight of a pair, as one of its variables sees it.
type link struct {
	to     int
	weight int64
}

const (
	// mostExact bounds the sum of weights in units of a power of ten that count as exact: farther
	// up, rounding to whole numbers shows nothing.
	mostExact = 1 << 40
	// fine is the sum of weights in units if these are no decimals of few digits.
	fine = 1 << 60
	// decimalRounding is how far a weight may be from a whole multiple, in times of the largest
	// weight: sums of few decimals have such errors.
	decimalRounding = 0x1p-46
)

// integers returns a problem in whole multiples of a unit: a power of ten if all weights are
// decimals of few digits, so that ties are exact, and else one so fine that it loses no digit of
// float64.
func (p *Problem) integers() (*integral, error) {
	size := 0.0
	largest := 0.0
	weights := 0
	each := func(visit func(w float64)) {
		for i, field := range p.Fields {
			visit(field)
			for _, w := range p.Pairs[i] {
				visit(w)
			}
		}
	}
	each(func(w float64) {
		size += math.Abs(w)
		largest = max(largest, math.Abs(w))
		if w != 0 {
			weights++
		}
	})
	if math.IsInf(size, 0) || math.IsNaN(size) {
		return nil, errors.New("the weights add up to no finite number")
	}
	q := &integral{unit: 1}
	exact := false
	for scale := 1.0; size*scale <= mostExact && !exact; scale *= 10 {
		exact = true
		each(func(w float64) {
			exact = exact && math.Abs(w*scale-math.Round(w*scale)) <= decimalRounding*largest*scale
		})
		q.unit = 1 / scale
	}
	whole := func(w float64) int64 { return int64(math.Round(w / q.unit)) }
	if exact {
		scale := math.Round(1 / q.unit)
		whole = func(w float64) int64 { return int64(math.Round(w * scale)) }
	} else {
		_, exponent := math.Frexp(size / fine)
		q.unit = math.Ldexp(1, exponent)
		q.slack = int64(weights)
	}
	q.fields = make([]int64, len(p.Fields))
	q.pairs = make([][]link, len(p.Fields))
	add := func(w int64) int64 { q.size += max(w, -w); return w }
	for i, field := range p.Fields {
		q.fields[i] = add(whole(field))
		for j, w := range p.Pairs[i] {
			if w := add(whole(w)); w != 0 {
				q.pairs[i], q.pairs[j] = append(q.pairs[i], link{j, w}), append(q.pairs[j], link{i, w})
			}
		}
	}
	return q, nil
}

// Unit returns a number such that all differences of values are whole multiples of it; 0 if there
// is none apart from rounding.
func (p *Problem) Unit() float64 {
	q, err := p.integers()
	if err != nil || q.slack > 0 {
		return 0
	}
	return q.unit
}
