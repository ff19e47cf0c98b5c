package main

import (
	"os"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/python"
)

// TestRecipe: the recipe names the archive beside it with its checksum, and has no tabs, which YAML
// forbids.
func TestRecipe(t *testing.T) {
	text := recipeText("1.2.3", "breadboard-1.2.3-linux-amd64.tar.gz", []byte("an archive"))
	const sum = "9e691d5adacf0e102f203100842ffaba4e2a7dfe3dbd536827d3c0db8c7e88f1"
	for _, want := range []string{"version: \"1.2.3\"\n", "path: breadboard-1.2.3-linux-amd64.tar.gz\n", "sha256: " + sum + "\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text+pixiText, "\t") {
		t.Error("there is a tab")
	}
}

// TestCitedVersion: the README and CITATION.cff cite the version that is released.
func TestCitedVersion(t *testing.T) {
	for file, want := range map[string]string{"../../README.md": "version = {" + python.Version() + "}", "../../CITATION.cff": "version: " +
		python.Version() + "\n"} {
		if text := string(longtest.Must(os.ReadFile(file))(t)); !strings.Contains(text, want) {
			t.Errorf("%s has no %q", file, want)
		}
	}
}
