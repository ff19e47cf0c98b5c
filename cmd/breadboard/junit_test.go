package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"breadboard/grid/longtest"
	"breadboard/reports/views/checks"
)

// isCheck reports whether a command writes what it finds as JUnit XML.
func isCheck(root *cobra.Command, name string) bool {
	c, _, err := root.Find(strings.Fields(name))
	return err == nil && c.Flags().Lookup("junit") != nil
}

// TestChecksWriteJUnit: these are the commands with --junit, and TestSchemasOfCommands reads what
// each of them writes.
func TestChecksWriteJUnit(t *testing.T) {
	root := (&app{}).rootCommand()
	addCompletion(root)
	want := []string{
		"conform chain", "conform check", "conform draws", "conform estimates", "conform policy", "conform ranks", "conform run", "couple check", "geweke",
		"kernel check", "reproduce", "aide check", "evidence check",
	}
	for _, s := range checks.Samplers() {
		want = append(want, "conform "+s.Name+" check")
	}
	slices.Sort(want)
	found := slices.DeleteFunc(leaves(root), func(name string) bool { return !isCheck(root, name) })
	if slices.Sort(found); !slices.Equal(found, want) {
		t.Errorf("%q have --junit; want %q", found, want)
	}
}

// junitRead is what a reader of JUnit XML looks at.
type junitRead struct {
	Suites []struct {
		Name                             string `xml:"name,attr"`
		Tests, Failures, Errors, Skipped int
		Cases                            []struct {
			Class   string    `xml:"classname,attr"`
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
		} `xml:"testcase"`
		Out string `xml:"system-out"`
	} `xml:"testsuite"`
}

// checkJUnit reads the file of a check that has ended with an exit code, and removes it: it has
// cases, each with a name of its own, and one of them says what the exit code says.
func checkJUnit(t *testing.T, name, path string, code int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	var read junitRead
	if err := xml.Unmarshal(data, &read); err != nil || len(read.Suites) != 1 || read.Suites[0].Name != name || len(read.Suites[0].Cases) == 0 {
		t.Errorf("%s: %v\n%s", name, err, data)
		return
	}
	failed, ended := 0, 0
	names := map[string]bool{}
	for _, c := range read.Suites[0].Cases {
		if names[c.Name] || c.Class != "breadboard."+strings.ReplaceAll(name, " ", "_") {
			t.Errorf("%s: the case %q of %s is there twice, or in another class", name, c.Name, c.Class)
		}
		names[c.Name] = true
		if c.Failure != nil {
			failed++
		}
		if c.Error != nil {
			ended++
		}
	}
	if (failed > 0) != (code == exitFault) || (ended > 0) != (code > exitFault) {
		t.Errorf("%s: exit code %d, and %d failures and %d errors", name, code, failed, ended)
	}
	if err := os.Remove(path); err != nil {
		t.Error(err)
	}
}

// TestJUnitSaysHowARunEnds: a fault, a condition that does not hold and a mistake are in the file,
// an older one is replaced whole, and what is no file or is an input is left alone.
func TestJUnitSaysHowARunEnds(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	wrong, file := filepath.Join(dir, "a<b>&\"c\".csv"), filepath.Join(dir, "new", "report.xml")
	writeFile(t, wrong, "0.5,0.5\n0.9,0.1\n")
	kernel := []string{"kernel", "check", "matrix:" + wrong, "--toy", "random:2:1:2", "-T", "3"}
	for _, c := range []struct {
		words []string
		code  int
		says  string
	}{
		{kernel, exitFault, "kernel=matrix:" + strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;", `"`, "&#34;").Replace(wrong)},
		{[]string{"reproduce", "--claim", "bread-7"}, exitDone, "printed wrongly: B 2.309"},
		{[]string{"evidence", "check", "nosuch"}, exitBadInput, "unknown estimator"},
		{[]string{"kernel", "check", "heatbath", "--toy", "random:2:1:2", "--check-that", "value<-1"}, exitFault, "the whole run"},
		{[]string{"kernel", "check", "heatbath", "--toy", "random:2:1:2"}, exitDone, "correct wherever it was checked"},
	} {
		code, _, stderr := command(t, append(c.words, "--junit", file)...)
		data, err := os.ReadFile(file)
		if code != c.code || err != nil || !strings.Contains(string(data), c.says) || !strings.Contains(stderr, "wrote "+file) {
			t.Errorf("%q: exit code %d, %v, %s\n%s", c.words, code, err, stderr, data)
			continue
		}
		checkJUnit(t, strings.TrimSuffix(strings.Join(c.words[:2], " "), " --claim"), file, code)
	}
	for _, path := range []string{dir, wrong} {
		if code, _, stderr := command(t, append(kernel, "--junit", path)...); code != exitIO && code != exitBadInput || !strings.Contains(stderr, "give ") {
			t.Errorf("--junit %s: exit code %d, %s", path, code, stderr)
		}
	}
	if data, err := os.ReadFile(wrong); err != nil || string(data) != "0.5,0.5\n0.9,0.1\n" {
		t.Errorf("the input is %q, %v", data, err)
	}
	if code, _, stderr := command(t, append(kernel, "--junit", filepath.Join(wrong, "report.xml"))...); code != exitIO || strings.Count(stderr, "\n") != 1 {
		t.Errorf("a folder that cannot be made: exit code %d, %s", code, stderr)
	}
}
