package main

import (
	"os"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/python"
)

// TestRecipe: the recipe names the archive and the wheel beside it with their checksums, installs
// the wheel, and has no tabs, which YAML forbids.
func TestRecipe(t *testing.T) {
	text := recipeText("1.2.3", "breadboard-1.2.3-linux-amd64.tar.gz", []byte("an archive"), "b.whl", []byte("a wheel"))
	const sum, ofWheel = "9e691d5adacf0e102f203100842ffaba4e2a7dfe3dbd536827d3c0db8c7e88f1",
		"69f51477f05c46bfa5ff0027a1fcde274695311a38adfb85611ffeb93c8b146b"
	for _, want := range []string{
		"version: \"1.2.3\"\n", "path: breadboard-1.2.3-linux-amd64.tar.gz\n", "sha256: " + sum + "\n",
		"path: b.whl\n    sha256: " + ofWheel + "\n", "--no-build-isolation b.whl\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text+pixiText, "\t") {
		t.Error("there is a tab")
	}
}

// TestCitedVersion: CITATION.cff cites the version that is released, with its date, and tools that
// read it cite breadboard.
func TestCitedVersion(t *testing.T) {
	t.Chdir("../..")
	version := python.Version()
	_, released, _ := strings.Cut(string(longtest.Must(os.ReadFile("CHANGELOG.md"))(t)), "\n## "+version+" - ")
	cited := string(longtest.Must(os.ReadFile("CITATION.cff"))(t))
	if !strings.Contains(cited, "version: "+version+"\ndate-released: "+released[:len("2026-11-26")]+"\n") ||
		strings.Contains(cited, "preferred-citation") {
		t.Errorf("CITATION.cff says\n%s", cited)
	}
}
