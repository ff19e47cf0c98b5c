package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestCheckThat: rows that do not hold a condition are named, and the exit code is 1; a column that is not there is bad input, and
// nothing is written.
func TestCheckThat(t *testing.T) {
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitDone, "", []string{"tightness", "--toy", "easy", "-T", "10", "--check-that", "J<10,B<=20", "--check-that", "T==10"}},
		{exitFault, "J<0.5 does not hold in row 1 (toy easy, T 3", []string{"tightness", "--toy", "easy", "-T", "3,100", "--check-that", "J<0.5"}},
		{exitFault, "J<0.5 does not hold", []string{"tightness", "--toy", "easy", "-T", "3", "--check-that", "J<0.5", "--format", "json"}},
		{exitBadInput, `unknown column "K"`, []string{"tightness", "--toy", "easy", "-T", "3", "--check-that", "K<0.5"}},
		{exitDone, "", []string{"kernel", "check", "heatbath", "--toy", "easy", "--check-that", "spectral_gap>0.09"}},
		{exitFault, "spectral_gap>0.1 does not hold in row 54 (kernel heatbath, toy easy, beta 1): spectral_gap is 0.094", []string{"kernel", "check", "heatbath", "--toy", "easy", "--check-that", "spectral_gap>0.1"}},
		{exitBadInput, `unknown column "spectral"`, []string{"kernel", "check", "heatbath", "--toy", "easy", "--check-that", "spectral>0.1"}},
		{exitBadInput, "has no comparison", []string{"tightness", "--toy", "easy", "-T", "3", "--check-that", "J"}},
		{exitBadInput, "shows no table", []string{"toys", "export", "easy", "--check-that", "J<1"}},
	} {
		var out, messages bytes.Buffer
		code := run(context.Background(), c.args, &out, &messages)
		if code != c.code || !strings.Contains(messages.String(), c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, &messages)
		}
		if (code == exitBadInput && c.args[0] != "toys") != (out.Len() == 0) {
			t.Errorf("%v: wrote %q", c.args, &out)
		}
	}
}
