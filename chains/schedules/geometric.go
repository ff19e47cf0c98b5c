package schedules

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Spaced is geometric spacing from a first point on: b_2 = First and every later b_t greater by the same factor.
//
// Source: Neal 2001, section 5, which joins such a stretch to a linear one near 0.
type Spaced struct{ First float64 }

// DefaultFirst is the first beta above zero of Neal 2001's geometric stretch.
const DefaultFirst = 0.01

// Validate accepts any T >= 2 with 0 < First < 1.
func (s Spaced) Validate(T int) error {
	if !(s.First > 0 && s.First < 1) {
		return fmt.Errorf("geometric spacing from beta %v; the first beta is above 0 and below 1", s.First)
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
	return math.Exp(math.Log(s.First) * float64(T-t) / float64(T-2))
}

// Rest returns 1 - b_t.
func (s Spaced) Rest(t, T int) float64 {
	switch t {
	case 1:
		return 1
	case T:
		return 0
	}
	return -math.Expm1(math.Log(s.First) * float64(T-t) / float64(T-2))
}

// Step returns b_t - b_{t-1}.
func (s Spaced) Step(t, T int) float64 {
	if t == 2 {
		return s.Beta(2, T)
	}
	return -s.Beta(t, T) * math.Expm1(math.Log(s.First)/float64(T-2))
}

// String returns "geometric:" and First.
func (s Spaced) String() string { return fmt.Sprintf("geometric:%v", s.First) }

// spacedForm is how Spaced is selected.
func spacedForm() scheduleForm {
	return scheduleForm{
		Syntax: "geometric[:FIRST]", Doc: "b_1 = 0, b_t = FIRST^((T-t)/(T-2)); FIRST 0.01", Source: "Neal 2001, section 5", Example: "geometric:0.01", Others: []string{"log", "logspace", "exponential"},
		Parse: func(args selector.Args, _ selector.Nothing) (chains.Schedule, error) {
			if !args.Given {
				return Spaced{DefaultFirst}, nil
			}
			first, err := args.Number("first beta")
			if err != nil {
				return nil, err
			}
			return valid(Spaced{first})
		},
	}
}
