package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// refusedWith runs command lines, and wants of each exit code 2 and its message.
func refusedWith(t *testing.T, lines map[string][]string) {
	t.Helper()
	for want, args := range lines {
		code, stdout, stderr := command(t, args...)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit code %d, %q, %q; want %s", args, code, stdout, stderr, want)
		}
	}
}

// TestListsWithSpaces: a further value of a list that stands alone is told how to stand with the list, and any other argument is not.
func TestListsWithSpaces(t *testing.T) {
	refusedWith(t, map[string][]string{
		"100 stands alone; a list has commas between its values and no spaces: write -T 10,100,1000": {"tightness", "-T", "10", "100", "1000"},
		"write --toy easy,hard":                 {"tightness", "--toy", "easy", "hard"},
		"write --columns J,B":                   {"tightness", "--columns=J", "B"},
		`unknown command "heatbath"`:            {"tightness", "--toy", "easy", "--kernel", "barker", "heatbath"},
		"takes no arguments; did you mean --to": {"tightness", "barrier"},
		`unknown command "5"`:                   {"tightness", "5"},
		"write --scans 1,2":                     {"sandwich", "--scans", "1", "2"},
	})
}

// TestColumnsThatAreMeant: a column is not suggested by half of its title, and one with capital letters is suggested.
func TestColumnsThatAreMeant(t *testing.T) {
	refusedWith(t, map[string][]string{
		`unknown column "rel"; choices:`: {"tightness", "--columns", "rel"},
		"did you mean rel. error?":       {"tightness", "--columns", "rel. eror"},
	})
}

// refused runs a command with further arguments, and wants each message in one line with exit code 2, and no folder made. Where the further
// arguments name toys, they are in place of those of the command.
func refused(t *testing.T, command []string, cases map[string][]string) {
	t.Helper()
	for want, args := range cases {
		dir := filepath.Join(t.TempDir(), "out")
		all := command
		if toy := slices.Index(command, "--toy"); toy >= 0 && args[0] == "--toy" { // a list: it would be added to
			all = command[:toy]
		}
		refusedWith(t, map[string][]string{want: slices.Concat(all, args, []string{"--out", dir})})
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%v: something was written (%v)", args, err)
		}
	}
}
