// Package forms composes the sets of forms of all selectors, which the readers of cases are given.
package forms

import (
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/toys/forms"
)

// All returns all forms of the selectors of cases.
func All() subject.Forms {
	return subject.Forms{
		Forms:     forms.Targets(),
		Schedules: placement.Forms(),
		Fixed:     schedules.Forms(),
		Kernels:   programs.Forms(),
		Library:   kernels.Forms(),
	}
}

// Reader returns a reader of all forms, without programs and limits.
func Reader() subject.Reader { return subject.Reader{Forms: All()} }
