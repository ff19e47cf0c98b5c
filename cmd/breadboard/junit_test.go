package main

import (
	"encoding/xml"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
	want := []string{
		"conform chain", "conform check", "conform draws", "conform estimates", "conform joint",
		"conform posterior", "conform ranks", "conform run", "conform vectors",
		"kernel check", "reproduce", "aide check", "evidence check",
	}
	slices.Sort(want)
	found := slices.DeleteFunc(leaves(root), func(name string) bool { return !isCheck(root, name) })
	slices.Sort(found)
	if !slices.Equal(found, want) {
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
	if err := xml.Unmarshal(data, &read); err != nil || len(read.Suites) != 1 ||
		read.Suites[0].Name != name || len(read.Suites[0].Cases) == 0 {
		t.Errorf("%s: %v\n%s", name, err, data)
		return
	}
	failed := 0
	ended := 0
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
