package schedules

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Sigmoid puts more distributions near both ends: with s the logistic function and a_t = Delta (2t/T - 1),
// b_t = (s(a_t) - s(a_1)) / (s(a_T) - s(a_1)), t = 1..T. Since a_1 is not -a_T, it is not quite symmetric.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2, which uses Delta = 4.
type Sigmoid struct{ Delta float64 }

// DefaultDelta is the Delta of Grosse, Ghahramani and Adams 2015.
const DefaultDelta = 4

// maxDelta keeps the hyperbolic functions of Beta and Step far from overflow.
const maxDelta = 500

// Validate accepts any T >= 2 with 0 < Delta <= 500.
func (s Sigmoid) Validate(T int) error {
	if !(s.Delta > 0 && s.Delta <= maxDelta) {
		return fmt.Errorf("sigmoid schedule with delta %v; delta is above 0 and at most %d", s.Delta, maxDelta)
	}
	return validateLength(T)
}

// rise returns 2 (s(a_t) - s(a_r)), through s(a) - s(b) = sinh((a-b)/2) / (2 cosh(a/2) cosh(b/2)).
func (s Sigmoid) rise(t, r, T int) float64 {
	half := func(t int) float64 { return s.Delta * (2*float64(t)/float64(T) - 1) / 2 }
	return math.Sinh(s.Delta*float64(t-r)/float64(T)) / math.Cosh(half(t)) / math.Cosh(half(r))
}

// Beta returns b_t. The quotient may round to slightly more than one, and b_t is never above one.
func (s Sigmoid) Beta(t, T int) float64 { return min(1, s.rise(t, 1, T)/s.rise(T, 1, T)) }

// Rest returns 1 - b_t.
func (s Sigmoid) Rest(t, T int) float64 { return min(1, s.rise(T, t, T)/s.rise(T, 1, T)) }

// Step returns b_t - b_{t-1}.
func (s Sigmoid) Step(t, T int) float64 { return s.rise(t, t-1, T) / s.rise(T, 1, T) }

// String returns "sigmoid:" and Delta.
func (s Sigmoid) String() string { return fmt.Sprintf("sigmoid:%v", s.Delta) }

// sigmoidForm is how Sigmoid is selected.
func sigmoidForm() scheduleForm {
	return scheduleForm{
		Syntax: "sigmoid[:DELTA]", Doc: "b_t = (s(a_t) - s(a_1))/(s(a_T) - s(a_1)), a_t = DELTA (2t/T - 1), s logistic; DELTA 4", Source: "Grosse, Ghahramani and Adams 2015, section 6.2", Example: "sigmoid:4", Others: []string{"logistic"},
		Parse: func(args selector.Args, _ selector.Nothing) (chains.Schedule, error) {
			if !args.Given {
				return Sigmoid{DefaultDelta}, nil
			}
			delta, err := args.Number("delta")
			if err != nil {
				return nil, err
			}
			return valid(Sigmoid{delta})
		},
	}
}
