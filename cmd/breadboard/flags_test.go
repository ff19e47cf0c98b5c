package main

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"io"
	"math"
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

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

// TestColumns: the columns that are asked for, in their order, in every kind of format; and names
// that no table has.
func TestColumns(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for _, c := range []struct{ args, want string }{
		{"gap --toy easy -T 3 --columns forward,t,kind --format csv", "forward,t,kind\n0."},
		{"tightness --toy easy -T 3 --columns T,kernel --format markdown", "| T | kernel     |\n|--:|:-----------|\n| 3 | metropolis |\n"},
		{"tightness --toy easy -T 3 --columns rel.\\ error,T", " rel. error │ T\n"},
		{"tightness --toy easy -T 10 --columns T,J --latex siunitx --digits 2",
			"\\begin{tabular}{S[table-format=2]S[table-format=1.2]}\n\\toprule\n{T} & {J (nats)} \\\\\n\\midrule\n10 & 0.90 \\\\\n"},
		{"tightness --toy easy -T 10 --columns digits_J --format json", "[\n  {\"digits_J\": null}\n]\n"},
		{"toys show easy --columns p,state --format table --digits 3", "        p │ state\n"},
		{"represent --toy gridclu -T 3 --columns all --format csv", "toy,representation,T,path,"},
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, `\ `, "\x00"))
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "\x00", " ")
		}
		if stdout, _ := ok(t, args...); !strings.HasPrefix(stdout, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.args, stdout, c.want)
		}
	}
	for args, want := range map[string]string{
		"tightness -T 1e12 --columns toy,kernl":               `--columns: unknown column "kernl"; did you mean kernel?`,
		"tightness -T 1e12 --columns digits --format csv":     `--columns: unknown column "digits"`,
		"toys export easy --columns toy":                      "breadboard toys export shows no table, which --table, --columns, --digits and --latex are for",
		"tightness -T 1e12 --digits 3 --format json":          "--digits rounds numbers for people, and --format json has all digits",
		"tightness -T 1e12 --digits 18":                       "18",
		"tightness -T 1e12 --latex siunitx --format markdown": "--latex is for --format latex, and not for markdown",
		"tightness -T 1e12 --latex siuntx":                    "did you mean siunitx?",
	} {
		refuses(t, want, strings.Fields(args)...)
	}
}

// TestTable: a table other than the first is printed where it is named, in formats for people and
// for machines, and a name that no table has lists those there are.
func TestTable(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	args := func(words string) []string {
		return strings.Fields("samplers rank --toy barrier:3x3 --kernel metropolis,heatbath --budget 100 " + words)
	}
	first, note := ok(t, args("--format csv")...)
	if !strings.HasPrefix(first, "kernel,") || !strings.Contains(note, "further tables: rows (2 rows); --table NAME prints one of them") {
		t.Errorf("%s\n%s", first, note)
	}
	rows, note := ok(t, args("--format csv --table rows --columns toy,kernel,ress_mean")...)
	if !strings.HasPrefix(rows, "toy,kernel,ress_mean\nbarrier:3x3,metropolis,") || strings.Contains(note, "further") {
		t.Errorf("%s\n%s", rows, note)
	}
	if text, _ := ok(t, args("--table samplers_rank_rows")...); strings.Count(text, "\n") != 4 {
		t.Errorf("for people:\n%s", text)
	}
	for words, want := range map[string]string{
		"samplers rank --budget 1e6 --table row":                      `--table: unknown table of samplers rank "row"; did you mean rows?`,
		"samplers rank --budget 1e6 --table rows --columns mean_rank": `--columns: unknown column "mean_rank"`,
		"toys export easy --table x":                                  "shows no table, which --table,",
		"weights --toy easy -T 3 --table tails --frequencies 256":     `unknown table of this run "tails"; choices: weights`,
	} {
		refuses(t, want, strings.Fields(words)...)
	}
}

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
func onTerminal(t *testing.T, width int, environment map[string]string, args ...string) (stdout, stderr string) {
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
	if code := a.run(); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, errs.String())
	}
	return out.String(), errs.String()
}

// TestTerminal: on a terminal tables fit its lines, what was left out is named, and verdicts have
// colours, unless NO_COLOR is set. Files and pipes get everything, without colours.
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
	if want := "left out for 60 columns: "; !strings.Contains(stderr, want) || !strings.Contains(stderr, "as_printed") {
		t.Errorf("no %q in %q", want, stderr)
	}
	piped, _ := ok(t, args...)
	if !strings.Contains(piped, "as printed") {
		t.Errorf("a pipe gets\n%s", piped)
	}
	if all, stderr := onTerminal(t, 60, nil, append(args, "--columns", "all")...); all != piped || strings.Contains(stderr, "left out") {
		t.Errorf("all columns are\n%s\n%s", all, stderr)
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

// TestHelpFits: no line of the help of a command is wider than 80 characters, apart from examples,
// lines of files and words that are longer.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	each(newApp(context.Background(), nil, io.Discard, io.Discard, &leftovers{}).rootCommand(), func(c *cobra.Command) {
		words := strings.Fields(c.CommandPath())[1:]
		if c.IsAdditionalHelpTopicCommand() || len(words) == 0 || words[0] == "completion" || words[0] == "help" { // pages, which are Markdown, and cobra's own
			return
		}
		help, _ := ok(t, append(words, "--help")...)
		head, rest, _ := strings.Cut(help, "Examples:\n")
		_, tail, _ := strings.Cut(rest, "\n\n")
		for line := range strings.SplitSeq(head+tail, "\n") {
			if n := utf8.RuneCountInString(line); n > helpWidth && len(strings.Fields(line)) > 1 && !strings.Contains(line, " = ") {
				t.Errorf("%s: %d characters: %s", c.CommandPath(), n, line)
			}
		}
	})
	narrow, _ := onTerminal(t, 50, nil, "kernel", "check", "--help")
	if !strings.Contains(narrow, "check computes the exact transition matrix of a\nkernel and reports") {
		t.Errorf("on a narrow terminal:\n%s", narrow)
	}
}

// TestKernelSummary: kernel check says in three lines what it has found, and with -v all of it; a
// program gets all of it anyway.
func TestKernelSummary(t *testing.T) {
	args := []string{"kernel", "check", "barker", "--toy", "easy", "--beta", "0,1", "-T", "5"}
	stdout, stderr := ok(t, args...)
	const want = `pass: kernel barker on easy at beta 0, 1: 10 pass, 0 fault, 0 open
at the largest beta: spectral gap 0.00264; autocorrelation time of g 123 moves
annealing: J 1.42 nats, and with the kernel metropolis 1.31
`
	if stdout != want || !strings.Contains(stderr, "-v shows the whole table, with 28 rows") {
		t.Errorf("%s\n%s", stdout, stderr)
	}
	verbose, _ := ok(t, append(args, "-v")...)
	if !strings.HasPrefix(verbose, want+" toy  │ beta │ finding") || strings.Count(verbose, "\n") != 3+2+28 {
		t.Errorf("with -v:\n%s", verbose)
	}
	if rows := rowsOf(t, args...); len(rows) != 28 {
		t.Errorf("JSON has %d rows", len(rows))
	}
	if markdown, _ := ok(t, append(args, "--format", "markdown")...); strings.Count(markdown, "\n") != 2+28 {
		t.Errorf("Markdown:\n%s", markdown)
	}
}

// TestFigureFlags: figures are written in the formats and at the width that are asked for, an SVG
// is small, and bad flags exit with 2 and write nothing.
func TestFigureFlags(t *testing.T) {
	longtest.Only(t)
	dir := filepath.Join(t.TempDir(), "out")
	ok(t, "tightness", "-T", "10,100", "--out", dir, "--figures", "png,svg", "--width", "3.25in", "--style", "mono", "--font-size", "7pt")
	for _, ending := range []string{"pdf", "png", "svg"} {
		files, err := filepath.Glob(filepath.Join(dir, "*figure3*."+ending))
		if err != nil || ending == "pdf" && len(files) != 0 || ending != "pdf" && len(files) != 1 {
			t.Fatalf("the files %v", files)
		}
		if ending == "pdf" {
			continue
		}
		data := longtest.Must(os.ReadFile(files[0]))(t)
		switch ending {
		case "png":
			if image, err := png.Decode(bytes.NewReader(data)); err != nil || image.Bounds().Dx() != 650 {
				t.Errorf("3.25 in at 200 dots an inch: %v, %v", image.Bounds(), err)
			}
		case "svg":
			if len(data) > 150_000 || !bytes.Contains(data, []byte(`width="234pt"`)) {
				t.Errorf("an SVG of %d bytes: %.200s", len(data), data)
			}
		}
	}
	for _, c := range []struct{ flag, value, want string }{
		{"--figures", "bmp", `"bmp"; choices: svg, png, pdf`},
		{"--width", "3.25", "in, cm, mm or pt"},
		{"--width", "1cm", "no figure is"},
		{"--font-size", "0pt", "no length"},
		{"--font-size", "2pt", "from 4 pt"},
		{"--style", "poster", "choices: screen, print, mono"},
	} {
		none := filepath.Join(t.TempDir(), "none")
		code, stdout, stderr := command(t, "tightness", "-T", "10", "--out", none, c.flag, c.value)
		if _, err := os.Stat(none); code != exitBadInput || stdout != "" || !strings.Contains(stderr, c.want) || err == nil {
			t.Errorf("%s %s: exit %d, %q", c.flag, c.value, code, stderr)
		}
	}
}

// TestFlagGivenTwice: every flag of every command that is given twice adds up, if it is a list, and
// help says so; any other flag refuses the second value.
func TestFlagGivenTwice(t *testing.T) {
	t.Parallel()
	values := []string{"1", "2", "3", "easy", "hard", "metropolis", "barker", "s1", "svg", "png", "q", "p", "J<1", "B<2", "linear", "uniform", "target",
		"unbiased", "exact:1", "auto", "multinomial", "all", "1s", "J=1", "csv", "8cm", "8pt", "mono", "plain", "median", "fast", "J", "standard", "gap",
		"x=T, y=J", "x=T, y=B", "yes", "no", "draws", "chains,draws"}
	single, lists := 0, 0
	try := func(c *cobra.Command, f *pflag.Flag) {
		name := c.CommandPath() + " --" + f.Name
		var given []string
		for _, v := range values {
			err := c.Flags().Set(f.Name, v)
			again, is := errors.AsType[givenTwice](err)
			switch {
			case err == nil:
				given = append(given, v)
			case is && len(given) == 1 && !strings.Contains(f.Usage, repeatable) && strings.Contains(again.Error(), f.Name) == (shortName(f) == f.Name):
				single++
				return
			}
			if len(given) == 2 {
				break
			}
		}
		shown := f.Value.String()
		if len(given) < 2 || !strings.Contains(f.Usage, repeatable) || !strings.Contains(shown, given[0]) || !strings.Contains(shown, given[1]) {
			t.Errorf("%s took %q and is %q; help says %q", name, given, shown, f.Usage)
		}
		lists++
	}
	root := (&app{}).rootCommand()
	addCompletion(root)
	each(root, func(c *cobra.Command) { c.LocalFlags().VisitAll(func(f *pflag.Flag) { try(c, f) }) })
	if single < 500 || lists < 150 {
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
	for _, words := range []string{"smc --toy barrier:3x3 -T 3 --particles 2", "evidence --toy barrier:3x3 --work 10 --estimator lw"} {
		none, _ := ok(t, strings.Fields(words)...)
		if zero, _ := ok(t, strings.Fields(words+" --chains 0")...); zero != none {
			t.Errorf("%s --chains 0:\n%s\nand without it\n%s", words, zero, none)
		}
		refuses(t, "--chains 1; ", strings.Fields(words+" --chains 1")...)
	}
}

// TestLettersGivenTwice: a letter and the word that it stands for are one flag.
func TestLettersGivenTwice(t *testing.T) {
	both, _ := ok(t, "tightness", "--toy", "easy", "-T", "3", "-T=4", "--distributions", "5", "--format", "csv")
	one, _ := ok(t, "tightness", "--toy", "easy", "-T3,4,5", "--format", "csv")
	if both != one {
		t.Errorf("%s\n%s", both, one)
	}
	for _, words := range []string{"kernel check barker -T 3 -T=4", "kernel check barker -T 3 --distributions=4"} {
		refuses(t, "-T is given twice, 3 and 4; give it once", strings.Fields(words)...)
	}
	refuses(t, "--verbose is given twice; give it once", "kernel", "check", "barker", "-vv")
	refuses(t, "--set T: it is set twice", "sweep", "plan", in(t, "s.toml", "study = \"tightness\"\n[grid]\ntoy = [\"easy\"]\nT = [3]\n"), "--set",
		"T=3", "--set", "T=4")
	ok(t, "tutorial", "--format", "csv")
}

// TestLettersAsNames: --T is -T, in the error of a wrong value too.
func TestLettersAsNames(t *testing.T) {
	for _, words := range []string{"gap --toy random:2:1:2x2 -T 3", "samplers errors --toy random:2:1:2x2 -N 4",
		"couple unbiased --toy random:1:1:2x2 -k 3 -m 5"} {
		want, _ := ok(t, strings.Fields(words)...)
		if got, _ := ok(t, strings.Fields(regexp.MustCompile(` -([A-Za-z]) `).ReplaceAllString(words, " --$1 "))...); got != want {
			t.Errorf("%s with two dashes:\n%s", words, got)
		}
	}
	if code, _, said := command(t, "gap", "--T", "x"); code != exitBadInput || !strings.Contains(said, "-T") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// TestNetworkOfAFlag: network takes its network as other commands do.
func TestNetworkOfAFlag(t *testing.T) {
	want, _ := ok(t, "network", "ising:2x2:0.4")
	for _, flag := range []string{"--toy", "--model"} {
		if got, _ := ok(t, "network", flag, "ising:2x2:0.4"); got != want {
			t.Errorf("%s:\n%s", flag, got)
		}
	}
	for said, words := range map[string][]string{
		"a.bif and --toy b.bif are two networks; give one": {"a.bif", "--toy", "b.bif"}, "--toy and --model are both given": {"--model", "a.bif", "--toy", "b.bif"},
		"name one, as in breadboard network": nil,
	} {
		if code, _, stderr := command(t, append([]string{"network"}, words...)...); code != exitBadInput || !strings.Contains(stderr, said) {
			t.Errorf("%v: exit code %d: %s", words, code, stderr)
		}
	}
}

// TestFigureWords: the flags of figures that a command was given say the same of another command,
// and those that it was not given stay away.
func TestFigureWords(t *testing.T) {
	given, again := &app{}, &app{}
	parsed := func(a *app, words ...string) *cobra.Command {
		c, rest, err := a.rootCommand().Find(append([]string{"reproduce"}, words...))
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	words := figureWords(parsed(given, "--figures", "svg,png", "--width", "8.5cm", "--font-size", "9pt", "--style", "mono", "--claim", "bread-1"))
	parsed(again, words...)
	if !reflect.DeepEqual(given.output.figureFlags, again.output.figureFlags) || len(words) != 4 {
		t.Errorf("%v: %+v and %+v", words, given.output.figureFlags, again.output.figureFlags)
	}
	if words := figureWords(parsed(&app{}, "--claim", "bread-1")); len(words) > 0 {
		t.Errorf("%v where none was given", words)
	}
}

// TestCheckThat: rows that do not hold a condition are named, and the exit code is 1; a column that
// is not there is bad input, and nothing is written.
func TestCheckThat(t *testing.T) {
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitDone, "", []string{"tightness", "--toy", "easy", "-T", "10", "--check-that", "J<10,B<=20", "--check-that", "T==10"}},
		{exitFault, "J<0.5 does not hold in row 1 (toy easy, T 3", []string{"tightness", "--toy", "easy", "-T", "3,100", "--check-that", "J<0.5"}},
		{exitFault, "J<0.5 does not hold", []string{"tightness", "--toy", "easy", "-T", "3", "--check-that", "J<0.5", "--check-that", "T==3", "--format", "json"}},
		{exitBadInput, `unknown column "K"`, []string{"tightness", "--toy", "easy", "-T", "3", "--check-that", "K<0.5"}},
		{exitDone, "", []string{"kernel", "check", "heatbath", "--toy", "easy", "--check-that", "spectral_gap>0.09"}},
		{exitFault, "spectral_gap>0.1 does not hold in row 54 (kernel heatbath, toy easy, beta 1): spectral_gap is 0.094",
			[]string{"kernel", "check", "heatbath", "--toy", "easy", "--check-that", "spectral_gap>0.1"}},
		{exitBadInput, `unknown column "spectral"`, []string{"kernel", "check", "heatbath", "--toy", "easy", "--check-that", "spectral>0.1"}},
		{exitBadInput, "has no comparison", []string{"tightness", "--toy", "easy", "-T", "3", "--check-that", "J"}},
		{exitBadInput, "shows no table", []string{"toys", "export", "easy", "--check-that", "J<1"}},
	} {
		code, out, messages := command(t, c.args...)
		if code != c.code || !strings.Contains(messages, c.says) || (code == exitBadInput && c.args[0] != "toys") != (out == "") {
			t.Errorf("%v: exit code %d, %q, %s", c.args, code, out, messages)
		}
	}
}

// TestToyRanges: a range of seeds on the command line is each of its toys, wherever a list of toys
// is taken.
func TestToyRanges(t *testing.T) {
	longtest.Only(t)
	for _, args := range [][]string{
		{"tightness", "-T", "3"}, {"gap", "-T", "3"}, {"kernel", "check", "metropolis"}, {"samplers", "times", "--kernel", "heatbath"},
	} {
		ranged, _ := ok(t, append(args, "--toy", "random:1:{3..4}:3x3,easy", "--toy", "random:2:{0,4}:3x3", "--format", "csv")...)
		single, _ := ok(t, append(args, "--toy", "random:1:3:3x3,random:1:4:3x3,easy,random:2:0:3x3,random:2:4:3x3", "--format", "csv")...)
		if ranged != single || !strings.Contains(single, "random:2:4:3x3") {
			t.Errorf("%v: a range makes\n%s\nand its toys\n%s", args, ranged, single)
		}
	}
	for toy, want := range map[string]string{
		"random:1:{0..999999999}": "with the ranges there are more than 100000", "random:1:{4..3}": "write the smaller number first",
		"random:1:{a..3}": "is not a range",
	} {
		refuses(t, want, "tightness", "--toy", toy)
	}
}

// TestWholeNumbersFitAnInt: a number that an int of this machine cannot hold is refused, and never
// another number.
func TestWholeNumbersFitAnInt(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{{"1e15", 1e15}, {"3000000000", 3e9}, {"2147483647", math.MaxInt32}, {"1e6", 1e6}} {
		got, err := selector.ParseWhole(c.text, 0, maxCount)
		if fits := c.want <= math.MaxInt; fits != (err == nil) || fits && float64(got) != c.want {
			t.Errorf("%s: %d, %v", c.text, got, err)
		}
	}
}
