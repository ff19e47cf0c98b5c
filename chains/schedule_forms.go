package chains

import (
	"breadboard/chains/selector"
)

// ScheduleForms are the forms of the selectors that ParseSchedule reads, in the order in which they are listed.
func ScheduleForms() selector.Set[selector.Nothing, Schedule] {
	return selector.Set[selector.Nothing, Schedule]{What: "schedule", Forms: []func() scheduleForm{
		linearForm,
		sigmoidForm,
		powerForm,
		spacedForm,
		pointsForm,
	}}
}

// scheduleForm is how a schedule is selected.
type scheduleForm = selector.Form[selector.Nothing, Schedule]

// ParseSchedule returns the schedule of a selector: "linear", "sigmoid" (delta 4), "sigmoid:DELTA", "power:P",
// "geometric" (from 0.01), "geometric:FIRST", or "file:PATH" with one beta a line.
func ParseSchedule(text string) (Schedule, error) {
	return ScheduleForms().Parse(text, selector.Nothing{})
}

// valid returns a schedule, and why it can have no number of distributions, where that is so.
func valid(s Schedule) (Schedule, error) {
	if err := s.Validate(2); err != nil {
		return nil, err
	}
	return s, nil
}
