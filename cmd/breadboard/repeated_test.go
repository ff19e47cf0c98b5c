package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestRepeatedValues: what a list has twice is done once, and that is said; the rows are those of the list without it.
func TestRepeatedValues(t *testing.T) {
	longtest.NotShort(t)
	here := strings.TrimSuffix(friends, "friends_g.csv") // graph:testdata/friends.csv:testdata/
	for _, c := range []struct{ command, given, once, message string }{
		{"tightness", "--toy easy -T 10,10,5,10", "--toy easy -T 10,5", "-T 10 is given twice; it is done once\n"},
		{"tightness", "-T 4 --toy easy,hard --toy easy", "-T 4 --toy easy,hard", "--toy easy is given twice; it is done once\n"},
		{"tightness", "-T 4 --toy random:2:1,random:2.0:1", "-T 4 --toy random:2:1", "--toy random:2.0:1 is random:2:1 again; it is done once\n"},
		{"tightness", "-T 4 --toy " + friends + "," + here + "./friends_g.csv", "-T 4 --toy " + friends, "/./friends_g.csv is " + friends + " again; it is done once\n"},
		{"gap", "-T 4 --toy barrier:3x3,barrier:3x3", "-T 4 --toy barrier:3x3", "--toy barrier:3x3 is given twice"},
		{"weights", "--samples 1,2,1 -T 4 --toy easy", "--samples 1,2 -T 4 --toy easy", "--samples 1 is given twice"},
		{"kernel check barker", "--toy barrier:3x3 --beta 1,0.5,1 -T 4", "--toy barrier:3x3 --beta 1,0.5 -T 4", "--beta 1 is given twice"},
		{"schedule compare", "--toy barrier:3x3 -T 4 --schedule linear,linear", "--toy barrier:3x3 -T 4 --schedule linear", "--schedule linear is given twice"},
		{"samplers errors", "--toy barrier:3x3 -N 5 --kernel barker,barker", "--toy barrier:3x3 -N 5 --kernel barker", "--kernel barker is given twice"},
	} {
		run := func(flags string) (stdout, stderr string) {
			return ok(t, append(strings.Fields(c.command), append(strings.Fields(flags), "--format", "csv")...)...)
		}
		got, messages := run(c.given)
		want, messagesOnce := run(c.once)
		if got != want || !strings.Contains(messages, c.message) || strings.Contains(messagesOnce, "it is done once") {
			t.Errorf("%s %s: %q and %q\n%s\n%s", c.command, c.given, messages, messagesOnce, got, want)
		}
	}
	if code, stdout, stderr := command(t, "tightness", "--toy", "easy,easy,eazy"); code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}
