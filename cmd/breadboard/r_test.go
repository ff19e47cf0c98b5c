package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/pflag"

	"breadboard/grid/longtest"
	"breadboard/reports/views"
)

// commandsInR returns a line of R for each command, which makes it a function with its own flags,
// the names of these functions, and the lines that say what holds for all.
func commandsInR(t *testing.T) (lines, names []string) {
	t.Helper()
	root := (&app{}).rootCommand()
	var repeated []string
	counts := map[string]int{}
	flags := map[string][]string{}
	for _, name := range leaves(root) {
		if name == "law" { // R has another function of this name
			continue
		}
		c, _, err := root.Find(strings.Fields(name))
		longtest.NoError(t, err)
		names = append(names, name)
		c.InheritedFlags() // adds the flags of all commands to its own
		c.Flags().VisitAll(func(f *pflag.Flag) {
			argument := strings.ReplaceAll(f.Name, "-", "_")
			if f.Shorthand != "" && strings.ToUpper(f.Shorthand) == f.Shorthand {
				argument = f.Shorthand
			}
			if f.Value.Type() == "stringArray" {
				repeated = append(repeated, argument)
			}
			if f.Name != "help" {
				flags[name] = append(flags[name], argument)
				counts[argument]++
			}
		})
	}
	// stats and testthat have functions of these names, and other packages export
	hidden := map[string]string{"export": "bb_export", "kernel": "kernel_list", "power": "check_power", "weights": "log_weights"}
	isCommon := func(argument string) bool { return counts[argument] == len(names) }
	var common []string
	for argument := range counts {
		if isCommon(argument) {
			common = append(common, argument)
		}
	}
	var answers []string // what a narrow table keeps
	for _, s := range views.Schemas() {
		for _, c := range s.Columns {
			if c.Answer {
				answers = append(answers, c.Name)
			}
		}
	}
	slices.Sort(answers)
	slices.Sort(common)
	slices.Sort(repeated)
	lines = append(lines,
		fmt.Sprintf("COMMON_FLAGS <- %q", strings.Join(common, " ")),
		fmt.Sprintf("ANSWERS <- %q", strings.Join(slices.Compact(answers), " ")),
		fmt.Sprintf("REPEATED <- c(\"%s\") # they take one value each time", strings.Join(slices.Compact(repeated), `", "`)))
	for i, name := range names {
		names[i] = strings.NewReplacer(" ", "_", "-", "_").Replace(name)
		if other := hidden[name]; other != "" {
			names[i] = other
		}
		lines = append(lines, fmt.Sprintf("%s <- command(%q, %q)", names[i], name, strings.Join(slices.DeleteFunc(flags[name], isCommon), " ")))
	}
	return lines, names
}

// TestCommandsInR: the package has a function for each command, with its flags. With -update it
// writes them anew.
func TestCommandsInR(t *testing.T) {
	longtest.Only(t)
	lines, names := commandsInR(t)
	const mark = "he commands, written by go test"
	for file, written := range map[string][]string{
		"R/commands.R": lines,
		"NAMESPACE":    {"export(" + strings.Join(names, ", ") + ")"},
	} {
		path := "../../r/" + file
		text := string(longtest.Must(os.ReadFile(path))(t))
		head, rest, _ := strings.Cut(text, mark)
		rest, _, _ = strings.Cut(rest, "\n")
		want := head + mark + rest + "\n" + strings.Join(written, "\n") + "\n"
		if *update {
			writeFile(t, path, want)
		} else if text != want {
			t.Errorf("%s is not that of the commands (go test ./cmd/breadboard -run InR -long -update writes it anew)", path)
		}
	}
}

// library is a folder in which the package is installed for R, and "" if there is no R.
var library = sync.OnceValue(func() string {
	rscript, err := exec.LookPath("Rscript")
	if err != nil {
		return ""
	}
	dir := sharedFolder()
	install := exec.Command(strings.TrimSuffix(rscript, "script"), "CMD", "INSTALL", "--no-docs", "--no-test-load", "--no-byte-compile", "-l", dir, "../../r")
	if out, err := install.CombinedOutput(); err != nil {
		panic(string(out))
	}
	return dir
})

// inR returns a command that runs a program of R with this program and the package, and nil if
// there is no R.
func inR(t *testing.T, words ...string) *exec.Cmd {
	t.Helper()
	dir := library()
	if dir == "" {
		return nil
	}
	c := exec.Command("Rscript", words...)
	c.Env = append(os.Environ(), asCommand+"=1", "BREADBOARD="+longtest.Must(os.Executable())(t), "R_LIBS="+dir)
	return c
}

// TestR runs the tests of the package that need this program, and with -long all of them, and
// compares the distributions of many functions with their draws.
func TestR(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	const tests = `if (requireNamespace("testthat", quietly = TRUE)) testthat::test_dir("tests/testthat", package = "breadboard", filter = "%s", reporter = "check", load_package = "installed")`
	programs := [][]string{{"-e", fmt.Sprintf(tests, "commands")}}
	if longtest.More() {
		programs = append(programs, []string{"-e", fmt.Sprintf(tests, "law")}, []string{"hunt/hunt.R", "1e4"})
	}
	for _, words := range programs {
		c := inR(t, words...)
		if c == nil {
			t.Skip("no R here")
		}
		c.Dir = "../../r"
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", words, err, out)
		}
	}
}

// TestExamplesOfRAlone: each call of an example of the page of R that assigns nothing runs in a
// session of its own, after what the example has assigned until then.
func TestExamplesOfRAlone(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	const alone = `calls <- parse("example.R"); of <- as.integer(commandArgs(TRUE)); is <- function(x, names) is.call(x) && deparse(x[[1]])[1] %in% names
assigns <- vapply(as.list(calls), is, NA, c("library", "<-")); last <- which(!assigns)[of]
for (i in seq_len(last)) if (i == last || assigns[[i]]) print(eval(calls[[i]]))
if (of == sum(!assigns)) cat("the last\n")`
	page := string(longtest.Must(os.ReadFile("topics/r.md"))(t))
	for _, block := range strings.Split(page, "```r\n")[1:] {
		dir := t.TempDir()
		code, _, _ := strings.Cut(block, "```")
		writeFile(t, dir+"/example.R", code)
		for i, last := 1, false; !last; i++ {
			c := inR(t, "-e", alone, fmt.Sprint(i))
			if c == nil {
				t.Skip("no R here")
			}
			c.Dir = dir
			out, err := c.CombinedOutput()
			if last = err != nil || strings.Contains(string(out), "the last"); err != nil {
				t.Errorf("call %d of\n%s\n%v\n%s", i, code, err, out)
			}
		}
	}
}
