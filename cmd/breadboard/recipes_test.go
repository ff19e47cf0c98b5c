package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestRecipes: the recipes of help files that need pandas alone write a table that samplers
// diagnose reads.
func TestRecipes(t *testing.T) {
	longtest.Only(t)
	if exec.Command("python3", "-c", "import pandas").Run() != nil {
		t.Skip("pandas is not installed")
	}
	page := string(longtest.Must(os.ReadFile("topics/files.md"))(t))
	for format, content := range map[string]string{
		"MrBayes, BEAST, RevBayes":                "[ID: 1]\nGen\tmu\n0\t0.5\n10\t0.25\n20\t0.75\n30\t0.5\n",
		"posteriordb (`.json`, a list of chains)": `[{"mu": [0.5, 0.25, 0.75, 0.5]}, {"mu": [0.5, 1, 2, 0.5]}]`,
	} {
		row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(format) + " \\| `([^`]*)`").FindStringSubmatch(page)
		if row == nil {
			t.Errorf("the page has no recipe for %s", format)
			continue
		}
		dir := t.TempDir()
		for _, name := range []string{"run.p", "draws.json"} {
			longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
		python := exec.Command("python3", "-c", "import json, pandas\n"+row[1])
		python.Dir = dir
		if out, err := python.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", format, err, out)
			continue
		}
		c := child(t, "samplers", "diagnose", filepath.Join(dir, "draws.csv"), "--format", "csv", "--columns",
			"variable,N")
		if out, err := c.Output(); err != nil || !strings.Contains(string(out), "mu,4\n") {
			t.Errorf("%s: %v\n%s", format, err, out)
		}
	}
}
