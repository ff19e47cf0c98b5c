package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestRowsOf: the rows of the page are found in their places, also those without figures yet.
func TestRowsOf(t *testing.T) {
	const head, table = "text\n\n| breadboard | what |\n|---|---|\n", "| `gap -T 10` | one; two |\n| `law exec:PROGRAM` | |\n"
	rows, from, until := rowsOf(head + table + "more")
	if len(rows) != 2 || rows[0] != (galleryRow{"gap -T 10", "one; two"}) || rows[1] != (galleryRow{"law exec:PROGRAM", ""}) || from != len(head) ||
		until != len(head+table) {
		t.Errorf("%q from %d to %d", rows, from, until)
	}
	if placeholder.MatchString(rows[0].command) || !placeholder.MatchString(rows[1].command) {
		t.Error("what is to be run is not known")
	}
}

// TestGallery: a page that lists what commands draw passes, another one fails and is written anew,
// and a command without figures is an error.
func TestGallery(t *testing.T) {
	t.Chdir(t.TempDir())
	longtest.NoError(t, os.MkdirAll(filepath.Dir(galleryPage), 0o755))
	const program = `#!/bin/sh
for last; do :; done
mkdir -p "$last"
[ "$1" = none ] && echo '{"files":[{"name":"a.csv"}]}' > "$last/run.json" && exit 0
echo '<svg/>' > "$last/a.svg"
echo '{"files":[{"name":"a.svg","title":"J & B: easy"},{"name":"a.svg","title":"J & B: hard"},{"name":"a.svg","title":"log Z_{T}"}]}' > "$last/run.json"
exit 1
`
	longtest.NoError(t, os.WriteFile("program", []byte(program), 0o755))
	page := func(table string) {
		longtest.NoError(t, os.WriteFile(galleryPage, []byte("text\n"+table+"more\n"), 0o644))
	}
	const right = "| `gap` | J & B; log Z_T |\n| `law exec:PROGRAM` | p |\n"
	page(right)
	if err := gallery("out", "./program", false); err != nil {
		t.Error(err)
	}
	if sheet := string(longtest.Must(os.ReadFile("out/index.html"))(t)); strings.Count(sheet, "<img") != 3 || !strings.Contains(sheet, "J &amp; B: hard") {
		t.Error(sheet)
	}
	page("| `gap` | |\n| `law exec:PROGRAM` | p |\n")
	if err := gallery("out", "./program", false); err == nil || !strings.Contains(err.Error(), "-update") {
		t.Errorf("a page without figures: %v", err)
	}
	longtest.NoError(t, gallery("out", "./program", true))
	if got := string(longtest.Must(os.ReadFile(galleryPage))(t)); got != "text\n"+right+"more\n" {
		t.Error(got)
	}
	page("| `none` | |\n")
	if err := gallery("out", "./program", false); err == nil || !strings.Contains(err.Error(), "draws no figure") {
		t.Errorf("a command without figures: %v", err)
	}
}
