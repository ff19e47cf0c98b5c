package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/grid/longtest"
)

// textOf returns what the one file of text in a folder holds.
func textOf(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v: %v", err, names)
	}
	text := longtest.Must(os.ReadFile(names[0]))(t)
	return string(text)
}

// onTerminal runs the program as on a terminal whose lines have that many characters.
func onTerminal(t *testing.T, width int, environment map[string]string,
	args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	a := newApp(context.Background(), args, &out, &errs, &leftovers{})
	a.terminal = func(w io.Writer) bool { return w == &out }
	a.width = func(w io.Writer) int {
		if w == &out {
			return width
		}
		return 0
	}
	a.getenv = func(name string) string { return environment[name] }
	if code := a.runCommand(t.Context()); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	return out.String(), errs.String()
}

// TestTerminal: on a terminal tables begin with their answer and fit its lines. What was left out
// is named, and verdicts have colours, unless NO_COLOR is set. Files and pipes get everything,
// without colours.
func TestTerminal(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	args := []string{"tightness", "-T", "100,1000"}
	stdout, stderr := onTerminal(t, 60, nil, args...)
	for line := range strings.SplitSeq(stdout, "\n") {
		if n := utf8.RuneCountInString(line); n > 60 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	if want := "left out for 60 columns: "; !strings.Contains(stderr, want) ||
		!strings.Contains(stderr, "as_printed") {
		t.Errorf("no %q in %q", want, stderr)
	}
	piped, _ := ok(t, args...)
	if !strings.Contains(piped, "as printed") {
		t.Errorf("a pipe gets\n%s", piped)
	}
	args = append(args, "--columns", "all")
	all, stderr := onTerminal(t, 60, nil, args...)
	piped, _ = ok(t, args...)
	heading, _, _ := strings.Cut(piped, "\n")
	names := strings.Split(heading, "│")
	for _, name := range names {
		if lines := strings.Count("\n"+all, "\n "+strings.TrimSpace(name)); lines < 6 || len(names) < 24 ||
			strings.Contains(stderr, "left out") {
			t.Errorf("%s of %d is in %d lines of\n%s\n%s", name, len(names), lines, all, stderr)
		}
	}
	check := []string{"evidence", "check", "lw", "--toy", "random:2:1:2"}
	const green = "\x1b[32mpass\x1b[0m"
	dir := t.TempDir()
	if stdout, _ := onTerminal(t, 100, nil, append(check, "--out", dir)...); !strings.HasPrefix(stdout, green) {
		t.Errorf("no colour in\n%s", stdout)
	}
	if file := textOf(t, dir); strings.Contains(file, "\x1b") || !strings.Contains(file, "tolerance") {
		t.Errorf("the file has\n%s", file)
	}
	for _, environment := range []map[string]string{{"NO_COLOR": "1"}, {"TERM": "dumb"}} {
		if stdout, _ := onTerminal(t, 100, environment, check...); strings.Contains(stdout, "\x1b") {
			t.Errorf("with %v: %q", environment, stdout)
		}
	}
	if stdout, _ := ok(t, check...); strings.Contains(stdout, "\x1b") {
		t.Errorf("colours in a pipe: %q", stdout)
	}
}

// TestFlagGivenTwice: every flag of every command that is given twice adds up, if it is a list, and
// help says so; any other flag refuses the second value.
func TestFlagGivenTwice(t *testing.T) {
	t.Parallel()
	values := []string{"1", "2", "3", "easy", "hard", "metropolis", "barker", "s1", "svg", "png", "q", "p",
		"J<1", "B<2", "linear", "uniform", "target",
		"unbiased", "exact:1", "auto", "multinomial", "all", "1s", "J=1", "csv", "8cm", "8pt", "mono",
		"plain", "median", "fast", "J", "standard", "gap",
		"x=T, y=J", "x=T, y=B", "yes", "no", "draws", "chains,draws", "point", "comma"}
	single := 0
	lists := 0
	try := func(c *cobra.Command, f *pflag.Flag) {
		name := c.CommandPath() + " --" + f.Name
		var given []string
		for _, v := range values {
			err := c.Flags().Set(f.Name, v)
			switch {
			case err == nil:
				given = append(given, v)
			case len(given) == 1 && !strings.HasSuffix(unitOf(f), "...") &&
				strings.Contains(err.Error(), "given twice"):
				single++
				return
			}
			if len(given) == 2 {
				break
			}
		}
		shown := f.Value.String()
		if len(given) < 2 || !strings.HasSuffix(unitOf(f), "...") || !strings.Contains(shown, given[0]) ||
			!strings.Contains(shown, given[1]) {
			t.Errorf("%s took %q and is %q; its unit is %q", name, given, shown, unitOf(f))
		}
		lists++
	}
	root := (&app{}).rootCommand()
	each(root, func(c *cobra.Command) { c.LocalFlags().VisitAll(func(f *pflag.Flag) { try(c, f) }) })
	if single < 300 || lists < 100 {
		t.Errorf("only %d flags that are given once and %d lists", single, lists)
	}
}

// TestHelpOfNumbers: every flag takes the number that is its default, and zero where help says what
// that means.
func TestHelpOfNumbers(t *testing.T) {
	t.Parallel()
	said := 0
	each((&app{}).rootCommand(), func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			text := f.DefValue
			if regexp.MustCompile(`(^|[ ;,])0 (is|simulates|for) `).MatchString(f.Usage) {
				text = "0"
				said++
			}
			if _, err := strconv.ParseFloat(text, 64); err != nil {
				return
			}
			if err := f.Value.Set(text); err != nil {
				t.Errorf("%s --%s %s: %v; help says %q", c.CommandPath(), f.Name, text, err, f.Usage)
			}
		})
	})
	if said < 20 {
		t.Errorf("help says of only %d flags what zero means", said)
	}
}

// TestFigureWords: the flags of figures that a command was given say the same of another command,
// and those that it was not given stay away.
func TestFigureWords(t *testing.T) {
	given := &app{}
	again := &app{}
	parsed := func(a *app, words ...string) *cobra.Command {
		c, rest, err := a.rootCommand().Find(append([]string{"reproduce"}, words...))
		if err == nil {
			err = c.ParseFlags(rest)
		}
		longtest.NoError(t, err)
		return c
	}
	words := figureWords(parsed(given, "--figures", "svg,png", "--width", "8.5cm", "--font-size", "9pt",
		"--style", "mono", "--id", "bread-1"))
	parsed(again, words...)
	if !reflect.DeepEqual(given.output.figureFlags, again.output.figureFlags) || len(words) != 4 {
		t.Errorf("%v: %+v and %+v", words, given.output.figureFlags, again.output.figureFlags)
	}
	if words := figureWords(parsed(&app{}, "--id", "bread-1")); len(words) > 0 {
		t.Errorf("%v where none was given", words)
	}
}

// TestEmptyValues: every command refuses an empty value of every flag, an empty element of every
// list and an empty argument by name, before it looks at anything else.
func TestEmptyValues(t *testing.T) {
	t.Parallel()
	tried := 0
	root := (&app{}).rootCommand()
	try := func(c *cobra.Command, named string, args ...string) {
		tried++
		line := append(strings.Fields(c.CommandPath())[1:], args...)
		of, err := checkEmpty(root, line)
		if of != c || err == nil || !strings.Contains(err.Error(), named) ||
			!strings.Contains(err.Error(), "is empty") {
			t.Errorf("%q: %s, %v", line, of.CommandPath(), err)
		}
	}
	each(root, func(c *cobra.Command) {
		if c == root {
			return
		}
		if c.Runnable() && !c.HasSubCommands() {
			try(c, "argument 2", "easy", "")
		}
		refuse := func(f *pflag.Flag) {
			name := "--" + shortName(f)
			try(c, name, name+"=")
			if f.NoOptDefVal == "" {
				try(c, name, name, " ")
			}
			if strings.HasSuffix(unitOf(f), ",...") {
				try(c, name, name+"=a,,b")
				try(c, name, name+"=a, ")
			}
		}
		c.LocalFlags().VisitAll(refuse)
		c.InheritedFlags().VisitAll(refuse)
	})
	if tried < 3000 {
		t.Errorf("only %d were tried", tried)
	}
	if _, err := checkEmpty(root, []string{"kernel", "check", "metropolis", "--", "sh", ""}); err != nil {
		t.Errorf("an empty argument of a program is its own: %v", err)
	}
}
