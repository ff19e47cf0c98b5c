// Package schedules has the schedules of an annealing, which place its distributions on a path, one
// a file, each with its selector. They do not depend on the path or the kernel; package
// experiments/placement makes schedules that do.
package schedules

import (
	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Forms are the forms of the selectors that Parse reads, in the order in which they are listed.
func Forms() selector.Set[selector.Nothing, chains.Schedule] {
	return selector.NewSet("schedule",
		linearForm,
		sigmoidForm,
		powerForm,
		spacedForm,
		curveForm,
		pointsForm,
	)
}

type scheduleForm = selector.Form[selector.Nothing, chains.Schedule]

// Parse returns the schedule of a selector: "linear", "sigmoid" (delta 4), "sigmoid:DELTA",
// "power:P", "geometric" (from 0.01), "geometric:FIRST", "curve:B:B..." with two betas or more, or
// "file:PATH" with one beta a line.
func Parse(text string) (chains.Schedule, error) { return Forms().Parse(text, selector.Nothing{}) }

// valid returns a schedule, or an error if its parameters are invalid for every number of
// distributions.
func valid(s chains.Schedule) (chains.Schedule, error) {
	if err := s.Validate(2); err != nil {
		return nil, err
	}
	return s, nil
}

// validateLength returns an error if T is below 2, so that no schedule can have T distributions.
func validateLength(T int) error {
	if T < 2 {
		return errs.New("%d distributions; annealing needs at least 2, the initial one and the target", T)
	}
	return nil
}
