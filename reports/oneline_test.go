package reports

import "testing"

// TestTextsOnATerminal: what a message quotes from files and programs reaches the terminal without what steers it, be it
// control characters or those that turn the direction of writing.
func TestTextsOnATerminal(t *testing.T) {
	if got, want := OneLine("red \x1b[31m\u009b, \u202eback\u2066 \r\n a\u200b \u00e9"), "red \ufffd[31m\ufffd, \ufffdback\ufffd a\ufffd \u00e9"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
