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

	"breadboard/cmd/catalogue"
	"breadboard/grid/longtest"
)

// TestCommandsInR: the package knows which columns are answers, which a narrow table keeps, and
// which flags are given once for each of their values. With -update it writes them anew.
func TestCommandsInR(t *testing.T) {
	longtest.Only(t)
	root := (&app{}).rootCommand()
	var answers, repeated []string
	for _, name := range leaves(root) {
		c, _, err := root.Find(strings.Fields(name))
		longtest.NoError(t, err)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "stringArray" {
				repeated = append(repeated, strings.ReplaceAll(f.Name, "-", "_"))
			}
		})
	}
	for _, s := range catalogue.Schemas() {
		for _, c := range s.Columns() {
			if c.Answer {
				answers = append(answers, c.Name)
			}
		}
	}
	slices.Sort(answers)
	slices.Sort(repeated)
	const path = "../../r/R/commands.R"
	text := string(longtest.Must(os.ReadFile(path))(t))
	head, _, _ := strings.Cut(text, "\n")
	want := fmt.Sprintf("%s\nANSWERS <- %q\nREPEATED <- c(\"%s\") # they take one value each time\n", head,
		strings.Join(slices.Compact(answers), " "), strings.Join(slices.Compact(repeated), `", "`))
	if *update {
		writeFile(t, path, want)
	} else if text != want {
		t.Errorf("%s is not that of the commands (go test ./cmd/breadboard -run InR -long -update writes it anew)",
			path)
	}
}

// library is a folder in which the package is installed for R, and "" if there is no R.
var library = sync.OnceValue(func() string {
	rscript, err := exec.LookPath("Rscript")
	if err != nil {
		return ""
	}
	dir := sharedFolder()
	install := exec.Command(strings.TrimSuffix(rscript, "script"), "CMD", "INSTALL", "--no-docs",
		"--no-test-load", "--no-byte-compile", "-l", dir, "../../r")
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
	const tests = `if (!requireNamespace("testthat", quietly = TRUE)) cat("SKIPPED: testthat is missing") else ` +
		`testthat::test_dir("tests/testthat", package = "breadboard", filter = "%s", reporter = "check", load_package = "installed")`
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
		switch out, err := c.CombinedOutput(); {
		case err != nil:
			t.Errorf("%v: %v\n%s", words, err, out)
		case strings.HasPrefix(string(out), "SKIPPED"):
			t.Skip(string(out))
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
			last = err != nil || strings.Contains(string(out), "the last")
			if err != nil {
				t.Errorf("call %d of\n%s\n%v\n%s", i, code, err, out)
			}
		}
	}
}
