package main

import (
	"errors"
	"strings"
	"testing"
)

// TestManual: every command that the help of another one lists has a page, with all of its help,
// and no line of it is taken for a macro.
func TestManual(t *testing.T) {
	helps := map[string]string{
		"--help": "it is exact: see\n\n  Flags: none\n\nUsage:\n  breadboard [command]\n\n" +
			"Studies:\n  gap         Which stages\n              contribute?\n  sweep       All\n\n" +
			"Additional Commands:\n  help        Help\n\nFlags:\n  -h, --help   help\n\nUse \"breadboard\" for more.",
		"help gap": "gap says\n.more \\ and\n'so\n\nUsage:\n  breadboard gap\n\nExamples:\n  " +
			"breadboard gap\n  run  it\n",
		"help sweep":     "sweep\n\nUsage:\n  x\n\nAvailable Commands:\n  run         Run\n",
		"help sweep run": "run\n\nUsage:\n  x\n\nDetails:\n\nKinds:\n  quick       no command\n",
	}
	pages, err := manual(func(words ...string) (string, error) {
		if text, is := helps[strings.Join(words, " ")]; is {
			return text, nil
		}
		return "", errors.New("no such command")
	})
	var names []string
	for _, p := range pages {
		names = append(names, p.path)
	}
	if got := strings.Join(names, " "); err != nil ||
		got != "man/man1/breadboard.1 man/man1/breadboard-gap.1 man/man1/breadboard-sweep.1 "+
			"man/man1/breadboard-sweep-run.1" {
		t.Fatalf("%s, %v", got, err)
	}
	const want = `.TH "BREADBOARD-GAP" 1 "" breadboard breadboard
.SH NAME
breadboard\-gap \- Which stages contribute?
.SH DESCRIPTION
.nf
.in 0
gap says
\&.more \e and
\&'so
.fi
.SH USAGE
.nf
.in 0
  breadboard gap
.fi
.SH EXAMPLES
.nf
.in 0
  breadboard gap
  run  it
.fi
.SH SEE ALSO
breadboard(1)
`
	if got := string(pages[1].content); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := manual(func(...string) (string, error) { return "", errors.New("no program") }); err == nil {
		t.Error("no error without a program")
	}
}
