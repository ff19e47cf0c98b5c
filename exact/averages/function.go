package averages

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
)

// Function is a function of the state, standardised by its mean and variance under a target.
type Function struct {
	Raw      []float64 // the function g as it was given
	Values   []float64 // h = (g - Mean)/SD; zero where g is infinite, which only states of probability zero may have: a chain must not begin there
	Mean, SD float64   // of g under the target
	Kurtosis float64   // the mean of h^4 under the target: 3 for a normal distribution, 1 for a fair coin

	Levels []float64 // the values of g that have positive probability, each once, ascending
	// Level is the place among Levels of the least level that is not below g(x), and len(Levels) where all are.
	Level  []int
	Masses []float64 // the probability of each level under the target
}

// Standardise returns a function of the state as one of mean zero and variance one under the target. It fails where the function has
// another number of states, where it is NaN anywhere or infinite at a state of positive probability, and where it is constant under the
// target. Time is O(states log states).
func (c *Chain) Standardise(g []float64) (*Function, error) {
	if len(g) != c.States() {
		return nil, fmt.Errorf("the function has %d values and the target %d states; give one for each state", len(g), c.States())
	}
	f := &Function{Raw: slices.Clone(g), Values: make([]float64, len(g)), Level: make([]int, len(g))}
	for x, v := range g {
		positive := c.Target[x] > 0
		if math.IsNaN(v) || positive && math.IsInf(v, 0) {
			return nil, fmt.Errorf("the function is %v at state %d; it must be finite wherever the target has probability", v, x)
		}
		if positive {
			f.Levels = append(f.Levels, v)
		}
	}
	slices.Sort(f.Levels)
	f.Levels = slices.Compact(f.Levels)
	if len(f.Levels) == 1 {
		return nil, fmt.Errorf("the function is constant, %v, wherever the target has probability; errors need one that varies", f.Levels[0])
	}
	f.levels(c.Target)
	return f, f.standardise(c.Target)
}

// levels finds the level of each state and the probability of each level.
func (f *Function) levels(p []float64) {
	f.Masses = make([]float64, len(f.Levels))
	for x, v := range f.Raw {
		f.Level[x], _ = slices.BinarySearch(f.Levels, v)
		if p[x] > 0 {
			f.Masses[f.Level[x]] += p[x]
		}
	}
}

// standardise computes the mean, the standard deviation and the standardised values. The likeliest level is subtracted first, which keeps
// the digits of a function with a large constant and of one that nearly always has the same value.
func (f *Function) standardise(p []float64) error {
	middle := f.Levels[slices.Index(f.Masses, slices.Max(f.Masses))]
	var shift number.Sum
	for x, q := range p {
		if q > 0 {
			shift.Add(q * (f.Raw[x] - middle))
		}
	}
	var variance number.Sum
	for x, q := range p {
		if q > 0 {
			d := f.Raw[x] - middle - shift.Value()
			variance.Add(q * d * d)
		}
	}
	f.Mean, f.SD = middle+shift.Value(), math.Sqrt(variance.Value())
	if !(f.SD > 0) || math.IsInf(f.SD, 0) {
		return fmt.Errorf("the standard deviation of the function under the target is %v; scale it so that floating point holds its square", f.SD)
	}
	var fourth number.Sum
	for x, v := range f.Raw {
		if math.IsInf(v, 0) {
			continue
		}
		h := (v - middle - shift.Value()) / f.SD
		f.Values[x] = h
		if p[x] > 0 {
			fourth.Add(p[x] * h * h * h * h)
		}
	}
	f.Kurtosis = fourth.Value()
	return nil
}

// InfiniteAt returns the first state of positive probability under a law at which the function is infinite, and -1 where there is none.
func (f *Function) InfiniteAt(law []float64) int {
	for x, q := range law {
		if q > 0 && math.IsInf(f.Raw[x], 0) {
			return x
		}
	}
	return -1
}
