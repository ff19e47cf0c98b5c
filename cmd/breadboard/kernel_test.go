package main

import (
	"bytes"
	"path/filepath"
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
			"toy easy: the program's rows at 5 betas have no fault; those of 99 stages, for J and B, take " +
				"about 4s"},
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

// TestMatrixOfAnotherToy: a matrix on the default toys names them and what to write, and the column
// of a cut is called so.
func TestMatrixOfAnotherToy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "P.csv")
	writeFile(t, file, ",a,b\na,0.5,0.5\nb,0.5,0.5\n")
	if code, _, stderr := command(t, "kernel", "check", "matrix:"+file); code != exitBadInput ||
		!strings.Contains(stderr,
			"it is 2x2; a kernel on 7x7 needs 49x49, a row and a column for each state; easy, hard, "+
				"barrier are toys by default: give the target of the matrix") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	writeFile(t, file, "a,b\nb,c\n")
	if _, stdout, _ := command(t, "success", "--toy", "maxcut:"+file+":1", "-T", "3", "--kernel",
		"flip"); !strings.Contains(stdout, " cut ") || strings.Contains(stdout, "energy") {
		t.Error(stdout)
	}
}
