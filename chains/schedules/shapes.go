package schedules

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
)

// Linear is b_t = (t-1)/(T-1).
type Linear struct{}

// Validate accepts any T >= 2.
func (Linear) Validate(T int) error { return validateLength(T) }

// Beta returns (t-1)/(T-1).
func (Linear) Beta(t, T int) float64 { return float64(t-1) / float64(T-1) }

// Rest returns (T-t)/(T-1).
func (Linear) Rest(t, T int) float64 { return float64(T-t) / float64(T-1) }

// Step returns 1/(T-1).
func (Linear) Step(_, T int) float64 { return 1 / float64(T-1) }

// String returns "linear".
func (Linear) String() string { return "linear" }

func linearForm() scheduleForm {
	return scheduleForm{
		Syntax: "linear", Doc: "b_t = (t-1)/(T-1)", Example: "linear", Others: []string{"uniform", "equal"},
		Parse: func(selector.Args, selector.Nothing) (chains.Schedule, error) { return Linear{}, nil },
	}
}

// Power is b_t = ((t-1)/(T-1))^P: with P > 1, more distributions near the initial one.
type Power struct{ P float64 }

// Validate accepts any T >= 2 with 0 < P <= 100.
func (s Power) Validate(T int) error {
	if !(s.P > 0 && s.P <= 100) {
		return errs.New("power schedule with exponent %v; give an exponent above 0 and at most 100", s.P)
	}
	return validateLength(T)
}

// Beta returns ((t-1)/(T-1))^P.
func (s Power) Beta(t, T int) float64 { return math.Pow(float64(t-1)/float64(T-1), s.P) }

// Rest returns 1 - b_t. It computes log b_t from (t-1)/(T-1), or near 1 from the difference
// (T-t)/(T-1) between that and one, so that the digits of 1 - b_t are kept.
func (s Power) Rest(t, T int) float64 {
	if 2*(t-1) < T-1 {
		return -math.Expm1(s.P * number.Log(float64(t-1)/float64(T-1)))
	}
	return -math.Expm1(s.P * math.Log1p(-float64(T-t)/float64(T-1)))
}

// Step returns b_t - b_{t-1} as b_{t-1} ((1 + 1/(t-2))^P - 1).
func (s Power) Step(t, T int) float64 {
	if t == 2 {
		return s.Beta(2, T)
	}
	return s.Beta(t-1, T) * math.Expm1(s.P*math.Log1p(1/float64(t-2)))
}

// String returns "power:" and P.
func (s Power) String() string { return fmt.Sprintf("power:%v", s.P) }

func powerForm() scheduleForm {
	return scheduleForm{
		Syntax: "power:P", Doc: "b_t = ((t-1)/(T-1))^P", Example: "power:2", Missing: "the exponent",
		Parse: func(args selector.Args, _ selector.Nothing) (chains.Schedule, error) {
			p, err := args.Number("exponent")
			if err != nil {
				return nil, err
			}
			return valid(Power{p})
		},
	}
}

// Sigmoid puts more distributions near both ends: with s the logistic function and a_t = Delta
// (2t/T - 1), b_t = (s(a_t) - s(a_1)) / (s(a_T) - s(a_1)), t = 1..T. Since a_1 is not -a_T, it is
// not quite symmetric.
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
		return errs.New("sigmoid schedule with delta %v; give a delta above 0 and at most %d", s.Delta, maxDelta)
	}
	return validateLength(T)
}

// sigmoidDifference returns 2 (s(a_t) - s(a_r)), through s(a) - s(b) = sinh((a-b)/2) / (2 cosh(a/2)
// cosh(b/2)).
func (s Sigmoid) sigmoidDifference(t, r, T int) float64 {
	half := func(t int) float64 { return s.Delta * (2*float64(t)/float64(T) - 1) / 2 }
	return math.Sinh(s.Delta*float64(t-r)/float64(T)) / math.Cosh(half(t)) / math.Cosh(half(r))
}

// Beta returns b_t. The quotient may round to slightly more than one, and b_t is never above one.
func (s Sigmoid) Beta(t, T int) float64 {
	return min(1, s.sigmoidDifference(t, 1, T)/s.sigmoidDifference(T, 1, T))
}

// Rest returns 1 - b_t.
func (s Sigmoid) Rest(t, T int) float64 {
	return min(1, s.sigmoidDifference(T, t, T)/s.sigmoidDifference(T, 1, T))
}

// Step returns b_t - b_{t-1}.
func (s Sigmoid) Step(t, T int) float64 {
	return s.sigmoidDifference(t, t-1, T) / s.sigmoidDifference(T, 1, T)
}

// String returns "sigmoid:" and Delta.
func (s Sigmoid) String() string { return fmt.Sprintf("sigmoid:%v", s.Delta) }

func sigmoidForm() scheduleForm {
	return scheduleForm{
		Syntax:  "sigmoid[:DELTA]",
		Doc:     "b_t = (s(a_t) - s(a_1))/(s(a_T) - s(a_1)), a_t = DELTA (2t/T - 1), s logistic; DELTA 4",
		Source:  "Grosse, Ghahramani and Adams 2015, section 6.2",
		Example: "sigmoid:4",
		Others:  []string{"logistic"},
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

// Spaced is geometric spacing from a first point on: b_2 = First and every later b_t greater by the
// same factor.
//
// Source: Neal 2001, section 5, which adds a linear stretch near 0.
type Spaced struct{ First float64 }

// defaultFirst is the first beta above zero of Neal 2001's geometric stretch.
const defaultFirst = 0.01

// Validate accepts any T >= 2 with 0 < First < 1.
func (s Spaced) Validate(T int) error {
	if !(s.First > 0 && s.First < 1) {
		return errs.New("geometric spacing from beta %v; give a first beta above 0 and below 1", s.First)
	}
	return validateLength(T)
}

// Beta returns First to the power (T-t)/(T-2) from t = 2 on; with T = 2 there are only the ends.
func (s Spaced) Beta(t, T int) float64 {
	switch t {
	case 1:
		return 0
	case T:
		return 1
	}
	return math.Exp(number.Log(s.First) * float64(T-t) / float64(T-2))
}

// Rest returns 1 - b_t.
func (s Spaced) Rest(t, T int) float64 {
	switch t {
	case 1:
		return 1
	case T:
		return 0
	}
	return -math.Expm1(number.Log(s.First) * float64(T-t) / float64(T-2))
}

// Step returns b_t - b_{t-1}.
func (s Spaced) Step(t, T int) float64 {
	if t == 2 {
		return s.Beta(2, T)
	}
	return -s.Beta(t, T) * math.Expm1(number.Log(s.First)/float64(T-2))
}

// String returns "geometric:" and First.
func (s Spaced) String() string { return fmt.Sprintf("geometric:%v", s.First) }

func spacedForm() scheduleForm {
	return scheduleForm{
		Syntax:  "geometric[:FIRST]",
		Doc:     "b_1 = 0, b_t = FIRST^((T-t)/(T-2)); FIRST 0.01",
		Source:  "Neal 2001, section 5",
		Example: "geometric:0.01",
		Others:  []string{"log", "logspace", "exponential"},
		Parse: func(args selector.Args, _ selector.Nothing) (chains.Schedule, error) {
			if !args.Given {
				return Spaced{defaultFirst}, nil
			}
			first, err := args.Number("first beta")
			if err != nil {
				return nil, err
			}
			return valid(Spaced{first})
		},
	}
}
