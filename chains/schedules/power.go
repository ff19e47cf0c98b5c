package schedules

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/selector"
)

// Power is b_t = ((t-1)/(T-1))^P: with P > 1, more distributions near the initial one.
type Power struct{ P float64 }

// Validate accepts any T >= 2 with 0 < P <= 100.
func (s Power) Validate(T int) error {
	if !(s.P > 0 && s.P <= 100) {
		return fmt.Errorf("power schedule with exponent %v; the exponent is above 0 and at most 100", s.P)
	}
	return validateLength(T)
}

// Beta returns ((t-1)/(T-1))^P.
func (s Power) Beta(t, T int) float64 { return math.Pow(float64(t-1)/float64(T-1), s.P) }

// Rest returns 1 - b_t. It computes log b_t from (t-1)/(T-1), or near 1 from the difference (T-t)/(T-1) between that and
// one, so that the digits of 1 - b_t are kept.
func (s Power) Rest(t, T int) float64 {
	if 2*(t-1) < T-1 {
		return -math.Expm1(s.P * math.Log(float64(t-1)/float64(T-1)))
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

// powerForm is how Power is selected.
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
