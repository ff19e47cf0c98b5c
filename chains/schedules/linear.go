package schedules

import (
	"breadboard/chains"
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

// linearForm is how Linear is selected.
func linearForm() scheduleForm {
	return scheduleForm{
		Syntax: "linear", Doc: "b_t = (t-1)/(T-1)", Example: "linear", Others: []string{"uniform", "equal"},
		Parse: func(selector.Args, selector.Nothing) (chains.Schedule, error) { return Linear{}, nil },
	}
}
