package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestFirstAnswerOfPrograms: what the rows of a program say comes before the annealing where that
// takes long, with how long.
func TestFirstAnswerOfPrograms(t *testing.T) {
	for _, c := range []struct {
		took  time.Duration
		wrong bool
		wants string
	}{
		{200 * time.Millisecond, false,
			"toy easy: the program's rows at 5 betas are examined, and have no fault. To ask it for those of 99 stages, for J and B of an annealing, takes about 4s more"},
		{200 * time.Millisecond, true, "have a fault, which is shown at the end"},
		{20 * time.Millisecond, false, ""},
	} {
		var errs bytes.Buffer
		clock := time.Unix(0, 0)
		a := &app{stderr: &errs, now: func() time.Time { return clock }}
		examined := a.examining()("easy")
		clock = clock.Add(c.took)
		examined(c.wrong, 5, 99)
		if got := errs.String(); !strings.Contains(got, c.wants) || (c.wants == "") != (got == "") {
			t.Errorf("after %v: %q, want %q", c.took, got, c.wants)
		}
	}
}
